//! [`Estimate`]: how long a search might take. A rule of thumb, measured with the built-in editor.

use std::fmt;

use colobus_model::Settle;
use colobus_pairs::SearchSize;
use serde::Serialize;

use crate::run_config::Scope;

/// A fresh document with its clients.
const OPEN_MS: f64 = 100.0;
/// An action and a look at what it did.
const ACT_MS: f64 = 50.0;
/// The silence after an action, if that has to be learned first.
const SILENCE_MS: u64 = 30;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub phase1_s: f64,
    /// If everything conflicted with everything.
    pub phase2_s_at_most: f64,
}

impl Estimate {
    pub fn of(size: &SearchSize, scope: &Scope, settle: &Settle) -> Estimate {
        let settled_ms = settle.fixed_ms.or(settle.network_idle_ms).or(settle.quiet_ms).unwrap_or(SILENCE_MS) as f64;
        let seconds = |runs: usize, actions: usize| {
            let one = OPEN_MS + actions as f64 * (ACT_MS + settled_ms);
            runs as f64 * one / 1000.0 / scope.workers as f64
        };
        Estimate {
            phase1_s: seconds(size.sequences, scope.depth),
            // The concurrent part settles twice, and every client is looked at.
            phase2_s_at_most: seconds(size.interactions, scope.depth + scope.clients),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.phase1_s == 0.0 {
            return write!(f, "about {}", time(self.phase2_s_at_most));
        }
        let (first, second) = (time(self.phase1_s), time(self.phase2_s_at_most));
        write!(f, "about {first} for phase 1, at most {second} for phase 2 and usually a small part of that")
    }
}

fn time(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 60.0 * MINUTE;
    const DAY: f64 = 24.0 * HOUR;
    match seconds {
        s if s < MINUTE => format!("{:.0} s", s.ceil()),
        s if s < 2.0 * HOUR => format!("{:.0} min", (s / MINUTE).ceil()),
        s if s < 2.0 * DAY => format!("{:.0} h", (s / HOUR).ceil()),
        s if s < 1000.0 * DAY => format!("{:.0} days", (s / DAY).ceil()),
        _ => "years".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short_to_read() {
        for (seconds, text) in
            [(0.0, "0 s"), (12.1, "13 s"), (61.0, "2 min"), (7_201.0, "3 h"), (200_000.0, "3 days"), (1e12, "years")]
        {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn more_workers_are_faster_and_fixed_waits_slower() {
        let settle = Settle {
            quiet_ms: Some(0),
            timers_ms: 0,
            fixed_ms: None,
            network_idle_ms: None,
            limit_ms: 1,
            background: Vec::new(),
        };
        let scope = Scope { depth: 3, clients: 2, same: false, apart: false, naive: false, workers: 1 };
        let size = SearchSize::of(&scope.extent(10, 0, 0));
        let one = Estimate::of(&size, &scope, &settle);
        let two = Estimate::of(&size, &Scope { workers: 2, ..scope }, &settle);
        let slow = Estimate::of(&size, &scope, &Settle { fixed_ms: Some(7_000), ..settle.clone() });
        assert_eq!(one.phase1_s, 250.0);
        assert_eq!(two.phase1_s, 125.0);
        assert!(slow.phase2_s_at_most > 50.0 * one.phase2_s_at_most);
    }
}
