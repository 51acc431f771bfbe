//! `colobus check`: searches an application, tells what happens, writes the report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use colobus_driver::{BrowserChoice, Patience, note_of_sandbox};
use colobus_model::{Report, RunEvent};
use colobus_report::{Renderer, ReportError, Reporter, renderers, write_files};
use colobus_run::{RunConfig, RunError, StopSignal};

use super::traffic;
use crate::accepted::{self, Accepted};
use crate::args::{CheckArgs, RemoteArgs, RunArgs};
use crate::config::{Configuration, FILE_NAME};
use crate::default_workers::note_of_memory;
use crate::discover::{discover, with_ignored};
use crate::output::tell;
use crate::recorded::around::around;
use crate::run_config::run_config;
use crate::session::{APPLICATION_READY, Session};
use crate::{stop, verdict};

/// A search that came to its end, and where its files are.
pub struct Checked {
    pub report: Report,
    pub folder: PathBuf,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let stop = stop::on_interrupt_within(args.run.results.timeout)?;
    let (browsers, patience) = (args.run.browsers(&stop)?, Arc::default());
    if let Some(url) = &args.url {
        discover_into(&args.config.config, url, &browsers, &stop, &patience)
            .map_err(|error| verdict::ended_early(&stop, "it was known what users can do there").unwrap_or(error))?;
    }
    let discovered = args.url.is_some();
    let mut configuration = Configuration::load(&args.config.config)?;
    if let Some(server) = &args.server {
        configuration.application.server = Some(server.clone());
    }
    let around = args.around.as_ref().map(|path| around(&mut configuration, path)).transpose()?;
    let config = run_config(configuration, &args.run, around, stop)?;
    let session = start(&config, &browsers, &patience)?;
    let report = search(&config, &session, &args.run)?.report;
    if discovered {
        ignore_personal(&args.config.config, &report)?;
    }
    verdict::exit_code(&report)
}

/// Writes the places that each user sees differently by design into the configuration that was discovered.
fn ignore_personal(path: &Path, report: &Report) -> anyhow::Result<()> {
    let path = file(path);
    let shown = path.display();
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {shown}"))?;
    if let Some((text, added)) = with_ignored(&text, &report.personal) {
        std::fs::write(&path, text).with_context(|| format!("cannot write {shown}"))?;
        tell(&format!("added to `ignore` in {shown}: {added}, which differ even when users take turns\n"));
    }
    Ok(())
}

fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(FILE_NAME) } else { path.to_path_buf() }
}

/// Finds out what can be done at `url` and writes it as a configuration, unless there is one.
fn discover_into(
    path: &Path,
    url: &str,
    browsers: &BrowserChoice,
    stop: &StopSignal,
    patience: &Arc<Patience>,
) -> anyhow::Result<()> {
    let path = file(path);
    let shown = path.display();
    if path.exists() {
        bail!(
            "{shown} is there already\n  `colobus check` searches it; remove it to look at {url} again, or `-c PATH` writes another one"
        );
    }
    let text = discover(url, browsers, stop, patience, &mut tell)?;
    std::fs::write(&path, text).with_context(|| format!("cannot write {shown}"))?;
    tell(&format!("wrote {shown}: edit it to your liking; `colobus check` uses it from now on\n"));
    Ok(())
}

/// Searches what `configuration` describes.
pub fn check(configuration: Configuration, args: &RunArgs, stop: StopSignal) -> anyhow::Result<Checked> {
    let config = run_config(configuration, args, None, stop)?;
    let session = start(&config, &args.browsers(&config.options.stop)?, &Arc::default())?;
    search(&config, &session, args)
}

/// The application and a first browser, unless the run has to end before they are there.
fn start(config: &RunConfig, browsers: &BrowserChoice, patience: &Arc<Patience>) -> anyhow::Result<Session> {
    let stop = &config.options.stop;
    let started = Session::continued(&config.application, browsers, stop, patience);
    started.map_err(|error| verdict::ended_early(stop, APPLICATION_READY).unwrap_or(error))
}

fn search(config: &RunConfig, session: &Session, args: &RunArgs) -> anyhow::Result<Checked> {
    let mut output = EventOutput::new(&args.results.reporter);
    let accepted = Accepted::load(&accepted::file(&config.source))?;
    let decides =
        args.search.workers.is_none() && args.remote.grid.grid.is_none() && config.application.has_documents();
    let few_workers = if decides { note_of_memory() } else { None };
    let result = colobus_run::check(config, &session.worlds(), &mut |mut event| {
        if let RunEvent::Finished { report, .. } | RunEvent::Interim { report, .. } = &mut event {
            accepted.mark(report);
            report.notes.extend(few_workers.clone());
        }
        if let RunEvent::Finished { report, output } = &mut event {
            traffic::record(report, output, session, (config.workers, &config.options.stop));
        }
        output.event(&event);
    });
    let mut report = result.map_err(|error| not_searched(error, session, &config.options.stop))?;
    accepted.mark(&mut report);
    let folder = output.folder()?;
    verdict::not_interrupted(&report, &config.options.stop, "check")?;
    Ok(Checked { report, folder })
}

/// Why there is no report. A stop is the reason of what browsers and the application failed at because of it.
fn not_searched(error: RunError, session: &Session, stop: &StopSignal) -> anyhow::Error {
    let stopped = matches!(error, RunError::World(_)).then(|| verdict::ended_early(stop, "its first page was open"));
    stopped.flatten().unwrap_or_else(|| session.explain(error))
}

/// Shows the events of a search, and writes its report whenever there is a new one.
pub struct EventOutput {
    renderers: Vec<Box<dyn Renderer + Send>>,
    folder: PathBuf,
    written: Result<(), ReportError>,
}

impl EventOutput {
    pub fn new(reporters: &[Reporter]) -> EventOutput {
        EventOutput { renderers: renderers(reporters), folder: PathBuf::new(), written: Ok(()) }
    }

    pub fn event(&mut self, event: &RunEvent) {
        if let RunEvent::Interim { report, output } | RunEvent::Finished { report, output } = event {
            self.written = write_files(report, output);
            self.folder.clone_from(output);
        }
        self.renderers.iter_mut().for_each(|renderer| renderer.event(event));
    }

    /// The same for a search of one page.
    pub fn event_of_one_page(&mut self, mut event: RunEvent, browsers: &RemoteArgs) {
        if let RunEvent::Interim { report, .. } | RunEvent::Finished { report, .. } = &mut event {
            report.notes.extend(note_of_sandbox().filter(|_| browsers.is_here()));
        }
        self.event(&event);
    }

    /// Where the report is, if it could be written.
    pub fn folder(self) -> anyhow::Result<PathBuf> {
        self.written?;
        Ok(self.folder)
    }
}
