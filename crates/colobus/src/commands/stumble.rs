//! `colobus stumble`: makes the mistakes of people in a recorded session, and reports what the application does then.

use std::path::Path;
use std::process::ExitCode;

use colobus_driver::subject::Subject;
use colobus_driver::{BrowserStage, StageOptions};
use colobus_record::Reach;
use colobus_stumble::{StumbleConfig, stumble};
use colobus_world::Stage;

use super::check::EventOutput;
use super::replay_recording::{expected, secrets};
use crate::args::StumbleArgs;
use crate::config::Configuration;
use crate::session::{raised_by, started};
use crate::{place, stop, verdict};

pub fn run(args: &StumbleArgs) -> anyhow::Result<ExitCode> {
    let stop = stop::on_interrupt_within(args.results.timeout)?;
    let recording = expected(&args.recording)?;
    let configuration = args.config.as_deref().map(Configuration::load).transpose()?;
    // As it is written, with the port open: the same search on another port is the same.
    let reset = configuration.as_ref().map(|configuration| configuration.application.reset.clone());
    let application = configuration.map(|configuration| Subject::place(&configuration.application)).transpose()?;
    let named = match &application {
        Some(application) if args.place.at.is_empty() => place::origin(&application.url).into_iter().collect(),
        _ => args.place.at.clone(),
    };
    let recording = place::performed(&recording, &args.recording, &named)?;
    let interrupt = raised_by(&stop);
    let subject = started(application.as_ref(), &stop, &interrupt)?;
    let options = StageOptions {
        browsers: args.remote.choose(&args.browser, &stop)?,
        secrets: secrets(&recording)?,
        files: args.recording.parent().map(Path::to_path_buf).unwrap_or_default(),
        interrupt,
        reach: Reach::Only(named.clone()),
        invariants: application.as_ref().map(|application| application.invariants.clone()).unwrap_or_default(),
        reset: application.as_ref().map(|application| application.reset.clone()),
        ..StageOptions::default()
    };
    let config = StumbleConfig {
        recording: &recording,
        name: args.recording.display().to_string(),
        origin: named.first().map(ToString::to_string).unwrap_or_default(),
        delay_ms: u64::try_from(args.delay.as_millis()).unwrap_or(u64::MAX),
        invariants: options.invariants.clone(),
        reset,
        options: args.results.options(args.repeat, &stop),
    };
    let open = || Ok(Box::new(BrowserStage::open(options.clone(), &recording)?) as Box<dyn Stage>);
    let mut output = EventOutput::new(&args.results.reporter);
    let searched = stumble(&config, &open, &mut |event| output.event_of_one_page(event, &args.remote));
    let exited = || subject.as_ref().and_then(|subject| subject.ensure_running().err());
    let stopped = || verdict::ended_early(&stop, "the session was performed");
    let why = || stopped().or_else(|| exited().map(anyhow::Error::from));
    let report = searched.map_err(|error| why().unwrap_or_else(|| error.into()))?;
    output.folder()?;
    if let Some(exited) = exited().filter(|_| !report.has_confirmed_finding()) {
        return Err(exited.into());
    }
    verdict::not_interrupted(&report, &stop, "stumble")?;
    verdict::exit_code(&report)
}
