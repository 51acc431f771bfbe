//! [`Strategy`]: the oracle that says which of the enabled events happens next, and what it has to say about worlds that
//! do not behave as they did before.

/// What an execution came to, as a number that is equal whenever the outcome is.
pub type Digest = u64;

/// An order of events for each execution of one interaction.
///
/// The caller starts an execution with [`begin`](Strategy::begin), performs what [`choose`](Strategy::choose) says until
/// nothing is enabled, and closes it with [`end`](Strategy::end). Every execution starts from the same state. The search
/// keeps no state of the world: it re-executes, and bears with a world that offers other events than last time.
pub trait Strategy<E> {
    /// Starts the next execution; false once there is nothing left to try.
    fn begin(&mut self) -> bool;

    /// What happens next. `enabled` is not empty, and in an order that depends on nothing but the events so far. It names
    /// an event as often as turns of it are waiting, such as the messages in one queue: only so can be seen what put a
    /// message behind others. Where a caller does not know and names it once, [`Bounded`](crate::Bounded) tries orders
    /// that turn out to be impossible, and can miss one.
    fn choose(&mut self, enabled: &[E]) -> Choice;

    /// What the execution showed, before it is over: pairs of its events, by their places in it and the earlier one first, that
    /// conflict by their names and touched nothing in common. Told only where a world can see that; a strategy that leaves
    /// out equivalent orders leaves out more then.
    fn commuted(&mut self, pairs: &[(usize, usize)]);

    /// The execution is over: with its outcome if nothing was enabled any more or it was [let go](Choice::LetGo), with
    /// `None` if it was abandoned or could not be finished.
    fn end(&mut self, outcome: Option<Digest>);

    /// How far the world was from repeating itself, over all executions so far.
    fn divergences(&self) -> Divergences;
}

/// A strategy's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The enabled event at this index happens.
    Take(usize),
    /// The strategy has no opinion any more: everything else may happen as it comes, and the outcome counts.
    LetGo,
    /// Whatever happens now, the order is equivalent to one that was executed before: the execution can end here, and
    /// its outcome is known.
    Abandon,
}

/// How often executions did not go as planned. All zero for a world that is a function of its events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Divergences {
    /// Executions in which a beginning that was executed before offered other events than then.
    pub changed: usize,
    /// Planned events that were not enabled in their turn, and were skipped.
    pub skipped: usize,
    /// Executions that were meant to be new and turned out equivalent to an earlier one.
    pub repeated: usize,
}

impl<E, S: Strategy<E> + ?Sized> Strategy<E> for &mut S {
    fn begin(&mut self) -> bool {
        (**self).begin()
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        (**self).choose(enabled)
    }

    fn commuted(&mut self, pairs: &[(usize, usize)]) {
        (**self).commuted(pairs);
    }

    fn end(&mut self, outcome: Option<Digest>) {
        (**self).end(outcome);
    }

    fn divergences(&self) -> Divergences {
        (**self).divergences()
    }
}

impl<E, S: Strategy<E> + ?Sized> Strategy<E> for Box<S> {
    fn begin(&mut self) -> bool {
        (**self).begin()
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        (**self).choose(enabled)
    }

    fn commuted(&mut self, pairs: &[(usize, usize)]) {
        (**self).commuted(pairs);
    }

    fn end(&mut self, outcome: Option<Digest>) {
        (**self).end(outcome);
    }

    fn divergences(&self) -> Divergences {
        (**self).divergences()
    }
}
