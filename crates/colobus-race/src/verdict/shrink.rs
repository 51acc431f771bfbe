//! [`Shrinker`]: the fewest reversals and user steps with which an order still does harm. It proposes pairs of orders
//! that differ in the harmful reversal alone; its caller executes both, judges, and answers.

use super::{Harm, Judge, Outcome};
use crate::explore::{Explored, Page, PageError, Reversal, Status};
use crate::model::{EventName, Execution};

/// Two orders to execute and compare: the one that works and the one that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub working: Vec<EventName>,
    pub failing: Vec<EventName>,
}

/// The smallest pair of orders so far. What is left out of `working` and is no user step runs after it.
#[derive(Clone, Debug)]
pub struct Shrinker {
    recorded: Vec<EventName>,
    steps: Vec<EventName>,
    /// The reversals before the harmful one that are still needed.
    needed: Vec<Reversal>,
    harmful: Reversal,
    left_out: Vec<EventName>,
    smallest: Candidate,
    proposals: Vec<Proposal>,
    proposed: Option<Proposal>,
}

#[derive(Clone, Debug)]
enum Proposal {
    /// Only these of the needed reversals.
    Reversals(Vec<Reversal>),
    WithoutStep(EventName),
}

/// The result of shrinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    pub orders: Candidate,
    /// The last one is the harmful one.
    pub reversals: Vec<Reversal>,
    /// User steps that are not needed.
    pub left_out: Vec<EventName>,
}

/// More reversals than this are left as they are: their subsets are too many to try.
const MOST_REVERSALS: usize = 8;

impl Shrinker {
    /// `None` for an order without reversals: the recording itself.
    pub fn new(recording: &Execution, explored: &Explored) -> Option<Shrinker> {
        let (harmful, needed) = explored.plan.reversals.split_last()?;
        let steps = recording.ran.iter().filter(|executed| executed.event.is_step());
        let mut shrinker = Shrinker {
            recorded: recording.order(),
            steps: steps.map(|executed| executed.event.name.clone()).collect(),
            needed: needed.to_vec(),
            harmful: harmful.clone(),
            left_out: Vec::new(),
            smallest: Candidate { working: explored.parent_order.clone(), failing: explored.plan.order.clone() },
            proposals: Vec::new(),
            proposed: None,
        };
        // The last proposal is made first.
        shrinker.proposals.extend(shrinker.steps.iter().cloned().map(Proposal::WithoutStep));
        let subsets = if needed.len() <= MOST_REVERSALS { subsets(needed) } else { Vec::new() };
        shrinker.proposals.extend(subsets.into_iter().rev().map(Proposal::Reversals));
        Some(shrinker)
    }

    /// The next pair of orders to execute; `None` once nothing smaller is left to try.
    pub fn candidate(&mut self) -> Option<Candidate> {
        loop {
            let proposal = self.proposals.pop()?;
            let candidate = match &proposal {
                // A smaller set of reversals was found already.
                Proposal::Reversals(reversals) if reversals.len() >= self.needed.len() => continue,
                Proposal::Reversals(reversals) => self.turned(reversals),
                Proposal::WithoutStep(step) => Some(self.without(step)),
            };
            self.proposed = Some(proposal);
            if candidate.is_some() {
                return candidate;
            }
        }
    }

    /// Whether the last candidate still does the same harm.
    pub fn answer(&mut self, still_harmful: bool) {
        let Some(proposal) = self.proposed.take().filter(|_| still_harmful) else { return };
        match proposal {
            Proposal::Reversals(reversals) => {
                if let Some(smaller) = self.turned(&reversals) {
                    self.smallest = smaller;
                    self.needed = reversals;
                }
            }
            Proposal::WithoutStep(step) => {
                self.smallest = self.without(&step);
                self.left_out.push(step);
            }
        }
    }

    pub fn finish(self) -> Shrunk {
        let reversals = self.needed.into_iter().chain([self.harmful]).collect();
        Shrunk { orders: self.smallest, reversals, left_out: self.left_out }
    }

    fn turned(&self, reversals: &[Reversal]) -> Option<Candidate> {
        let working = reversals.iter().try_fold(self.recorded.clone(), |order, reversal| reversal.apply(&order))?;
        let failing = self.harmful.apply(&working)?;
        Some(Candidate { working, failing })
    }

    fn without(&self, step: &EventName) -> Candidate {
        let others = |order: &[EventName]| order.iter().filter(|name| *name != step).cloned().collect();
        Candidate { working: others(&self.smallest.working), failing: others(&self.smallest.failing) }
    }
}

/// All subsets but the whole, small ones first.
fn subsets(reversals: &[Reversal]) -> Vec<Vec<Reversal>> {
    let whole = (1_usize << reversals.len()) - 1;
    let mut subsets: Vec<Vec<Reversal>> = (0..whole)
        .map(|set| reversals.iter().enumerate().filter(|(k, _)| set >> k & 1 == 1).map(|(_, r)| r.clone()).collect())
        .collect();
    subsets.sort_by_key(Vec::len);
    subsets
}

/// Shrinks a harmful order on a page.
pub fn shrink(
    page: &mut dyn Page,
    judge: &Judge,
    recording: &Execution,
    explored: &Explored,
) -> Result<Option<Shrunk>, PageError> {
    let (Some(mut shrinker), Status::New { .. }) = (Shrinker::new(recording, explored), &explored.status) else {
        return Ok(None);
    };
    let Some(Outcome::Harmful(harms)) = judge.judge_explored(explored).map(|judgement| judgement.outcome) else {
        return Ok(None);
    };
    let Some(harmful) = explored.plan.reversals.last() else { return Ok(None) };
    let does_harm = |outcome: Outcome| match outcome {
        Outcome::Harmful(found) => harms.iter().any(|harm: &Harm| found.contains(harm)),
        _ => false,
    };
    while let Some(candidate) = shrinker.candidate() {
        let (working, failing) = (page.run(&candidate.working)?, page.run(&candidate.failing)?);
        shrinker.answer(does_harm(judge.judge(&working, &failing, harmful).outcome));
    }
    Ok(Some(shrinker.finish()))
}
