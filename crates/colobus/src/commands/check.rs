//! `colobus check`: searches an application, tells what happens, writes the report.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use colobus_report::{renderers, write_files};
use colobus_run::RunConfig;
use colobus_trace::{Report, RunEvent};

use crate::args::{CheckArgs, RunArgs};
use crate::config::Configuration;
use crate::run_config::run_config;
use crate::session::Session;
use crate::{FOUND_SOMETHING, stop};

/// A search that came to its end, and where its files are.
pub struct Checked {
    pub report: Report,
    pub folder: PathBuf,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let configuration = Configuration::load(&args.config.config)?;
    exit_code(&check(configuration, &args.run)?)
}

/// Searches what `configuration` describes.
pub fn check(configuration: Configuration, args: &RunArgs) -> anyhow::Result<Checked> {
    let config = run_config(configuration, args, stop::on_interrupt()?)?;
    let session = Session::start(&config.application, &args.browser)?;
    search(&config, &session, args)
}

fn search(config: &RunConfig, session: &Session, args: &RunArgs) -> anyhow::Result<Checked> {
    let mut renderers = renderers(&args.reporter);
    let mut written = Ok(());
    let mut folder = PathBuf::new();
    let result = colobus_run::check(config, &session.browsers, &mut |event| {
        if let RunEvent::Finished { report, output } = &event {
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
    if counts.interactions > 0 && counts.unknown == counts.interactions {
        bail!("of none of the {} interactions anything can be said: see the reasons in the report", counts.unknown);
    }
    Ok(ExitCode::SUCCESS)
}
