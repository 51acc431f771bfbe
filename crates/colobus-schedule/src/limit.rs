//! [`Limit`]: another strategy, for so many orders of so many events. An application that never stops sending (a
//! heartbeat, two clients that answer each other) makes executions without end; this is what ends them.

use crate::{Choice, Digest, Divergences, Strategy};

/// At most so many executions of at most so many chosen events.
#[derive(Clone, Debug)]
pub struct Limit<S> {
    inner: S,
    orders: usize,
    events: usize,
    begun: usize,
    chosen: usize,
    over: bool,
    let_go: usize,
}

impl<S> Limit<S> {
    pub fn new(inner: S, orders: usize, events: usize) -> Limit<S> {
        Limit { inner, orders, events, begun: 0, chosen: 0, over: false, let_go: 0 }
    }

    /// How many executions were longer than the limit.
    pub fn let_go(&self) -> usize {
        self.let_go
    }

    pub fn inner(&self) -> &S {
        &self.inner
    }
}

impl<E, S: Strategy<E>> Strategy<E> for Limit<S> {
    fn begin(&mut self) -> bool {
        if self.begun == self.orders || !self.inner.begin() {
            return false;
        }
        self.begun += 1;
        (self.chosen, self.over) = (0, false);
        true
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        if self.chosen == self.events {
            self.over = true;
            self.let_go += 1;
            return Choice::LetGo;
        }
        self.chosen += 1;
        self.inner.choose(enabled)
    }

    fn commuted(&mut self, pairs: &[(usize, usize)]) {
        self.inner.commuted(pairs);
    }

    fn end(&mut self, outcome: Option<Digest>) {
        // To the inner strategy it was cut short: it did not see the end.
        self.inner.end(outcome.filter(|_| !self.over));
    }

    fn divergences(&self) -> Divergences {
        self.inner.divergences()
    }
}
