//! [`Finding`]: a failure, reduced, with how often it came back. [`RootCause`]: findings that look like one bug.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Case, CheckId, ClientId, Difference, DifferenceKind, Event, Schedule};

/// A reduced failure, as reports show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Counts from one; also the folder of its evidence below the run's folder.
    pub id: usize,
    pub searched: Searched,
    /// The check that failed.
    pub check: CheckId,
    pub difference: Difference,
    /// Whether it was reduced and run again; a run that was stopped before reports it as it was seen.
    #[serde(default = "yes")]
    pub reduced: bool,
    /// How many of `attempts` further executions failed in the same way.
    pub reproduced: usize,
    pub attempts: usize,
    /// The id of its root cause.
    pub root_cause: usize,
    /// Path of the file that runs it again, relative to the run's folder.
    pub trace: String,
    /// Path of its HAR file, relative to the run's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<String>,
    /// How many failing cases of the search were reduced to this one.
    pub failures: usize,
}

fn yes() -> bool {
    true
}

/// What was searched when a finding was made, reduced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Searched {
    Interaction(FailingInteraction),
    Session(FailingSession),
    Order(Box<FailingOrder>),
}

/// Two orders of the events of one page: one works, the other fails, and they differ in one pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingOrder {
    /// The event that comes first where it works.
    pub first: String,
    /// The event that comes first where it fails.
    pub second: String,
    /// What both touch.
    pub place: String,
    /// Where in the sources each of them touches it.
    pub first_at: String,
    pub second_at: String,
    /// The events in both orders, by their names.
    pub working: Vec<String>,
    pub failing: Vec<String>,
    /// What the user does, by the names of the events.
    pub steps: Vec<String>,
    /// Lines of the document that only the working order leads to, and only the failing one.
    pub gone: Vec<String>,
    pub new: Vec<String>,
    /// Exceptions that are not thrown any more, and new ones.
    pub exceptions: (Vec<String>, Vec<String>),
    /// Requests that are not sent any more, and new ones.
    pub requests: (Vec<String>, Vec<String>),
    /// How to make it happen by hand, or why that is not known.
    pub by_hand: String,
    /// Whether that was tried on the plain page and failed in the same way.
    pub confirmed: bool,
}

/// The shortest interaction that fails, and in which order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailingInteraction {
    /// Names of the actions of the shortest prefix that still fails.
    pub prefix: Vec<String>,
    /// Names of the concurrent actions, one per client.
    pub concurrent: Vec<String>,
    pub schedule: Schedule,
    /// Actions and schedule as one line, a [`crate::Reproduction`].
    pub line: String,
    /// An order of the same actions that was run and is right.
    pub passing: Option<Schedule>,
    /// What makes the difference between the schedule and `passing`.
    pub critical: Option<Critical>,
}

/// The shortest session in which a mistake makes the application fail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailingSession {
    pub mistake: String,
    /// What the user does, line by line.
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

/// Findings of the same case but for its prefix: the same concurrent actions, whichever client performs which, the same critical order or fault, the same check and the
/// same kind of difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootCause {
    pub id: usize,
    /// What its findings have in common, without a prefix.
    pub case: Case,
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
                    case: finding.case().without_prefix(),
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
            let length = |id: &usize| {
                findings.iter().find(|finding| finding.id == *id).map(|found| found.case().prefix_length())
            };
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
    pub fn case(&self) -> Case {
        match &self.searched {
            Searched::Interaction(found) => {
                Case::Interaction { prefix: found.prefix.clone(), concurrent: found.concurrent.clone() }
            }
            Searched::Session(found) => Case::Session { mistake: found.mistake.clone() },
            Searched::Order(found) => Case::Order {
                // The failing order has the second before the first.
                first: found.second.clone(),
                second: found.first.clone(),
                reversals: 1,
            },
        }
    }

    /// The interaction, if that is what was searched.
    pub fn interaction(&self) -> Option<&FailingInteraction> {
        match &self.searched {
            Searched::Interaction(found) => Some(found),
            Searched::Session(_) | Searched::Order(_) => None,
        }
    }

    /// Whether it came back at least once. What nobody wanted to see again (`--repeat 0`) is believed.
    pub fn is_confirmed(&self) -> bool {
        self.reduced && (self.reproduced > 0 || self.attempts == 0)
    }

    fn likeness(&self) -> Likeness {
        let (actions, critical) = match &self.searched {
            Searched::Interaction(found) => found.likeness(),
            Searched::Session(found) => (vec![found.mistake.clone()], Vec::new()),
            Searched::Order(found) => (vec![found.first_at.clone(), found.second_at.clone()], Vec::new()),
        };
        Likeness { actions, check: self.check.clone(), kind: self.difference.kind, critical }
    }
}

/// An event without its client, and the client's action.
type Anonymous = (Option<String>, Event);

impl FailingInteraction {
    /// The actions, whoever performs which, and the events that make the difference.
    fn likeness(&self) -> (Vec<String>, Vec<Anonymous>) {
        let mut actions = self.concurrent.clone();
        actions.sort();
        let critical = match &self.critical {
            Some(Critical::Reversed { first, second, .. }) => vec![self.anonymous(first), self.anonymous(second)],
            Some(Critical::Fault { fault, .. }) => vec![self.anonymous(fault)],
            None => Vec::new(),
        };
        (actions, critical)
    }

    /// An event with the action of its client in place of the client.
    fn anonymous(&self, event: &Event) -> Anonymous {
        let action = event.client().and_then(|client| self.concurrent.get(client.0).cloned());
        let event = if action.is_some() { event.clone().of(ClientId(0)) } else { event.clone() };
        (action, event)
    }
}
