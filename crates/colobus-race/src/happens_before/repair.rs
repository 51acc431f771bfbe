//! The feasible order nearest to a planned one. Turning two events round can move the moment of a timer, which then has
//! to change places with timers of other events.

use super::Timing;
use super::feasibility::following;

impl Timing {
    /// The order with its first `fixed` events unchanged and the others moved only as far as the timers demand; `None`
    /// if the fixed part is impossible.
    pub fn nearest(&self, order: &[usize], fixed: usize) -> Option<Vec<usize>> {
        if self.allows(order) {
            return Some(order.to_vec());
        }
        if !self.can_begin(&order[..fixed], &order[fixed..]) {
            return None;
        }
        let (mut done, mut rest) = (order[..fixed].to_vec(), order[fixed..].to_vec());
        while !rest.is_empty() {
            let begin = |length: usize| {
                let beginning: Vec<usize> = done.iter().chain(&rest[..length]).copied().collect();
                self.can_begin(&beginning, &rest[length..])
            };
            // The longest part of the rest that can stay as it is.
            let (mut fits, mut fails) = (0, rest.len() + 1);
            while fails - fits > 1 {
                let middle = (fits + fails) / 2;
                *(if begin(middle) { &mut fits } else { &mut fails }) = middle;
            }
            done.extend(rest.drain(..fits));
            // Then the first event that can come next instead: a timer if possible, because only timers are in the way.
            let comes_next = |index: &usize| {
                let others: Vec<usize> = rest.iter().copied().filter(|event| *event != rest[*index]).collect();
                self.can_begin(&[done.as_slice(), &[rest[*index]]].concat(), &others)
            };
            let is_free = |index: &usize| self.is_free[rest[*index]];
            let (free, timers): (Vec<usize>, Vec<usize>) = (0..rest.len()).partition(is_free);
            let next = timers.into_iter().chain(free).find(comes_next);
            match next {
                Some(index) => done.push(rest.remove(index)),
                None if rest.is_empty() => {}
                None => return None,
            }
        }
        Some(done)
    }

    fn can_begin(&self, beginning: &[usize], rest: &[usize]) -> bool {
        let chain = beginning.windows(2).map(|pair| following(pair[0], pair[1], 0));
        let after = beginning.last().into_iter().flat_map(|last| rest.iter().map(|event| following(*last, *event, 0)));
        self.earliest(chain.chain(after)).is_ok()
    }
}
