//! [`Estimate`]: how long a search might take: by what the last search of the same configuration took, or else by a rule of thumb,
//! measured with the built-in editor.

use std::fmt;
use std::fs;
use std::path::Path;

use colobus_model::{Application, Report};
use colobus_pairs::SearchSize;
use serde::Serialize;

use crate::run_config::Scope;

/// A fresh document with its clients.
const OPEN_MS: f64 = 100.0;
/// An action and a look at what it did.
const ACT_MS: f64 = 50.0;
/// The silence after an action, if the application says when it has nothing left to do.
const SILENCE_MS: u64 = 30;
/// The same for an application that was not started by Colobus: only silence tells.
const UNKNOWN_SILENCE_MS: u64 = 3000;

/// How long one interaction took in an earlier search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    pub interaction_ms: f64,
    /// The report that says so.
    pub report: String,
}

impl Measured {
    /// What the last search below `out` took, if it searched the same configuration.
    pub fn last(out: &Path, configuration: &str) -> Option<Measured> {
        let path = out.join("last/report.json");
        let report: Report = serde_json::from_str(&fs::read_to_string(&path).ok()?).ok()?;
        let interaction_ms = report.timing.interaction_ms_median;
        let is_known = report.configuration == configuration && interaction_ms > 0.0;
        is_known.then(|| Measured { interaction_ms, report: path.display().to_string() })
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub phase1_s: f64,
    /// If everything conflicted with everything.
    pub phase2_s_at_most: f64,
    /// What it is made from; a rule of thumb if there is nothing.
    pub measured: Option<Measured>,
}

impl Estimate {
    pub fn of(size: &SearchSize, scope: &Scope, application: &Application, measured: Option<Measured>) -> Estimate {
        let settle = &application.settle;
        let silence = if application.launch.is_some() { SILENCE_MS } else { UNKNOWN_SILENCE_MS };
        let settled_ms = settle.fixed_ms.or(settle.network_idle_ms).or(settle.quiet_ms).unwrap_or(silence) as f64;
        let seconds = |runs: usize, actions: usize| {
            let thumb = OPEN_MS + actions as f64 * (ACT_MS + settled_ms);
            let one = measured.as_ref().map_or(thumb, |measured| measured.interaction_ms);
            runs as f64 * one / 1000.0 / scope.workers as f64
        };
        Estimate {
            phase1_s: seconds(size.sequences, scope.depth),
            // The concurrent part settles twice, and every client is looked at.
            phase2_s_at_most: seconds(size.interactions, scope.depth + scope.clients),
            measured,
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = (time(self.phase1_s), time(self.phase2_s_at_most));
        match self.phase1_s == 0.0 {
            true => write!(f, "about {second}")?,
            false => {
                write!(f, "about {first} for phase 1, at most {second} for phase 2 and usually a small part of that")?
            }
        }
        match &self.measured {
            Some(Measured { interaction_ms, report }) => {
                write!(f, "\n  by {report}: {:.1} s an interaction", interaction_ms / 1000.0)?
            }
            None => write!(f, "\n  if pages load as fast as the built-in editor; a first search measures yours")?,
        }
        write!(f, "\n  every failure is run again 3 to 20 times, which is not counted")
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
    use crate::config::Configuration;

    #[test]
    fn times_are_short_to_read() {
        for (seconds, text) in
            [(0.0, "0 s"), (12.1, "13 s"), (61.0, "2 min"), (7_201.0, "3 h"), (200_000.0, "3 days"), (1e12, "years")]
        {
            assert_eq!(time(seconds), text);
        }
    }

    /// An application that Colobus starts, or not.
    fn application(settle: &str, start: &str) -> Application {
        let text = format!(
            "[app]\nurl = \"http://127.0.0.1:1/?doc={{doc}}\"\n{start}\n[settle]\n{settle}\n\
             [[action]]\nname = \"a\"\nsteps = [{{ type = \"a\" }}]\n"
        );
        Configuration::parse(&text, "colobus.toml", Path::new(".")).unwrap().application
    }

    const SCOPE: Scope =
        Scope { depth: 3, clients: 2, same: false, apart: false, naive: false, prune: false, workers: 1 };

    #[test]
    fn more_workers_are_faster_and_fixed_waits_slower() {
        let size = SearchSize::of(&SCOPE.extent(10, 0, 0));
        let of =
            |scope: &Scope, settle: &str, start: &str| Estimate::of(&size, scope, &application(settle, start), None);
        let one = of(&SCOPE, "quiet_ms = 0", "");
        assert_eq!(one.phase1_s, 250.0);
        assert_eq!(of(&Scope { workers: 2, ..SCOPE }, "quiet_ms = 0", "").phase1_s, 125.0);
        assert!(of(&SCOPE, "fixed_ms = 7000", "").phase2_s_at_most > 50.0 * one.phase2_s_at_most);
        // Where only silence tells that nothing is coming any more, it is most of the time.
        assert_eq!(of(&SCOPE, "", "start = \"node server.js\"").phase1_s, 340.0);
        assert_eq!(of(&SCOPE, "", "").phase1_s, 9250.0);
    }

    #[test]
    fn what_the_last_search_took_counts_if_it_searched_the_same() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Measured::last(folder.path(), "colobus.toml"), None);
        fs::create_dir(folder.path().join("last")).unwrap();
        let mut report = Report { configuration: "colobus.toml".into(), ..Report::default() };
        report.timing.interaction_ms_median = 5000.0;
        fs::write(folder.path().join("last/report.json"), serde_json::to_string(&report).unwrap()).unwrap();
        assert_eq!(Measured::last(folder.path(), "other.toml"), None);
        let measured = Measured::last(folder.path(), "colobus.toml");
        let size = SearchSize::of(&Scope { depth: 1, ..SCOPE }.extent(3, 0, 0));
        let estimate = Estimate::of(&size, &SCOPE, &application("quiet_ms = 0", ""), measured);
        assert_eq!((estimate.phase1_s, estimate.phase2_s_at_most), (15.0, 15.0));
        assert!(estimate.to_string().contains("report.json: 5.0 s an interaction\n"), "{estimate}");
    }
}
