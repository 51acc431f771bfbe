//! [`Finding`]: an interaction that fails, reduced, with how often it came back. [`RootCause`]: findings that look like one bug.

use serde::{Deserialize, Serialize};

use crate::{Difference, DifferenceKind, Event, Schedule};

/// A reduced failing interaction, as reports show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Counts from one; also the folder of its trace and screenshots below the run's folder.
    pub id: usize,
    /// Names of the actions of the shortest prefix that still fails.
    pub prefix: Vec<String>,
    /// Names of the concurrent actions, one per client.
    pub concurrent: Vec<String>,
    pub schedule: Schedule,
    /// Actions and schedule as one line, a [`crate::Reproduction`].
    #[serde(default)]
    pub line: String,
    /// An order of the same actions that was run and is right.
    #[serde(default)]
    pub passing: Option<Schedule>,
    /// What the schedule has the other way round than `passing`, if it is only an order of events that both have.
    #[serde(default)]
    pub critical: Option<Critical>,
    /// The name of the check that failed.
    pub check: String,
    pub difference: Difference,
    /// How many of `attempts` further executions failed in the same way.
    pub reproduced: usize,
    pub attempts: usize,
    /// The id of its root cause.
    pub root_cause: usize,
    /// Path of the trace, relative to the run's folder.
    pub trace: String,
    /// How many failing interactions of the search were reduced to this one.
    pub failures: usize,
}

/// Two conflicting events of a failing schedule that the passing one has the other way round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Critical {
    /// As a schedule writes them: `B<`, `A2`.
    pub first: String,
    pub second: String,
    /// Where they are in the failing schedule, from zero.
    pub positions: (usize, usize),
}

impl Critical {
    pub fn new(first: Event, second: Event, positions: (usize, usize)) -> Critical {
        Critical { first: first.to_string(), second: second.to_string(), positions }
    }
}

/// Findings with the same concurrent actions, whoever performs which, the same critical order, the same check and the
/// same kind of difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootCause {
    pub id: usize,
    pub concurrent: Vec<String>,
    pub check: String,
    pub kind: DifferenceKind,
    /// Ids of its findings, the shortest first.
    pub findings: Vec<usize>,
}

impl RootCause {
    /// Groups findings, numbers the groups from one in the order in which their first findings come, and writes the
    /// number into each.
    pub fn group(findings: &mut [Finding]) -> Vec<RootCause> {
        let mut keys = Vec::new();
        let mut causes: Vec<RootCause> = Vec::new();
        for finding in findings.iter_mut() {
            let key = finding.cause();
            let place = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                keys.push(key);
                causes.push(RootCause {
                    id: keys.len(),
                    concurrent: finding.concurrent.clone(),
                    check: finding.check.clone(),
                    kind: finding.difference.kind,
                    findings: Vec::new(),
                });
                keys.len() - 1
            });
            finding.root_cause = causes[place].id;
            causes[place].findings.push(finding.id);
        }
        for cause in &mut causes {
            let length = |id: &usize| findings.iter().find(|finding| finding.id == *id).map(|f| f.prefix.len());
            cause.findings.sort_by_key(|id| (length(id), *id));
        }
        causes
    }
}

impl Finding {
    /// What findings of one root cause have in common.
    fn cause(&self) -> (Vec<String>, String, DifferenceKind, Option<(String, String)>) {
        let mut actions = self.concurrent.clone();
        actions.sort();
        let critical = self.critical.as_ref().map(|pair| (self.whoever(&pair.first), self.whoever(&pair.second)));
        (actions, self.check.clone(), self.difference.kind, critical)
    }

    /// An event with the action of its client in place of the client's letter.
    fn whoever(&self, event: &str) -> String {
        let client = event.bytes().next().filter(u8::is_ascii_uppercase).map(|letter| usize::from(letter - b'A'));
        match client.and_then(|client| self.concurrent.get(client)) {
            Some(action) => format!("{action} {}", &event[1..]),
            None => event.to_string(),
        }
    }
}
