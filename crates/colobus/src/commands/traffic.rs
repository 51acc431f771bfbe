//! The traffic of findings of `check` and `race`; that of the other searches is recorded by the run loop. When a search of `check` is
//! over, each of its findings is run once more with its messages recorded, and a HAR file of an execution that failed is written into its
//! folder. The search itself has no tap, and a file never shows an execution that passed. Findings of `race` keep the answers that were
//! recorded with the page: their HAR file is made of these.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{fs, iter, thread};

use anyhow::{Context, bail};
use colobus_driver::BrowserFactory;
use colobus_model::{Finding, Report};
use colobus_run::{Again, Checks, Judgement, StopSignal};

use crate::session::Session;

const FILE: &str = Finding::TRAFFIC_FILE;
/// How often a finding that does not come back every time is tried.
const ATTEMPTS: usize = 3;
/// How long recording may take after the end of a search that was over time: a limit that is exceeded by more is none.
const AFTER_TIMEOUT: Duration = Duration::from_secs(5);

/// Records the traffic of every finding, as many at a time as the search had workers, and names the files in the report. What could not be
/// recorded becomes a note. A search that the user interrupted ends at once.
pub fn record(report: &mut Report, folder: &Path, session: &Session, (workers, stop): (usize, &StopSignal)) {
    if stop.is_interrupted() || report.findings.is_empty() {
        return;
    }
    if !stop.is_set() {
        return record_with(report, folder, &session.browsers, (workers, stop));
    }
    // The browsers of the search stopped with it.
    let beyond = a_little_longer(stop);
    match session.further_browsers(&beyond) {
        Ok(browsers) => record_with(report, folder, &browsers, (workers, &beyond)),
        Err(_) if beyond.is_set() => report.notes.push(left_out(report.findings.len())),
        Err(error) => report.notes.push(format!("the traffic of the findings was not recorded: {error:#}")),
    }
}

fn record_with(report: &mut Report, folder: &Path, browsers: &BrowserFactory, (workers, stop): (usize, &StopSignal)) {
    let traces: Vec<PathBuf> = report.findings.iter().map(|finding| folder.join(&finding.trace)).collect();
    let recorded = side_by_side(&traces, workers, |trace| {
        let recorded = (!stop.is_set()).then(|| failing_traffic(trace, browsers, stop));
        // One that was stopped meanwhile says nothing of its finding.
        recorded.filter(|_| !stop.is_set())
    });
    let mut left = 0;
    for (finding, recorded) in report.findings.iter_mut().zip(recorded) {
        let note = match recorded {
            None => {
                left += 1;
                None
            }
            Some(Ok(har)) => write(finding, folder, &har),
            Some(Err(error)) => Some(format!("the traffic of finding {} was not recorded: {error:#}", finding.id)),
        };
        report.notes.extend(note);
    }
    if left > 0 {
        report.notes.push(left_out(left));
    }
}

/// A signal for what comes after the time limit, with a limit of its own.
fn a_little_longer(stop: &StopSignal) -> StopSignal {
    let beyond = stop.beyond_limit();
    beyond.limit(AFTER_TIMEOUT);
    beyond
}

/// What a user should know of findings without a file.
fn left_out(findings: usize) -> String {
    format!("the traffic of {findings} findings was not recorded: the time for it is over")
}

/// What `work` makes of each of these, in their order; so many at a time.
fn side_by_side<T: Sync, R: Send>(all: &[T], at_a_time: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let lane = || {
            let mine = iter::from_fn(|| {
                let index = next.fetch_add(1, Ordering::Relaxed);
                Some((index, work(all.get(index)?)))
            });
            mine.collect::<Vec<_>>()
        };
        let lanes: Vec<_> = (0..at_a_time.clamp(1, all.len().max(1))).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().flat_map(|lane| lane.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Writes the file of a finding and names it there; a note if that fails.
fn write(finding: &mut Finding, folder: &Path, har: &str) -> Option<String> {
    let file = format!("{}/{FILE}", finding.id);
    match fs::write(folder.join(&file), har) {
        Ok(()) => {
            finding.traffic = Some(file);
            None
        }
        Err(error) => Some(format!("{file} could not be written: {error}")),
    }
}

/// The traffic of an execution that fails as the recorded one did.
fn failing_traffic(trace: &Path, browsers: &BrowserFactory, stop: &StopSignal) -> anyhow::Result<String> {
    let trace = colobus_run::load(trace).context("its trace cannot be read")?;
    let (mut executions, mut problem) = (0, None);
    for _ in 0..ATTEMPTS {
        let recorded = browsers.recorded();
        let replay = colobus_run::replay(&trace, Checks::default(), &recorded, 1, stop)?;
        if replay.reproduced() == 1 {
            return Ok(recorded.take_har());
        }
        match replay.again.into_iter().next() {
            Some(Again { judgement: Judgement::Unknown(reason), trace: None, .. }) => problem = Some(reason),
            _ => executions += 1,
        }
    }
    match problem {
        // Nothing was executed, so that nothing could come back.
        Some(problem) if executions == 0 => bail!("{problem}"),
        _ => bail!("it did not come back in {executions} executions"),
    }
}

/// Writes the recorded answers of every finding of `race`, also of a search that was stopped.
pub fn of_races(report: &mut Report, folder: &Path) {
    for finding in &mut report.findings {
        let note = match colobus_race_run::load(&folder.join(&finding.trace)) {
            Ok(evidence) => write(finding, folder, &colobus_race_run::har_of(&evidence.recorded)),
            Err(problem) => Some(format!("the traffic of finding {}: {problem}", finding.id)),
        };
        report.notes.extend(note);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn recording_after_the_time_limit_takes_seconds() {
        let (stop, (sender, ended)) = (StopSignal::default(), mpsc::channel());
        stop.limit(Duration::ZERO);
        let beyond = a_little_longer(&stop);
        assert!(stop.is_set() && !beyond.is_interrupted());
        beyond.on_set(move || {
            let _ = sender.send(());
        });
        assert_eq!(ended.recv_timeout(Duration::from_secs(25)), Ok(()));
    }

    #[test]
    fn results_keep_the_order_of_what_they_are_made_of() {
        for at_a_time in [0, 1, 3, 100] {
            let all: Vec<usize> = (0..20).collect();
            let doubled: Vec<usize> = all.iter().map(|number| number * 2).collect();
            assert_eq!(side_by_side(&all, at_a_time, |number| number * 2), doubled, "{at_a_time} at a time");
        }
        assert_eq!(side_by_side(&[], 3, |number: &usize| *number), Vec::<usize>::new());
    }

    #[test]
    fn no_more_are_done_at_a_time_than_asked_for() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        side_by_side(&[(); 30], 3, |()| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::yield_now();
            now.fetch_sub(1, Ordering::SeqCst);
        });
        assert!((1..=3).contains(&most.load(Ordering::SeqCst)));
    }
}
