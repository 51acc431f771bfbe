//! `colobus reach`: crawls a page, summarises its handlers, and searches from lines back to the start.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use colobus_driver::{BrowserExplorer, ExplorerOptions, ReachBrowser, ReachOptions};
use colobus_model::{Tally, Tolerance};
use colobus_reach_run::{ReachConfig, Reached, Searcher, explanation, reach};
use colobus_record::{Origin, Viewport};
use colobus_run::{RunError, StopSignal};
use colobus_solver::{Cache, Portfolio};
use colobus_world::WorldError;

use super::check::EventOutput;
use crate::FOUND_SOMETHING;
use crate::args::{ReachArgs, Without};
use crate::output::tell;
use crate::reach::target_file::TargetFile;
use crate::reach::{KnownEvents, PlainBrowser, Preparing, performed, recorder, results};
use crate::session::raised_by;
use crate::{stop, verdict};

const VIEWPORT: Viewport = Viewport { width: 1280, height: 800 };
/// How long each solver may take for one question.
const SOLVER_LIMIT: Duration = Duration::from_secs(1);

pub fn run(args: &ReachArgs) -> anyhow::Result<ExitCode> {
    let stop = stop::on_interrupt_within(args.results.timeout)?;
    args.url.parse::<Origin>()?;
    // Before anything that takes time.
    let file = args.targets.as_deref().map(TargetFile::read).transpose()?;
    let model = args.model.as_deref().map(read_model).transpose()?;
    let solver = Box::new(Cache::new(Portfolio::find(SOLVER_LIMIT)?));
    let config = config(args, model.clone(), &stop)?;
    let (url, browsers) = (args.url.clone(), args.remote.choose(&args.browser, &stop)?);
    let interrupt = raised_by(&stop);
    let options =
        ReachOptions { url: url.clone(), viewport: VIEWPORT, browsers: browsers.clone(), interrupt: interrupt.clone() };
    let explorer = ExplorerOptions { browsers, url, viewport: VIEWPORT, reset: None, server: None, interrupt };
    let events = KnownEvents::default();
    let mut instrumented = ReachBrowser::open(options).map_err(|error| unless_stopped(error.into(), &stop))?;
    instrumented.record_answers_by(recorder(explorer.clone()));
    let mut preparing = Preparing {
        args,
        file: file.as_ref(),
        model,
        stop: &stop,
        instrumented,
        solver,
        explorer: explorer.clone(),
        events: events.clone(),
    };
    let open = || {
        let explorer = BrowserExplorer::open(explorer.clone())?;
        let solver = Portfolio::find(SOLVER_LIMIT).map_err(|error| WorldError::CannotRun(error.to_string()))?;
        let page = Box::new(PlainBrowser { explorer, events: events.clone() });
        Ok(Box::new(Searcher { page, solver: Box::new(Cache::new(solver)) }))
    };
    let mut output = EventOutput::new(&args.results.reporter);
    let perform = |steps: &[_]| performed(&events, steps);
    let reached =
        reach(&config, &mut preparing, &perform, &open, &mut |event| output.event_of_one_page(event, &args.remote));
    let reached = reached.map_err(|error| unless_stopped(error, &stop))?;
    output.folder()?;
    write(args, &reached)?;
    let libraries = preparing.instrumented.libraries();
    if args.uncovered && !libraries.is_empty() {
        let names: Vec<&str> = libraries.iter().map(|file| &**file).collect();
        tell(&format!("libraries are left out: {}", names.join(", ")));
    }
    exit_code(&reached, &stop)
}

/// The error, unless it says no more than that the run had to end.
fn unless_stopped(error: anyhow::Error, stop: &StopSignal) -> anyhow::Error {
    let is_stopped = matches!(error.downcast_ref::<WorldError>(), Some(WorldError::Stopped))
        || matches!(error.downcast_ref::<RunError>(), Some(RunError::World(WorldError::Stopped)));
    let early = if is_stopped { verdict::ended_early(stop, "the page was known") } else { None };
    early.unwrap_or(error)
}

fn read_model(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| {
        format!("cannot read {}: a model is the `ui-model.txt` of a run; see docs/reach.md", path.display())
    })
}

fn config(args: &ReachArgs, model: Option<String>, stop: &StopSignal) -> anyhow::Result<ReachConfig> {
    let mut wanted: Vec<String> = args.lines.iter().map(ToString::to_string).collect();
    if let Some(path) = &args.targets {
        // Another content is another search.
        wanted.push(fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?);
    }
    if args.uncovered {
        wanted.push(format!("what exploring and a monkey leave after {} sequences each", args.budget));
    }
    Ok(ReachConfig {
        url: args.url.clone(),
        viewport: VIEWPORT,
        wanted,
        model,
        iterations: args.iterations,
        crawl_runs: args.crawl_runs,
        crawl_time: args.crawl_time,
        line_time: args.line_time,
        with_priorities: args.without != Some(Without::Priorities),
        with_summaries: args.without != Some(Without::Summaries),
        with_forward: !matches!(args.without, Some(Without::Summaries | Without::Forward)),
        explain: args.explain,
        workers: args.workers,
        options: args.results.options(args.repeat, stop),
    })
}

/// What is known of the page, and what was asked for, beside the report.
fn write(args: &ReachArgs, reached: &Reached) -> anyhow::Result<()> {
    if args.explain {
        tell(explanation(&reached.crawled).trim_end());
        reached.answers.iter().for_each(|answer| tell(answer.explanation.trim_end()));
    }
    let [picture, model] = results::model(reached)?;
    tell(&format!("states and events of the page: {}, {}", picture.display(), model.display()));
    match &args.json {
        Some(path) => results::write(path, reached),
        None => Ok(()),
    }
}

/// Lines without an answer that are not accepted: those of which it is unknown if they are too many, those that were not
/// searched for unless a part is enough.
fn without_answer(counts: &Tally, tolerance: Tolerance) -> usize {
    let accepted = tolerance.unknown * counts.planned as f64;
    let unknown = if counts.unknown as f64 <= accepted { 0 } else { counts.unknown };
    unknown + if tolerance.partial { 0 } else { counts.not_run }
}

/// 0 if every line has the answer that is expected, 1 if one has not, 2 if some have none or there was no line.
fn exit_code(reached: &Reached, stop: &StopSignal) -> anyhow::Result<ExitCode> {
    if stop.is_interrupted() {
        bail!("interrupted: the report covers what had run until then\n  `colobus reach --resume` continues");
    }
    if reached.report.counts.interactions.planned == 0 {
        bail!("no line was searched for: exploring left no branch of the code that can be followed");
    }
    if reached.answers.iter().any(|answer| !answer.as_expected) {
        return Ok(ExitCode::from(FOUND_SOMETHING));
    }
    let report = &reached.report;
    let counts = &report.counts.interactions;
    let without = without_answer(counts, report.tolerance);
    if without > 0 {
        let doubts: Vec<String> = report.doubts.iter().map(|doubt| format!("\n  {doubt}")).collect();
        bail!("{without} of {} lines have no answer:{}\n  `--resume` continues", counts.planned, doubts.concat());
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_accepts_is_no_missing_answer() {
        let counts = Tally { planned: 10, judged: 8, unknown: 1, not_run: 1, ..Tally::default() };
        let without = |unknown, partial| without_answer(&counts, Tolerance { unknown, partial });
        assert_eq!([without(0.05, false), without(0.1, false), without(0.05, true), without(0.1, true)], [2, 1, 1, 0]);
    }
}
