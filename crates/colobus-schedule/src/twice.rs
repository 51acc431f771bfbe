//! [`Twice`]: another strategy, with every execution repeated at once. Where the repetition offers other events or comes
//! to another outcome, the application depends on something that the order of events does not control.

use crate::replay::Follower;
use crate::{Choice, Digest, Divergences, Execution, Schedulable, Strategy};

/// Two executions of the same order that were not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nondeterminism<E> {
    pub order: Vec<E>,
    pub difference: Difference<E>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference<E> {
    /// After so many events other events were enabled.
    Enabled { after: usize, first: Vec<E>, second: Vec<E> },
    /// The same events were enabled all along, and the outcome was another. `None`: cut short.
    Outcome { first: Option<Digest>, second: Option<Digest> },
}

#[derive(Clone, Debug)]
pub struct Twice<E, S> {
    inner: S,
    run: Run<E>,
    found: Vec<Nondeterminism<E>>,
}

#[derive(Clone, Debug)]
enum Run<E> {
    Idle,
    First {
        execution: Execution<E>,
        ending: Option<Choice>,
    },
    /// The first is over and the second not begun.
    Between {
        first: Execution<E>,
        outcome: Option<Digest>,
    },
    Second {
        first: Execution<E>,
        outcome: Option<Digest>,
        follower: Follower<E>,
        position: usize,
        difference: Option<Difference<E>>,
    },
}

impl<E: Schedulable, S: Strategy<E>> Twice<E, S> {
    pub fn new(inner: S) -> Twice<E, S> {
        Twice { inner, run: Run::Idle, found: Vec::new() }
    }

    pub fn nondeterminism(&self) -> &[Nondeterminism<E>] {
        &self.found
    }

    pub fn inner(&self) -> &S {
        &self.inner
    }
}

impl<E: Schedulable, S: Strategy<E>> Strategy<E> for Twice<E, S> {
    fn begin(&mut self) -> bool {
        match std::mem::replace(&mut self.run, Run::Idle) {
            Run::Between { first, outcome } => {
                let follower = Follower::new(first.order());
                self.run = Run::Second { first, outcome, follower, position: 0, difference: None };
                true
            }
            _ => {
                self.run = Run::First { execution: Execution::default(), ending: None };
                self.inner.begin()
            }
        }
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        match &mut self.run {
            Run::First { execution, ending } => {
                let choice = self.inner.choose(enabled);
                match choice {
                    Choice::Take(index) => execution.record(enabled, &enabled[index]),
                    Choice::LetGo | Choice::Abandon => *ending = Some(choice),
                }
                choice
            }
            Run::Second { first, follower, position, difference, .. } => {
                let Some(moment) = first.moments.get(*position) else {
                    if first.complete && difference.is_none() {
                        *difference =
                            Some(Difference::Enabled { after: *position, first: Vec::new(), second: enabled.to_vec() });
                    }
                    return Choice::LetGo;
                };
                if difference.is_none() && moment.enabled != enabled {
                    let (first, second) = (moment.enabled.clone(), enabled.to_vec());
                    *difference = Some(Difference::Enabled { after: *position, first, second });
                }
                *position += 1;
                follower.next(enabled).map_or(Choice::LetGo, Choice::Take)
            }
            Run::Idle | Run::Between { .. } => Choice::LetGo,
        }
    }

    fn commuted(&mut self, pairs: &[(usize, usize)]) {
        if matches!(self.run, Run::First { .. }) {
            self.inner.commuted(pairs);
        }
    }

    fn end(&mut self, outcome: Option<Digest>) {
        match std::mem::replace(&mut self.run, Run::Idle) {
            Run::First { mut execution, ending } => {
                self.inner.end(outcome);
                execution.complete = outcome.is_some() && ending.is_none();
                if ending != Some(Choice::Abandon) {
                    self.run = Run::Between { first: execution, outcome };
                }
            }
            Run::Second { first, outcome: first_outcome, position, difference, .. } => {
                let ended_early = || {
                    let moment = first.moments.get(position)?;
                    let first = moment.enabled.clone();
                    Some(Difference::Enabled { after: position, first, second: Vec::new() })
                };
                let other_outcome = || {
                    let differs = first_outcome != outcome;
                    differs.then_some(Difference::Outcome { first: first_outcome, second: outcome })
                };
                if let Some(difference) = difference.or_else(ended_early).or_else(other_outcome) {
                    self.found.push(Nondeterminism { order: first.order(), difference });
                }
            }
            Run::Idle | Run::Between { .. } => {}
        }
    }

    fn divergences(&self) -> Divergences {
        self.inner.divergences()
    }
}
