//! [`judge`]: what an application does wrong after a mistake. Everything is compared with the [`Baseline`], the same session
//! without a mistake: what went wrong there as well is no news.

use std::collections::HashSet;

use colobus_check::{FailureIdentity, PageCheck, PageFailure};
use colobus_world::{PageSnapshot, ProblemKind, SessionRun};

use crate::{Mistake, Script};

/// The session without a mistake.
pub struct Baseline {
    pub snapshots: Vec<Option<PageSnapshot>>,
    known: HashSet<FailureIdentity>,
    blank: HashSet<String>,
}

impl Baseline {
    /// Of several runs: what any of them did wrong is known. Fields are those of the first.
    pub fn new(runs: &[SessionRun]) -> Baseline {
        let failures = runs.iter().flat_map(anywhere);
        let snapshots = runs.iter().flat_map(|run| run.snapshots.iter().flatten());
        Baseline {
            known: failures.map(|failure| failure.identity()).collect(),
            blank: snapshots.filter(|snapshot| snapshot.blank).map(|snapshot| page(&snapshot.url)).collect(),
            snapshots: runs.first().map(|first| first.snapshots.clone()).unwrap_or_default(),
        }
    }

    /// The last thing that was seen at this address.
    fn last_at(&self, url: &str) -> Option<&PageSnapshot> {
        self.snapshots.iter().flatten().rev().find(|snapshot| snapshot.url == url)
    }

    /// The lines that filled a field, by index: those after which it held something else than before.
    fn filled_by(&self, url: &str, key: &str) -> Vec<usize> {
        let seen = self.snapshots.iter().enumerate().filter_map(|(line, snapshot)| {
            let snapshot = snapshot.as_ref().filter(|snapshot| snapshot.url == url)?;
            Some((line, value_of(snapshot, key)?))
        });
        let seen: Vec<(usize, &str)> = seen.collect();
        seen.windows(2).filter(|pair| pair[0].1 != pair[1].1).map(|pair| pair[1].0).collect()
    }
}

/// What goes wrong because of the mistake, the worst first, each once.
pub fn judge(baseline: &Baseline, mistake: &Mistake, script: &Script, run: &SessionRun) -> Vec<PageFailure> {
    let mut failures = anywhere(run);
    failures.extend(blank(baseline, run));
    if mistake.kind.keeps_what_is_done() {
        failures.extend(lost_input(baseline, script, run));
    }
    failures.retain(|failure| !baseline.known.contains(&failure.identity()));
    failures.sort();
    failures.dedup_by_key(|failure| failure.identity());
    failures
}

/// What needs nothing to compare with.
fn anywhere(run: &SessionRun) -> Vec<PageFailure> {
    let check = |kind: ProblemKind| match kind {
        ProblemKind::Uncaught => PageCheck::Uncaught,
        ProblemKind::Console => PageCheck::Console,
        ProblemKind::FailedRequest { .. } => PageCheck::FailedRequest,
    };
    let problems = run.problems.iter();
    let mut failures: Vec<PageFailure> =
        problems.map(|found| PageFailure::new(check(found.kind), found.text.clone())).collect();
    if !run.rested {
        failures.push(PageFailure::new(PageCheck::Hang, "the page does not come to rest any more"));
    }
    failures.extend(run.broken_invariants.iter().map(|name| PageFailure::new(PageCheck::Invariant, name.clone())));
    failures
}

fn blank(baseline: &Baseline, run: &SessionRun) -> Option<PageFailure> {
    let last = run.snapshots.iter().flatten().next_back()?;
    let is_news = last.blank && !baseline.blank.contains(&page(&last.url));
    is_news.then(|| PageFailure::new(PageCheck::Blank, format!("{} stays blank", page(&last.url))))
}

/// Fields that the user has filled, and that have less in them than at the same moment without the mistake.
fn lost_input(baseline: &Baseline, script: &Script, run: &SessionRun) -> Vec<PageFailure> {
    let mut lost = Vec::new();
    for (index, snapshot) in run.snapshots.iter().enumerate() {
        let Some(snapshot) = snapshot else { continue };
        let usual = match script.origins[index] {
            Some(origin) => baseline.snapshots.get(origin).and_then(Option::as_ref),
            // A detour leads to a page that was left before.
            None => baseline.last_at(&snapshot.url),
        };
        let Some(usual) = usual.filter(|usual| page(&usual.url) == page(&snapshot.url)) else { continue };
        for field in &usual.fields {
            let lines = baseline.filled_by(&usual.url, &field.key);
            let was_filled = !lines.is_empty() && lines.iter().all(|line| script.origins.contains(&Some(*line)));
            let holds = value_of(snapshot, &field.key);
            if was_filled && holds.is_some_and(|holds| holds.len() < field.value.len()) {
                let text = format!("the field \u{201c}{}\u{201d} loses what was typed", field.label);
                lost.push(PageFailure::new(PageCheck::LostInput, text));
            }
        }
    }
    lost
}

fn value_of<'a>(snapshot: &'a PageSnapshot, key: &str) -> Option<&'a str> {
    snapshot.fields.iter().find(|field| field.key == key).map(|field| field.value.as_str())
}

/// An address without what follows the path.
fn page(url: &str) -> String {
    url.split(['?', '#']).next().unwrap_or_default().to_string()
}
