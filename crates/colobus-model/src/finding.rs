//! [`Finding`]: a failure, reduced, with how often it came back. [`RootCause`]: findings that look like one bug.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BrowserPlace, Case, CheckId, Difference, DifferenceKind, Event, FailedCheck, Repetition, Schedule};

/// A reduced failure, as reports show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Counts from one; also the folder of its evidence below the run's folder.
    pub id: usize,
    pub searched: Searched,
    /// The check that failed; of several the one whose difference costs users most.
    pub check: CheckId,
    pub difference: Difference,
    /// The other checks that failed, the worst first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FailedCheck>,
    /// Whether it was run again, and reduced if it is the first of its cause; a run that was stopped before reports it as it
    /// was seen.
    #[serde(default = "yes")]
    pub reduced: bool,
    /// How many of `attempts` further executions failed in the same way.
    pub reproduced: usize,
    pub attempts: usize,
    /// The browser in which it was seen first, if that runs on a node of a Grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_in: Option<BrowserPlace>,
    /// How often it came back on each node of a Grid; the node on which it was reduced comes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated_in: Vec<Repetition>,
    /// The name of its cause: the same in every run.
    #[serde(default)]
    pub cause: String,
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

impl Finding {
    /// The file with its traffic, in the folder of its evidence.
    pub const TRAFFIC_FILE: &str = "traffic.har";
}

/// What was searched when a finding was made, reduced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Searched {
    Interaction(FailingInteraction),
    Session(FailingSession),
    Sequence(FailingSequence),
    Order(Box<FailingOrder>),
    Line(ReachedLine),
}

/// A line of a front end, and the events that make it run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedLine {
    /// `app.js:120`
    pub line: String,
    /// What the user does; nothing if the line runs when the page opens.
    pub events: Vec<String>,
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

/// The shortest sequence of events after which a page fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailingSequence {
    /// What the user does, by the names of the events; nothing if the page fails when it is opened.
    pub actions: Vec<String>,
    /// What the page was answered in the server's place: answers that were never observed first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<MadeUpAnswer>,
}

/// An answer in a server's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeUpAnswer {
    /// The request and the answer, as a line.
    pub text: String,
    /// Whether its values were observed, each for itself: the server may still never combine them in this way.
    pub of_observed_values: bool,
}

impl MadeUpAnswer {
    /// Why a reader has to know of it.
    pub fn role(&self) -> &'static str {
        match self.of_observed_values {
            true => "answered in the server's place, with observed values",
            false => "needs an answer that was not observed",
        }
    }
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

/// Findings that look like one bug: they fail under the same condition, and what differs then differs in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootCause {
    /// Counts from one; its place in this report and nothing more.
    pub id: usize,
    /// What identifies it, in words that are the same in every run.
    #[serde(default)]
    pub name: String,
    /// Its shortest finding, as an example.
    pub case: Case,
    pub check: CheckId,
    pub kind: DifferenceKind,
    /// Why users live with it for now, if they do: then a search does not fail because of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// How many failing cases it explains.
    #[serde(default)]
    pub failures: usize,
    /// Ids of its findings, the shortest first.
    pub findings: Vec<usize>,
}

impl RootCause {
    /// Groups findings, numbers the groups from one in the order in which their first findings come, and writes the
    /// number into each.
    pub fn group(findings: &mut [Finding]) -> Vec<RootCause> {
        let mut causes: Vec<RootCause> = Vec::new();
        for finding in findings.iter_mut() {
            let place = causes.iter().position(|cause| cause.name == finding.cause).unwrap_or_else(|| {
                causes.push(RootCause {
                    id: causes.len() + 1,
                    name: finding.cause.clone(),
                    case: finding.case(),
                    check: finding.check.clone(),
                    kind: finding.difference.kind,
                    accepted: None,
                    failures: 0,
                    findings: Vec::new(),
                });
                causes.len() - 1
            });
            finding.root_cause = causes[place].id;
            causes[place].findings.push(finding.id);
            causes[place].failures += finding.failures;
        }
        for cause in &mut causes {
            let found = |id: &usize| findings.iter().find(|finding| finding.id == *id);
            cause.findings.sort_by_key(|id| (found(id).map(|finding| finding.case().prefix_length()), *id));
            if let Some(shortest) = cause.findings.first().and_then(found) {
                (cause.case, cause.check) = (shortest.case(), shortest.check.clone());
                cause.kind = shortest.difference.kind;
            }
        }
        causes
    }
}

impl Finding {
    pub fn case(&self) -> Case {
        match &self.searched {
            Searched::Interaction(found) => {
                Case::Interaction { prefix: found.prefix.clone(), concurrent: found.concurrent.clone() }
            }
            Searched::Session(found) => Case::Session { mistake: found.mistake.clone() },
            Searched::Sequence(found) => Case::Sequence { actions: found.actions.clone() },
            Searched::Order(found) => Case::Order {
                // The failing order has the second before the first.
                first: found.second.clone(),
                second: found.first.clone(),
                reversals: 1,
            },
            Searched::Line(found) => Case::Line { line: found.line.clone() },
        }
    }

    /// The interaction, if that is what was searched.
    pub fn interaction(&self) -> Option<&FailingInteraction> {
        match &self.searched {
            Searched::Interaction(found) => Some(found),
            Searched::Session(_) | Searched::Sequence(_) | Searched::Order(_) | Searched::Line(_) => None,
        }
    }

    /// Whether it came back at least once. With `--repeat 0` a finding counts as confirmed.
    pub fn is_confirmed(&self) -> bool {
        self.reduced && (self.reproduced > 0 || self.attempts == 0)
    }
}
