//! [`LongLooks`]: which executions are looked at again after a long silence. Shared by the workers of a search, asked by
//! `execute`: the first failure of each cause is, and now and then an execution that passed (an audit).

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use colobus_model::{LearnedSettling, Settle};
use colobus_world::{Settled, WorldError};

/// Audits take at most this part of a run, ...
const AUDITED_PART: u32 = 20;
/// ... and this part of one in which something came late.
const AUDITED_PART_WHEN_LATE: u32 = 10;

#[derive(Debug)]
pub(crate) struct LongLooks {
    begun: Instant,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    causes: BTreeSet<String>,
    /// What all audits took together, and the last one.
    audits: Duration,
    last: Duration,
    count: usize,
    /// Whether silence decides anything in this run, and whether something came late.
    silence_decides: bool,
    came_late: bool,
}

impl Default for LongLooks {
    fn default() -> LongLooks {
        LongLooks { begun: Instant::now(), taken: Mutex::default() }
    }
}

impl LongLooks {
    /// Whether no failure of this cause was looked at yet.
    pub fn is_first(&self, cause: String) -> bool {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).causes.insert(cause)
    }

    /// What is known of the server decides whether there is anything to audit, and how often.
    pub fn know(&self, learned: &LearnedSettling) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        (taken.silence_decides, taken.came_late) = (learned.silence_decides, learned.late > 0);
    }

    /// How many executions were audited so far.
    pub fn audits(&self) -> usize {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// Settles a passing execution thoroughly if it is time for that. Where silence decides nothing, there is nothing to audit.
    pub fn audit(
        &self,
        waits: &Settle,
        settle: impl FnOnce() -> Result<Settled, WorldError>,
    ) -> Result<Option<Settled>, WorldError> {
        if waits.quiet_ms.is_some() || !self.may_audit() {
            return Ok(None);
        }
        let begun = Instant::now();
        let settled = settle()?;
        self.audited(begun.elapsed());
        Ok(Some(settled))
    }

    fn audited(&self, took: Duration) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.last = took;
        taken.audits += took;
        taken.count += 1;
    }

    fn may_audit(&self) -> bool {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let part = if taken.came_late { AUDITED_PART_WHEN_LATE } else { AUDITED_PART };
        taken.silence_decides && (taken.audits + taken.last) * part <= self.begun.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_of_each_cause_is_looked_at() {
        let looks = LongLooks::default();
        assert!(looks.is_first("a".into()));
        assert!(looks.is_first("b".into()));
        assert!(!looks.is_first("a".into()));
    }

    #[test]
    fn only_what_silence_decides_is_audited() {
        let looks = LongLooks::default();
        let waits = Settle { timers_ms: 0, ..Settle::within(0) };
        let settle = || Ok(Settled::Quiet);
        assert_eq!(looks.audit(&waits, settle).unwrap(), None, "the server was asked each time");
        looks.know(&LearnedSettling { silence_decides: true, ..LearnedSettling::default() });
        assert_eq!(looks.audit(&waits, settle).unwrap(), Some(Settled::Quiet));
        assert_eq!(looks.audits(), 1);
    }

    #[test]
    fn audits_take_a_twentieth_of_a_run_and_a_tenth_once_something_came_late() {
        let audits = |late: usize| {
            // A run of 100 s whose audits would take 1 s each.
            let begun = Instant::now().checked_sub(Duration::from_secs(100)).unwrap();
            let looks = LongLooks { begun, taken: Mutex::default() };
            looks.know(&LearnedSettling { silence_decides: true, late, ..LearnedSettling::default() });
            let mut count = 0;
            while looks.may_audit() {
                looks.audited(Duration::from_secs(1));
                count += 1;
            }
            (count, looks.audits())
        };
        assert_eq!((audits(0), audits(1)), ((5, 5), (10, 10)));
    }
}
