//! [`LateJoins`]: after which interactions a further client opens the document. Opening it costs as much as half an execution. The search
//! runs a sample of its interactions first, every combination of actions among them, each with a late joiner. Only if none of these fails by
//! what the late joiner sees, the others go without. The sample follows from the plan alone, so that results do not depend on the
//! number of workers, and a run that continues another one decides in the same way.

use std::collections::BTreeSet;

use colobus_check::Checks;

use super::candidates::{Candidate, Parts};
use crate::{Ending, LateJoinerChoice};

/// Of the interactions whose actions were in the sample already, one of so many is in it as well.
const ONE_OF: usize = 4;

pub(super) struct LateJoins {
    choice: LateJoinerChoice,
    checks: Checks,
    /// Whether what a late joiner saw has failed a check.
    failed: bool,
    /// Interactions that ended as passed or failed, with a late joiner and without.
    joined: usize,
    left_out: usize,
}

impl LateJoins {
    pub fn new(choice: LateJoinerChoice, checks: Checks) -> LateJoins {
        LateJoins { choice, checks, failed: false, joined: 0, left_out: 0 }
    }

    /// Takes the sample out of these interactions; everything if there is nothing to save.
    pub fn take_sample(&self, candidates: &mut Vec<Candidate>, parts: &Parts) -> Vec<Candidate> {
        if self.choice != LateJoinerChoice::Sampled {
            return std::mem::take(candidates);
        }
        let (mut combinations, mut others) = (BTreeSet::new(), 0);
        let mut is_sampled = |candidate: &Candidate| {
            combinations.insert(parts.concurrent(candidate).to_vec()) || {
                others += 1;
                others % ONE_OF == 0
            }
        };
        for candidate in candidates.iter_mut() {
            candidate.is_sampled = is_sampled(candidate);
        }
        let (sample, rest) = std::mem::take(candidates).into_iter().partition(|candidate| candidate.is_sampled);
        *candidates = rest;
        sample
    }

    /// Whether a further client opens the document after this interaction.
    pub fn has(&self, candidate: &Candidate) -> bool {
        match self.choice {
            LateJoinerChoice::Never => false,
            LateJoinerChoice::Always => true,
            LateJoinerChoice::Sampled => candidate.is_sampled || self.failed,
        }
    }

    pub fn learn(&mut self, candidate: &Candidate, ending: &Ending) {
        match (ending, self.has(candidate)) {
            (Ending::Passed | Ending::Failed(_), true) => self.joined += 1,
            (Ending::Passed | Ending::Failed(_), false) => self.left_out += 1,
            _ => {}
        }
        let Ending::Failed(failure) = ending else { return };
        let needs_one = |check| self.checks.find(check).is_some_and(|check| check.needs_late_joiner());
        self.failed |= failure.checks().any(needs_one);
    }

    /// What the user should know of it.
    pub fn note(&self) -> Option<String> {
        let LateJoins { joined, left_out, .. } = self;
        (self.choice == LateJoinerChoice::Sampled && *left_out > 0).then(|| {
            let all = joined + left_out;
            format!(
                "a further client opened the document after {joined} of {all} interactions, every combination of actions among them, and saw \
                 what the others saw; the rest went without one (`[checks] reload = \"always\"` leaves none out)"
            )
        })
    }
}
