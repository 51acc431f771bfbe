//! [`Replay`]: one execution along a given order, as closely as the world allows. An event of the order that is not
//! enabled in its turn is skipped; an event that the order does not name waits until the order is through.

use crate::natural::Arrivals;
use crate::{Choice, Digest, Divergences, Schedulable, Strategy};

/// How far an execution could follow an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed<E> {
    /// How many events the order has, and how many of them happened in their turn.
    pub planned: usize,
    pub performed: usize,
    /// Those that were not enabled in their turn, with their position in the order.
    pub skipped: Vec<(usize, E)>,
    /// Those that happened after the order was through.
    pub added: Vec<E>,
}

impl<E> Followed<E> {
    /// Whether exactly the events of the order happened, as ordered.
    pub fn exactly(&self) -> bool {
        self.performed == self.planned && self.added.is_empty()
    }

    /// How many events went as ordered before the first that did not.
    pub fn exact_beginning(&self) -> usize {
        self.skipped.first().map_or(self.performed, |(position, _)| *position)
    }
}

/// Follows one order in one execution.
#[derive(Clone, Debug)]
pub(crate) struct Follower<E> {
    order: Vec<E>,
    position: usize,
    arrivals: Arrivals<E>,
    followed: Followed<E>,
}

impl<E: Schedulable> Follower<E> {
    pub fn new(order: Vec<E>) -> Follower<E> {
        let followed = Followed { planned: order.len(), performed: 0, skipped: Vec::new(), added: Vec::new() };
        Follower { order, position: 0, arrivals: Arrivals::default(), followed }
    }

    /// The index of the next event; `None` only if nothing is enabled.
    pub fn next(&mut self, enabled: &[E]) -> Option<usize> {
        self.arrivals.observe(enabled);
        let next = match self.next_planned(enabled) {
            Some(planned) => planned,
            None => {
                let free = self.arrivals.next(enabled, |_| true)?;
                self.followed.added.push(enabled[free].clone());
                free
            }
        };
        self.arrivals.taken(&enabled[next]);
        Some(next)
    }

    fn next_planned(&mut self, enabled: &[E]) -> Option<usize> {
        while let Some(planned) = self.order.get(self.position) {
            self.position += 1;
            if let Some(index) = enabled.iter().position(|event| event == planned) {
                self.followed.performed += 1;
                return Some(index);
            }
            self.followed.skipped.push((self.position - 1, planned.clone()));
        }
        None
    }

    /// The part of the order that has not had its turn.
    pub fn to_come(&self) -> &[E] {
        &self.order[self.position..]
    }

    /// The execution is over: what was not reached counts as skipped.
    pub fn finish(mut self) -> Followed<E> {
        let rest = self.order.iter().cloned().enumerate().skip(self.position);
        self.followed.skipped.extend(rest);
        self.followed
    }
}

/// One execution along a given order.
#[derive(Clone, Debug)]
pub struct Replay<E> {
    follower: Option<Follower<E>>,
    begun: bool,
    followed: Option<Followed<E>>,
}

impl<E: Schedulable> Replay<E> {
    pub fn new(order: Vec<E>) -> Replay<E> {
        Replay { follower: Some(Follower::new(order)), begun: false, followed: None }
    }

    /// How far it could follow, once the execution has ended.
    pub fn followed(&self) -> Option<&Followed<E>> {
        self.followed.as_ref()
    }
}

impl<E: Schedulable> Strategy<E> for Replay<E> {
    fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        let next = self.follower.as_mut().and_then(|follower| follower.next(enabled));
        next.map_or(Choice::LetGo, Choice::Take)
    }

    fn commuted(&mut self, _pairs: &[(usize, usize)]) {}

    fn end(&mut self, _outcome: Option<Digest>) {
        if let Some(follower) = self.follower.take() {
            self.followed = Some(follower.finish());
        }
    }

    fn divergences(&self) -> Divergences {
        let skipped = self.followed.as_ref().map_or(0, |followed| followed.skipped.len());
        Divergences { skipped, ..Divergences::default() }
    }
}
