//! `colobus explore`: explores a front end by feedback, and reports what it gets wrong; the replay of its findings.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use colobus_driver::subject::Subject;
use colobus_driver::{BrowserChoice, BrowserExplorer, ExplorerOptions, Interrupt, ServerStandIn};
use colobus_explore::{EVIDENCE_FILE, Evidence, ExploreConfig, Explored, explore, judge, priority, report};
use colobus_model::Reset;
use colobus_record::{Origin, Viewport};
use colobus_run::RunOptions;
use colobus_world::{ExplorablePage, WorldError};

use super::check::EventOutput;
use crate::args::ExploreArgs;
use crate::config::Configuration;
use crate::learned_server::{LearnedServer, LearnedServers, read_description};
use crate::output::{print, tell};
use crate::recorded::seeds;
use crate::session::{raised_by, started};
use crate::{FOUND_SOMETHING, place, stop, verdict};

const VIEWPORT: Viewport = Viewport { width: 1280, height: 800 };

pub fn run(args: &ExploreArgs) -> anyhow::Result<ExitCode> {
    let stop = stop::on_interrupt_within(args.results.timeout)?;
    args.url.parse::<Origin>()?;
    let Some(priority) = priority(&args.priority) else { bail!("there is no priority `{}`", args.priority) };
    let servers = args.server.as_deref().map(|path| learned(path, args.seed)).transpose()?;
    let configuration = args.config.as_deref().map(Configuration::load).transpose()?;
    // As it is written, with the port open: the same search on another port is the same.
    let written_reset = configuration.as_ref().map(|configuration| configuration.application.reset.clone());
    let browsers = args.remote.choose(&args.browser, &stop)?;
    let application = configuration.map(|configuration| Subject::place(&configuration.application)).transpose()?;
    let interrupt = raised_by(&stop);
    let subject = started(application.as_ref(), &stop, &interrupt)?;
    let reset = application.as_ref().map(|application| application.reset.clone());
    let config = ExploreConfig {
        url: args.url.clone(),
        viewport: VIEWPORT,
        priority,
        seed: args.seed,
        budget: args.budget,
        walk: args.walk,
        workers: args.workers,
        server: servers.as_ref().map(LearnedServers::digest).transpose()?,
        reset: written_reset,
        constants: &|constants| servers.iter().for_each(|servers| servers.prefer(constants.clone())),
        seeds: seeds::read(&args.seeds)?,
        options: RunOptions { max_findings: args.max_findings, ..args.results.options(args.repeat, &stop) },
    };
    let open = || {
        let server = servers.as_ref().map(LearnedServers::open).transpose();
        let server = server.map_err(|error| WorldError::CannotRun(format!("{error:#}")))?;
        open_page(&args.url, VIEWPORT, &browsers, reset.clone(), server, &interrupt)
    };
    let mut output = EventOutput::new(&args.results.reporter);
    let explored = explore(&config, &open, &mut |event| output.event_of_one_page(event, &args.remote));
    let exited = || subject.as_ref().and_then(|subject| subject.ensure_running().err()).map(anyhow::Error::from);
    let why = || verdict::ended_early(&stop, "the page was opened").or_else(exited);
    let explored = explored.map_err(|error| why().unwrap_or_else(|| error.into()))?;
    output.folder()?;
    write(&explored, args)?;
    verdict::not_interrupted(&explored.report, &stop, "explore")?;
    verdict::exit_code(&explored.report)
}

fn learned(path: &Path, seed: u64) -> anyhow::Result<LearnedServers> {
    let (description, schemas) = read_description(path)?;
    Ok(LearnedServers::new(description, schemas, seed))
}

fn open_page(
    url: &str,
    viewport: Viewport,
    browsers: &BrowserChoice,
    reset: Option<Reset>,
    server: Option<Arc<LearnedServer>>,
    interrupt: &Interrupt,
) -> Result<Box<dyn ExplorablePage>, WorldError> {
    let page = BrowserExplorer::open(ExplorerOptions {
        browsers: browsers.clone(),
        url: url.to_string(),
        viewport,
        reset,
        server: server.map(|server| server as Arc<dyn ServerStandIn>),
        interrupt: interrupt.clone(),
    })?;
    Ok(Box::new(page))
}

/// What is known of the page, beside the report.
fn write(explored: &Explored, args: &ExploreArgs) -> anyhow::Result<()> {
    let mut files = report::ui_model(&explored.knowledge, &explored.scripts, &args.url);
    if args.coverage {
        files.extend(report::coverage(&explored.knowledge, &explored.scripts));
    }
    for (name, content) in files {
        let path = explored.folder.join(name);
        let folder = path.parent().unwrap_or(&explored.folder);
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let folder = explored.folder.display();
    tell(&format!("states of the page: {folder}/ui-model.svg"));
    if args.coverage {
        tell(&format!("what ran: {folder}/coverage/index.html and lcov.info"));
    }
    Ok(())
}

/// The evidence in the folder of a finding, if exploring found it.
pub fn evidence(folder: &Path) -> anyhow::Result<Option<Evidence>> {
    match folder.join(EVIDENCE_FILE).is_file() {
        true => Ok(Some(Evidence::load(folder)?)),
        false => Ok(None),
    }
}

/// Runs a finding again at the origins that the user named, with the answers that it got.
pub fn replay(
    mut evidence: Evidence,
    named: &[Origin],
    times: usize,
    browsers: &BrowserChoice,
) -> anyhow::Result<ExitCode> {
    let performed = place::performed(&evidence.recording(), Path::new(EVIDENCE_FILE), named)?;
    evidence.url = performed.address().unwrap_or_default().to_string();
    let server = if evidence.answers.fixed.is_empty() { None } else { Some(LearnedServer::repeating()?) };
    let stop = stop::on_interrupt()?;
    let mut page = open_page(&evidence.url, evidence.viewport, browsers, None, server, &raised_by(&stop))?;
    print(&format!("{}\n", evidence.names().join("\n")))?;
    for answer in &evidence.made_up {
        print(&format!("{}: {}\n", answer.role(), answer.text))?;
    }
    print(&format!("recorded: {}\n", evidence.summary))?;
    let (mut reproduced, mut impossible) = (0, 0);
    for run in 1..=times {
        let visit = match page.run(&evidence.run()) {
            Err(WorldError::Stopped) => bail!("interrupted after {} of {times} executions", run - 1),
            visit => visit?,
        };
        let found = judge(&visit);
        let again = found.iter().find(|failure| evidence.shows(failure));
        reproduced += usize::from(again.is_some());
        impossible += usize::from(again.is_none() && visit.stopped.is_some());
        let said = match (again, &visit.stopped) {
            (Some(failure), _) => failure.to_string(),
            (None, Some(why)) => format!("cannot be performed: {why}"),
            (None, None) if found.is_empty() => "nothing is wrong".to_string(),
            (None, None) => {
                format!("something else: {}", found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
            }
        };
        print(&format!("run {run}: {said}\n"))?;
    }
    print(&match (reproduced, times) {
        (0, _) => "not reproduced\n".to_string(),
        (1, 1) => "reproduced\n".to_string(),
        _ => format!("reproduced {reproduced} of {times} times\n"),
    })?;
    exit_code(reproduced, impossible, times)
}

/// 1 if it failed again; otherwise 0 only if everything could be performed.
fn exit_code(reproduced: usize, impossible: usize, times: usize) -> anyhow::Result<ExitCode> {
    match (reproduced, impossible) {
        (0, 0) => Ok(ExitCode::SUCCESS),
        (0, _) => {
            bail!("nothing can be said of the finding: {impossible} of {times} executions could not be performed")
        }
        _ => Ok(ExitCode::from(FOUND_SOMETHING)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_that_cannot_be_performed_says_nothing() {
        assert_eq!(exit_code(0, 0, 2).unwrap(), ExitCode::SUCCESS);
        assert_eq!(exit_code(1, 1, 2).unwrap(), ExitCode::from(FOUND_SOMETHING));
        assert!(exit_code(0, 1, 2).unwrap_err().to_string().contains("1 of 2 executions could not be performed"));
    }
}
