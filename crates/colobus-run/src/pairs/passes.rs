//! [`Passes`]: which interactions passed while nothing is known to have come late, and in documents that are as good as new. Kept by the search for concurrent actions; the
//! run loop withdraws those that turn out to be doubtful, and runs them again.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use colobus_model::LearnedSettling;

#[derive(Debug, Default)]
pub(super) struct Passes(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// What was known of the server when this was last looked at.
    known: LearnedSettling,
    /// Interactions that passed since the last long silence in which nothing came.
    since_audit: BTreeSet<usize>,
    /// The last ones that passed, the oldest first: they may have run in documents that were emptied in place.
    last: VecDeque<usize>,
    doubted: BTreeSet<usize>,
}

/// An emptied document is compared with a fresh one after 16 executions at most; with so many it may have happened in all workers' documents.
const LAST: usize = 16 * 16;

/// How an execution of an interaction ended.
pub(super) struct Ended<'a> {
    pub passed: bool,
    /// Whether a long silence was kept in it.
    pub audited: bool,
    /// What was known of the server before and after it.
    pub before: &'a LearnedSettling,
    pub after: &'a LearnedSettling,
}

impl Passes {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The interaction is run, perhaps again.
    pub fn begin(&self, interaction: usize) {
        let mut seen = self.seen();
        seen.doubted.remove(&interaction);
        seen.since_audit.remove(&interaction);
    }

    pub fn end(&self, interaction: usize, ended: &Ended<'_>) {
        let mut seen = self.seen();
        seen.learn(ended.after);
        if !ended.passed {
            return;
        }
        if seen.last.len() == LAST {
            seen.last.pop_front();
        }
        seen.last.push_back(interaction);
        if was_too_hasty(ended.before, ended.after) || was_emptied_in_vain(ended.before, ended.after) {
            seen.doubted.insert(interaction);
        } else if ended.audited {
            seen.since_audit.clear();
        } else {
            seen.since_audit.insert(interaction);
        }
    }

    /// Whether the server turned out to be slower than it was waited for when the interaction passed.
    pub fn is_doubted(&self, interaction: usize, now: &LearnedSettling) -> bool {
        let mut seen = self.seen();
        seen.learn(now);
        seen.doubted.contains(&interaction)
    }
}

impl Seen {
    fn learn(&mut self, now: &LearnedSettling) {
        if was_too_hasty(&self.known, now) {
            self.doubted.extend(std::mem::take(&mut self.since_audit));
        }
        if was_emptied_in_vain(&self.known, now) {
            self.doubted.extend(std::mem::take(&mut self.last));
        }
        self.known = now.clone();
    }
}

/// A reaction came late, after a longer silence than any before: what was judged earlier was judged with too little patience.
fn was_too_hasty(before: &LearnedSettling, after: &LearnedSettling) -> bool {
    after.late > before.late && after.slowest() > before.slowest()
}

/// From then on documents are fresh; those before may have begun with something that another interaction had left behind.
fn was_emptied_in_vain(before: &LearnedSettling, after: &LearnedSettling) -> bool {
    after.emptied_in_vain && !before.emptied_in_vain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn known(late: usize, slowest_ms: u64) -> LearnedSettling {
        let lags = [("told".to_string(), Duration::from_millis(slowest_ms))].into();
        LearnedSettling { late, lags, ..LearnedSettling::default() }
    }

    fn passes(passes: &Passes, interaction: usize, audited: bool, before: &LearnedSettling, after: &LearnedSettling) {
        passes.begin(interaction);
        passes.end(interaction, &Ended { passed: true, audited, before, after });
    }

    fn doubted(passes: &Passes, now: &LearnedSettling) -> Vec<usize> {
        (0..10).filter(|interaction| passes.is_doubted(*interaction, now)).collect()
    }

    #[test]
    fn passes_since_the_last_clean_audit_are_doubted_when_something_comes_late() {
        let (seen, calm, late) = (Passes::default(), known(0, 20), known(1, 500));
        passes(&seen, 0, false, &calm, &calm);
        passes(&seen, 1, true, &calm, &calm);
        passes(&seen, 2, false, &calm, &calm);
        assert_eq!(doubted(&seen, &calm), Vec::<usize>::new());
        passes(&seen, 3, true, &calm, &late);
        assert_eq!(doubted(&seen, &late), [2, 3], "the audit before them was clean");
        passes(&seen, 2, false, &late, &late);
        assert_eq!(doubted(&seen, &late), [3]);
    }

    #[test]
    fn what_comes_late_after_the_last_interaction_counts_as_well() {
        let (seen, calm) = (Passes::default(), known(0, 20));
        passes(&seen, 0, false, &calm, &calm);
        assert_eq!(doubted(&seen, &known(1, 500)), [0]);
    }

    #[test]
    fn a_reaction_that_was_late_within_the_patience_known_before_takes_nothing_back() {
        let (seen, calm) = (Passes::default(), known(1, 500));
        passes(&seen, 0, false, &calm, &calm);
        assert_eq!(doubted(&seen, &known(2, 500)), Vec::<usize>::new());
    }

    #[test]
    fn passes_in_documents_that_were_emptied_in_vain_are_doubted_although_they_were_audited() {
        let (seen, clean) = (Passes::default(), LearnedSettling::default());
        let bad = LearnedSettling { emptied_in_vain: true, ..LearnedSettling::default() };
        for interaction in 0..LAST + 2 {
            passes(&seen, interaction, interaction % 2 == 0, &clean, &clean);
        }
        passes(&seen, LAST + 2, false, &clean, &bad);
        passes(&seen, LAST + 3, false, &bad, &bad);
        let doubted: Vec<usize> = (0..LAST + 4).filter(|interaction| seen.is_doubted(*interaction, &bad)).collect();
        assert_eq!(doubted, (2..LAST + 3).collect::<Vec<_>>(), "the last ones, and the one under way");
        seen.begin(2);
        assert!(!seen.is_doubted(2, &bad), "it is run again");
    }
}
