//! [`LongLooks`]: which executions are looked at again after a long silence. Shared by the workers of a search, asked by
//! `execute`: the first failure of each cause is, and now and then an execution that passed (an audit).

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use colobus_model::Application;
use colobus_world::{Settled, WorldError};

/// Audits take at most this part of a run.
const AUDITED_PART: u32 = 10;

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

    /// Settles a passing execution thoroughly if it is time for that. Where silence decides nothing, there is nothing to audit.
    pub fn audit(
        &self,
        application: &Application,
        settle: impl FnOnce() -> Result<Settled, WorldError>,
    ) -> Result<Option<Settled>, WorldError> {
        let is_watched = application.launch.is_some();
        if is_watched || application.settle.quiet_ms.is_some() || !self.may_audit() {
            return Ok(None);
        }
        let begun = Instant::now();
        let settled = settle()?;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.last = begun.elapsed();
        taken.audits += begun.elapsed();
        Ok(Some(settled))
    }

    fn may_audit(&self) -> bool {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        (taken.audits + taken.last) * AUDITED_PART <= self.begun.elapsed()
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
}
