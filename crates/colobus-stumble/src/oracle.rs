//! [`judge`]: what an application does wrong after a mistake. Everything is compared with the [`Baseline`], the same session
//! without a mistake: what went wrong there as well is no news.

use std::collections::HashSet;
use std::fmt;

use colobus_model::CheckId;
use colobus_world::ProblemKind;
use colobus_world::{PageSnapshot, SessionRun};

use crate::{Mistake, Script};

/// From what is worst to what is least certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oracle {
    Uncaught,
    Hang,
    Blank,
    FailedRequest,
    Console,
    LostInput,
    Invariant,
}

impl Oracle {
    /// What reports call it.
    pub fn check(self) -> CheckId {
        CheckId::new(match self {
            Oracle::Uncaught => "uncaught exceptions",
            Oracle::Hang => "hanging pages",
            Oracle::Blank => "blank pages",
            Oracle::FailedRequest => "failed requests",
            Oracle::Console => "console errors",
            Oracle::LostInput => "lost input",
            Oracle::Invariant => "invariants",
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub oracle: Oracle,
    pub text: String,
}

impl Problem {
    /// What two problems have in common that are one: numbers (ports, times, identifiers) do not count.
    pub fn signature(&self) -> (Oracle, String) {
        (self.oracle, signature(&self.text))
    }
}

/// The text without what differs from run to run.
pub(crate) fn signature(text: &str) -> String {
    let mut signature = String::new();
    for character in text.chars() {
        let shown = if character.is_ascii_digit() { '#' } else { character };
        if !(shown == '#' && signature.ends_with('#')) {
            signature.push(shown);
        }
    }
    signature
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The session without a mistake.
pub struct Baseline {
    pub snapshots: Vec<Option<PageSnapshot>>,
    known: HashSet<(Oracle, String)>,
    blank: HashSet<String>,
}

impl Baseline {
    /// Of several runs: what any of them did wrong is known. Fields are those of the first.
    pub fn new(runs: &[SessionRun]) -> Baseline {
        let problems = runs.iter().flat_map(anywhere);
        let snapshots = runs.iter().flat_map(|run| run.snapshots.iter().flatten());
        Baseline {
            known: problems.map(|problem| problem.signature()).collect(),
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

/// The problems that the mistake brought, the worst first, each once.
pub fn judge(baseline: &Baseline, mistake: &Mistake, script: &Script, run: &SessionRun) -> Vec<Problem> {
    let mut problems = anywhere(run);
    problems.extend(blank(baseline, run));
    if mistake.kind.keeps_what_is_done() {
        problems.extend(lost_input(baseline, script, run));
    }
    problems.retain(|problem| !baseline.known.contains(&problem.signature()));
    problems.sort();
    problems.dedup_by_key(|problem| problem.signature());
    problems
}

/// What needs nothing to compare with.
fn anywhere(run: &SessionRun) -> Vec<Problem> {
    let problem = |kind: ProblemKind| match kind {
        ProblemKind::Uncaught => Oracle::Uncaught,
        ProblemKind::Console => Oracle::Console,
        ProblemKind::FailedRequest { .. } => Oracle::FailedRequest,
    };
    let problems = run.problems.iter();
    let mut problems: Vec<Problem> =
        problems.map(|found| Problem { oracle: problem(found.kind), text: found.text.clone() }).collect();
    if !run.rested {
        let text = "the page does not come to rest any more".to_string();
        problems.push(Problem { oracle: Oracle::Hang, text });
    }
    problems.extend(run.broken_invariants.iter().map(|name| Problem { oracle: Oracle::Invariant, text: name.clone() }));
    problems
}

fn blank(baseline: &Baseline, run: &SessionRun) -> Option<Problem> {
    let last = run.snapshots.iter().flatten().next_back()?;
    let is_news = last.blank && !baseline.blank.contains(&page(&last.url));
    is_news.then(|| Problem { oracle: Oracle::Blank, text: format!("{} stays blank", page(&last.url)) })
}

/// Fields that the user has filled, and that have less in them than at the same moment without the mistake.
fn lost_input(baseline: &Baseline, script: &Script, run: &SessionRun) -> Vec<Problem> {
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
                lost.push(Problem { oracle: Oracle::LostInput, text });
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
