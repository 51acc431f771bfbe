//! `colobus list`: what a search would run, counted exactly, and an estimate of the time.

mod estimate;

use std::path::Path;
use std::process::ExitCode;

use colobus_model::{Action, Application, Settle, Step};
use colobus_pairs::SearchSize;
use colobus_report::{counted, grouped};
use serde::Serialize;

use crate::args::{ListArgs, RESULTS};
use crate::config::Configuration;
use crate::output::print;
use crate::run_config::Scope;
use estimate::{Estimate, Measured};

/// What is going to be run, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Listing<'a> {
    application: &'a str,
    url: &'a str,
    actions: &'a [Action],
    /// What should lead back to where it begins.
    returning: &'a [Action],
    depth: usize,
    clients: usize,
    same: bool,
    /// Whether phase 1 leaves out what follows states that are like one before.
    prune: bool,
    workers: usize,
    #[serde(flatten)]
    size: SearchSize,
    estimate: Estimate,
    /// How it is known that nothing is coming any more.
    settling: String,
}

pub fn run(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let mut configuration = Configuration::load(&args.config.config)?;
    configuration.keep_actions(args.search.set.as_deref(), &args.search.actions)?;
    let scope = Scope::new(&configuration.search, &args.search, &configuration.application);
    let (returning, actions): (Vec<Action>, Vec<Action>) = configuration.actions.into_iter().partition(Action::returns);
    let alone = returning.iter().filter(|action| action.neutral).count();
    let size = SearchSize::of(&scope.extent(actions.len(), returning.len(), alone));
    let measured = Measured::last(Path::new(RESULTS), &configuration.source);
    let listing = Listing {
        application: &configuration.title,
        url: &configuration.application.url,
        actions: &actions,
        returning: &returning,
        depth: scope.depth,
        clients: scope.clients,
        same: scope.same,
        prune: scope.prune,
        workers: scope.workers,
        estimate: Estimate::of(&size, &scope, &configuration.application, measured),
        size,
        settling: settling(&configuration.application),
    };
    let text = if args.json { serde_json::to_string_pretty(&listing)? } else { listing.for_people() };
    print(&format!("{text}\n"))?;
    Ok(ExitCode::SUCCESS)
}

impl Listing<'_> {
    fn for_people(&self) -> String {
        let mut lines = vec![self.application.to_string()];
        if self.application != self.url {
            lines.push(self.url.to_string());
        }
        lines.push(format!("\n{} actions", self.actions.len()));
        lines.extend(table(self.actions));
        if !self.returning.is_empty() {
            lines.push("\ntried alone and beside each of them, and should lead back to where it begins".to_string());
            lines.extend(table(self.returning));
        }
        let tuple = match (self.clients, self.same) {
            (2, false) => "pairs of different actions".to_string(),
            (2, true) => "pairs of actions".to_string(),
            (clients, false) => format!("sets of {clients} different actions"),
            (clients, true) => format!("sets of {clients} actions"),
        };
        lines.push(format!("\ndepth {}, {} clients, {}", self.depth, self.clients, counted(self.workers, "worker")));
        let rows = [
            (self.size.sequences, self.sequences().to_string()),
            (self.size.source_states, "source states".to_string()),
            (self.size.pairs, format!("{tuple} per state")),
            (self.size.returning, "interactions with actions that lead back, in all states".to_string()),
            (self.size.interactions, self.interactions()),
        ];
        let rows: Vec<_> = rows.into_iter().filter(|(number, _)| *number > 0).collect();
        let numbers: Vec<String> = rows.iter().map(|(number, _)| grouped(*number)).collect();
        let width = numbers.iter().map(String::len).max().unwrap_or(0);
        for (number, (_, meaning)) in numbers.iter().zip(&rows) {
            lines.push(format!("  {number:>width$}  {meaning}"));
        }
        lines.push(format!("\n{}", self.settling));
        lines.push(format!("\n{}", self.estimate));
        lines.join("\n")
    }
}

impl Listing<'_> {
    fn sequences(&self) -> &'static str {
        match self.prune {
            true => {
                "sequences of actions, run with one client (phase 1) unless they go on from a state that is like one before"
            }
            false => "sequences of actions, run with one client (phase 1)",
        }
    }

    fn interactions(&self) -> String {
        if self.size.sequences > 0 {
            "interactions, if all of them can conflict; phase 1 shows which".to_string()
        } else {
            "interactions, all of them run".to_string()
        }
    }
}

/// How settling goes, as far as the configuration says; what is learned is in the notes of a report.
fn settling(application: &Application) -> String {
    let Settle { quiet_ms, fixed_ms, network_idle_ms, limit_ms, background, .. } = &application.settle;
    let mut text = match (fixed_ms, network_idle_ms, quiet_ms) {
        (_, Some(idle), _) => format!("settled: when no request was open for {idle} ms (network_idle_ms)"),
        (Some(fixed), ..) => format!("settled: {fixed} ms after every action (fixed_ms)"),
        (.., Some(0)) => {
            "settled: as soon as nothing moves; the server answers everything at once (quiet_ms = 0)".to_string()
        }
        (.., Some(quiet)) => format!("settled: when nothing has moved for {quiet} ms (quiet_ms)"),
        (.., None) if application.launch.is_some() => {
            "settled: when the application that is started has nothing left to do".to_string()
        }
        (.., None) => {
            "settled: when nothing has come for longer than the server ever took, which the first executions learn"
                .to_string()
        }
    };
    if fixed_ms.is_none() {
        text.push_str(&format!("; within {limit_ms} ms"));
    }
    if !background.is_empty() {
        text.push_str(&format!("; not waited for: {}", background.join(", ")));
    }
    text
}

/// Names and steps, in columns.
fn table(actions: &[Action]) -> impl Iterator<Item = String> {
    let width = actions.iter().map(|action| action.name.chars().count()).max().unwrap_or(0);
    actions.iter().map(move |action| {
        let steps: Vec<String> = action.steps.iter().map(Step::to_string).collect();
        let padding = " ".repeat(width - action.name.chars().count());
        format!("  {}{padding}  {}", action.name, steps.join(", "))
    })
}
