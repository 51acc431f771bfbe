//! `colobus check`: searches an application, tells what happens, writes the report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use colobus_model::{Report, RunEvent};
use colobus_report::{renderers, write_files};
use colobus_run::{Around, RunConfig};

use super::traffic;
use crate::args::{BrowserArgs, CheckArgs, RunArgs};
use crate::config::{Configuration, FILE_NAME};
use crate::discover::discover;
use crate::output::tell;
use crate::recorded::around::around;
use crate::run_config::run_config;
use crate::session::Session;
use crate::{FOUND_SOMETHING, stop};

/// A search that came to its end, and where its files are.
pub struct Checked {
    pub report: Report,
    pub folder: PathBuf,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    if let Some(url) = &args.url {
        discover_into(&args.config.config, url, &args.run.browser)?;
    }
    let mut configuration = Configuration::load(&args.config.config)?;
    let around = args.around.as_ref().map(|path| around(&mut configuration, path)).transpose()?;
    exit_code(&check(configuration, &args.run, around)?)
}

/// Finds out what can be done at `url` and writes it as a configuration, unless there is one.
fn discover_into(path: &Path, url: &str, browser: &BrowserArgs) -> anyhow::Result<()> {
    let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_path_buf() };
    let shown = path.display();
    if path.exists() {
        bail!("{shown} is there already\n  `colobus check` searches it; `-c PATH` writes another one for {url}");
    }
    let text = discover(url, browser, &mut tell)?;
    std::fs::write(&path, text).with_context(|| format!("cannot write {shown}"))?;
    tell(&format!("wrote {shown}: edit it to your liking; `colobus check` uses it from now on\n"));
    Ok(())
}

/// Searches what `configuration` describes, or only the orders near one.
pub fn check(configuration: Configuration, args: &RunArgs, around: Option<Around>) -> anyhow::Result<Checked> {
    let config = run_config(configuration, args, around, stop::on_interrupt()?)?;
    let session = Session::start(&config.application, &args.browser)?;
    search(&config, &session, args)
}

fn search(config: &RunConfig, session: &Session, args: &RunArgs) -> anyhow::Result<Checked> {
    let mut renderers = renderers(&args.reporter);
    let mut written = Ok(());
    let mut folder = PathBuf::new();
    let result = colobus_run::check(config, &session.browsers, &mut |mut event| {
        if let RunEvent::Finished { report, output } = &mut event {
            traffic::record(report, output, &session.browsers, &config.stop);
            written = write_files(report, output);
            folder = output.clone();
        }
        for renderer in &mut renderers {
            renderer.event(&event);
        }
    });
    let report = result.map_err(|error| session.explain(error))?;
    written?;
    if config.stop.is_set() {
        bail!("interrupted: the report covers what had run until then\n  `colobus check --resume` continues");
    }
    Ok(Checked { report, folder })
}

pub fn exit_code(checked: &Checked) -> anyhow::Result<ExitCode> {
    let counts = &checked.report.counts;
    if counts.findings > 0 {
        return Ok(ExitCode::from(FOUND_SOMETHING));
    }
    if let (1, [only]) = (counts.interactions, &checked.report.unknown[..]) {
        bail!("nothing can be said of ({}): {}", only.concurrent.join(" || "), only.reason);
    }
    if counts.interactions > 0 && counts.unknown == counts.interactions {
        bail!("of none of the {} interactions anything can be said: see the reasons in the report", counts.unknown);
    }
    Ok(ExitCode::SUCCESS)
}
