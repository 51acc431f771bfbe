//! [`Finding`]: an interaction that fails, reduced, with how often it came back. [`RootCause`]: findings that look like one bug.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{CheckId, ClientId, Difference, DifferenceKind, Event, Schedule};

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
    /// What makes the difference between the schedule and `passing`.
    #[serde(default)]
    pub critical: Option<Critical>,
    /// The check that failed.
    pub check: CheckId,
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
    /// What a single user does, line by line, if it is that and not an interaction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub script: Vec<ScriptLine>,
}

/// A line of a recorded session, as people say it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptLine {
    pub text: String,
    /// Whether it is what the user gets wrong.
    pub mistaken: bool,
}

/// What makes a failing schedule fail and a passing one pass. Positions are those in the failing one, from zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Critical {
    /// Two conflicting events that the passing schedule has the other way round: `B<` before `A2`.
    Reversed { first: Event, second: Event, positions: (usize, usize) },
    /// A fault that the passing schedule does not have.
    Fault { fault: Event, position: usize },
}

impl fmt::Display for Critical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Critical::Reversed { first, second, .. } => {
                write!(f, "Fails if {first} comes before {second}. Works in the other order.")
            }
            Critical::Fault { fault, .. } => write!(f, "Fails with {fault}. Works without it."),
        }
    }
}

impl Critical {
    /// The first fault of an order. What is left of them in a reduced one is needed.
    pub fn fault_of(order: &[Event]) -> Option<Critical> {
        let position = order.iter().position(Event::begins_fault)?;
        Some(Critical::Fault { fault: order[position].clone(), position })
    }
}

/// Findings with the same concurrent actions, whichever client performs which, the same critical order or fault, the same check and the
/// same kind of difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootCause {
    pub id: usize,
    pub concurrent: Vec<String>,
    pub check: CheckId,
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
            let key = finding.likeness();
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

/// What findings of one root cause have in common.
#[derive(PartialEq)]
struct Likeness {
    actions: Vec<String>,
    check: CheckId,
    kind: DifferenceKind,
    /// The events that make the difference, each with the action of its client.
    critical: Vec<(Option<String>, Event)>,
}

impl Finding {
    fn likeness(&self) -> Likeness {
        let mut actions = self.concurrent.clone();
        actions.sort();
        let critical = match &self.critical {
            Some(Critical::Reversed { first, second, .. }) => vec![self.anonymous(first), self.anonymous(second)],
            Some(Critical::Fault { fault, .. }) => vec![self.anonymous(fault)],
            None => Vec::new(),
        };
        Likeness { actions, check: self.check.clone(), kind: self.difference.kind, critical }
    }

    /// An event with the action of its client in place of the client.
    fn anonymous(&self, event: &Event) -> (Option<String>, Event) {
        let action = event.client().and_then(|client| self.concurrent.get(client.0).cloned());
        let event = if action.is_some() { event.clone().of(ClientId(0)) } else { event.clone() };
        (action, event)
    }
}
