//! The feasible order nearest to a planned one. Turning two events round can move the moment of a timer, which then has
//! to change places with others.

use super::Timing;
use super::feasibility::{Condition, following};

impl Timing {
    /// The order changed only as far as timers demand; `None` if its first `fixed` events cannot keep the order of their
    /// dependent pairs. `depend` are the pairs whose order matters as far as is known, the earlier event first.
    pub fn nearest(&self, order: &[usize], fixed: usize, depend: &[(usize, usize)]) -> Option<Vec<usize>> {
        if self.allows(order) {
            return Some(order.to_vec());
        }
        let mut places = vec![usize::MAX; self.len()];
        for (place, event) in order.iter().enumerate() {
            places[*event] = place;
        }
        let mut pairs: Vec<(usize, usize)> = depend
            .iter()
            .copied()
            .filter(|(first, second)| places[*first].max(places[*second]) < order.len())
            .collect();
        pairs.sort_by_key(|(_, second)| places[*second]);
        let is_fixed = |(first, second): &(usize, usize)| places[*first].max(places[*second]) < fixed;
        let condition = |(first, second): &(usize, usize)| following(*first, *second, 0);
        let demanded: Vec<Condition> = pairs.iter().filter(|pair| is_fixed(pair)).map(condition).collect();
        let mut moments = self.earliest(demanded.iter().copied()).ok()?;
        let rest = pairs.iter().filter(|pair| !is_fixed(pair)).map(condition);
        let wished: Vec<Condition> = rest.chain(order.windows(2).map(|pair| following(pair[0], pair[1], 0))).collect();
        let mut kept = demanded;
        let mut next = 0;
        // As many wishes as possible, the first ones first: the longest run that can be kept, then one is given up.
        while next < wished.len() {
            let (mut fits, mut fails) = (next, wished.len() + 1);
            while fails - fits > 1 {
                let middle = (fits + fails) / 2;
                match self.earliest(kept.iter().chain(&wished[next..middle]).copied()) {
                    Ok(found) => (fits, moments) = (middle, found),
                    Err(_) => fails = middle,
                }
            }
            kept.extend(&wished[next..fits]);
            next = fits + 1;
        }
        let mut nearest = order.to_vec();
        nearest.sort_by_key(|event| moments[*event]);
        Some(nearest)
    }

    /// Whether the events can come in some order that keeps these pairs.
    pub fn admits(&self, depend: &[(usize, usize)]) -> bool {
        self.earliest(depend.iter().map(|(first, second)| following(*first, *second, 0))).is_ok()
    }
}
