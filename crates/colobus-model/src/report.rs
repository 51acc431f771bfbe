//! [`Report`]: the result of a whole run, as `report.json` has it and the report page reads it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Case, Exercised, Finding, RootCause, SearchKind, Tally, Tolerance};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub version: u32,
    /// Which search this is the report of.
    #[serde(default)]
    pub search: SearchKind,
    /// The configuration's title or the application's URL.
    pub application: String,
    /// What `--config` has to name for a finding to be run again, or `--at` if it is a recorded session.
    #[serde(default)]
    pub configuration: String,
    /// The recorded session in which mistakes were made, if that is what was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<String>,
    /// How far the orders of one page's events were searched, if that is what was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<String>,
    /// The recording of several users around which orders were searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<String>,
    /// What exploring a page has come to know of it, if that is what was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration: Option<Exploration>,
    /// The answer for every line, if lines were searched for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<LinesReport>,
    pub browser: String,
    pub seed: u64,
    pub depth: usize,
    pub clients: usize,
    /// `(i, n)` if this was part i of n of a search.
    pub shard: Option<(usize, usize)>,
    /// Why the search ended before everything had run; `None` if it is complete.
    pub stopped: Option<String>,
    pub actions: Vec<String>,
    pub counts: Counts,
    pub timing: Timing,
    pub findings: Vec<Finding>,
    pub root_causes: Vec<RootCause>,
    /// Causes that were accepted and did not come back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<AcceptedCause>,
    /// Where clients differ even when users take turns: no race, and no finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub personal: Vec<PersonalPlace>,
    /// Cases of which nothing can be said.
    pub unknown: Vec<UnknownCase>,
    /// Actions that did not apply somewhere.
    #[serde(default)]
    pub not_applicable: Vec<ActionGap>,
    /// Actions that were performed in no case at all.
    #[serde(default)]
    pub never_applied: Vec<String>,
    /// What was really done to the application, if users acted at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exercised: Option<Exercised>,
    /// What actions never did, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unexercised: Vec<String>,
    /// Why the search had nothing to do, if it had not: a page that offers no event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nothing_to_do: Option<String>,
    /// How a page differed from what was recorded of it before anything was changed: then nothing that follows can be relied on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_as_recorded: Vec<String>,
    /// Scripts of the configuration that threw outside of actions, with what they said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub script_errors: Vec<String>,
    /// What the user accepts before a search is in doubt.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// Why the search cannot be trusted to have found everything, a sentence each.
    #[serde(default)]
    pub doubts: Vec<String>,
    /// Things the user should know: hosts that were refused, browsers that had to be restarted, …
    pub notes: Vec<String>,
}

/// What the search for lines knows of the page, and its answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinesReport {
    /// States of the user interface that crawling found, and events in them.
    pub states: usize,
    pub events: usize,
    /// Paths through handlers.
    pub summaries: usize,
    pub answers: Vec<AnsweredLine>,
}

/// How the search for one line ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnsweredLine {
    pub line: String,
    pub reached: bool,
    /// Older reports do not say it of lines that were not reached.
    #[serde(default)]
    pub outcome: LineOutcome,
    /// Whether it is what the user expects: a line is reached unless it is called unsatisfiable.
    pub as_expected: bool,
    /// One sentence.
    pub verdict: String,
    pub seconds: f64,
    /// What the user does to reach it.
    pub events: Vec<String>,
    /// Why it was not reached, what says most first.
    pub reasons: Vec<String>,
}

/// How the search for a line ended, in the order in which reports tell it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineOutcome {
    Reached,
    /// No sequence of the model leads there.
    Unreachable,
    /// It depends on something that no event sets.
    External,
    /// A limit ended the search.
    Limit,
    /// Not all sequences could be decided.
    #[default]
    Undecided,
}

impl LineOutcome {
    pub const ALL: [LineOutcome; 5] = [
        LineOutcome::Reached,
        LineOutcome::Unreachable,
        LineOutcome::External,
        LineOutcome::Limit,
        LineOutcome::Undecided,
    ];

    /// What stands above the lines that ended so.
    pub fn heading(self) -> &'static str {
        match self {
            LineOutcome::Reached => "reached",
            LineOutcome::Unreachable => "no sequence of the model leads there",
            LineOutcome::External => "depends on answers, chance, time or other things that no event sets",
            LineOutcome::Limit => "a limit ended the search",
            LineOutcome::Undecided => "not all sequences could be decided",
        }
    }
}

impl fmt::Display for LineOutcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            LineOutcome::Reached => "reached",
            LineOutcome::Unreachable => "unreachable",
            LineOutcome::External => "external",
            LineOutcome::Limit => "limit",
            LineOutcome::Undecided => "undecided",
        })
    }
}

/// How much of a page was explored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exploration {
    /// Sets of events that were possible at the same time.
    pub states: usize,
    pub transitions: usize,
    /// Different events that were performed, and how often an event was.
    pub events: usize,
    #[serde(default)]
    pub performed: usize,
    /// Lines of scripts that ran, and those that there are.
    pub lines_covered: usize,
    pub lines: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Sequences of actions that phase 1 had to run.
    pub sequences: Tally,
    /// States in which actions were tried: all shorter sequences.
    pub source_states: usize,
    pub equivalence_classes: usize,
    /// Conflicts, equivalent states counted once: what phase 2 had to run.
    pub potential_conflicts: usize,
    /// What a search without phase 1 would have to run.
    pub naive: usize,
    /// Interactions, or sessions with a mistake, that phase 2 had to run.
    pub interactions: Tally,
    /// Executions of phase 2: an interaction is run in one or more orders.
    pub executions: usize,
    /// Interactions that failed, before reduction.
    pub failures: usize,
    pub findings: usize,
    pub root_causes: usize,
    /// Browsers or tabs that died and were replaced.
    pub restarts: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    pub phase1_s: f64,
    /// Whether phase 1 came from an earlier run on disk.
    pub phase1_reused: bool,
    pub phase2_s: f64,
    pub reduce_s: f64,
    pub interaction_ms_median: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownCase {
    pub case: Case,
    pub reason: String,
}

/// A cause that users know and live with for now.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedCause {
    pub name: String,
    /// For instance the number of an issue.
    #[serde(default)]
    pub why: String,
}

/// A place on the page that each user sees differently, by design as it seems.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PersonalPlace {
    /// A selector, or an area of the page.
    pub place: String,
    /// What `ignore` of the configuration has to list for it to be left out; `None` if what users write stands there.
    #[serde(default)]
    pub ignore: Option<String>,
    /// How many cases differ there.
    pub cases: usize,
}

impl PersonalPlace {
    /// Further cases in the same place. What one of them shows there is not to be hidden because of another.
    pub fn add(&mut self, found: &PersonalPlace) {
        self.cases += found.cases;
        self.ignore = self.ignore.take().filter(|_| found.ignore.is_some());
    }
}

/// An action that did not apply in some cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionGap {
    pub action: String,
    /// How many sequences of phase 1 ended at it.
    pub sequences: usize,
    /// How many interactions, or sessions, ended at it.
    pub interactions: usize,
    /// The first reason that was given.
    pub reason: String,
    /// Whether a script of the configuration threw.
    pub threw: bool,
}
