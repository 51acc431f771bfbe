//! `colobus stumble`: makes the mistakes of people in a recorded session, and reports what the application does then.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use colobus_driver::subject::Subject;
use colobus_driver::{BrowserStage, StageOptions};
use colobus_model::{ClientId, Trace};
use colobus_record::Recording;
use colobus_report::{replay_command, write_files};
use colobus_run::{create_run_folder, point_last_at};
use colobus_stumble::{Found, Options, Outcome, StumbleEvent, report, stumble};
use colobus_world::Stage;

use super::replay_recording::{SESSION_FILE, read, secrets};
use crate::args::StumbleArgs;
use crate::config::Configuration;
use crate::output::{print, tell};
use crate::{FOUND_SOMETHING, stop};

pub fn run(args: &StumbleArgs) -> anyhow::Result<ExitCode> {
    let shown = args.recording.display();
    let Some(recording) = read(&args.recording)? else {
        bail!("{shown} is no recording: `colobus record URL -o FILE` makes one");
    };
    let configuration = args.config.as_deref().map(Configuration::load).transpose()?;
    let application = configuration.map(|configuration| Subject::place(&configuration.application)).transpose()?;
    let subject = application.as_ref().map(Subject::start).transpose()?;
    let options = StageOptions {
        browser: args.browser.browser.clone(),
        headed: args.browser.headed,
        secrets: secrets(&recording)?,
        files: args.recording.parent().map(Path::to_path_buf).unwrap_or_default(),
        invariants: application.as_ref().map(|application| application.invariants.clone()).unwrap_or_default(),
        reset: application.as_ref().map(|application| application.reset.clone()),
        ..StageOptions::default()
    };
    let stop = stop::on_interrupt()?;
    let begun = Instant::now();
    let mut stage = BrowserStage::open(options, &recording)?;
    let folder = create_run_folder(&args.out)?;
    point_last_at(&args.out, &folder);
    let options = Options {
        dawdle_ms: u64::try_from(args.delay.as_millis()).unwrap_or(u64::MAX),
        attempts: args.repeat,
        stopped: &|| stop.is_set(),
    };
    let mut found = 0;
    let mut saved = Ok(());
    let searched = stumble(&recording, &mut stage, &options, &mut |told| match told {
        StumbleEvent::Rehearsed { tree, mistakes } => {
            tell(&format!("{tree}{mistakes} mistakes to make"));
        }
        StumbleEvent::Tried { done, of } if done % 10 == 0 && done > 0 => {
            tell(&format!("{done} of {of} mistakes made"))
        }
        StumbleEvent::Tried { .. } => {}
        StumbleEvent::Found(finding) => {
            found += 1;
            saved = std::mem::replace(&mut saved, Ok(())).and_then(|()| save(finding, &folder.join(found.to_string())));
            let (worst, command) = (&finding.problems[0], replay_command(&folder, found));
            tell(&format!("found {found}: {}\n  {}: {worst}\n  {command}", finding.mistake, worst.oracle.name()));
        }
    });
    let exited = || subject.as_ref().and_then(|subject| subject.ensure_running().err());
    let mut outcome = searched.map_err(|error| exited().map_or_else(|| error.into(), anyhow::Error::from))?;
    if outcome.stopped.is_some()
        && let Some(exited) = exited()
    {
        outcome.stopped = Some(exited.to_string());
    }
    saved?;
    let report = report(&outcome, &shown.to_string(), stage.browser(), begun.elapsed().as_secs_f64());
    write_files(&report, &folder)?;
    print(&closing(&outcome, &folder))?;
    match outcome.stopped {
        _ if !outcome.findings.is_empty() => Ok(ExitCode::from(FOUND_SOMETHING)),
        Some(reason) => bail!("nothing was found, but not all mistakes were made: {reason}"),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// The script of a finding, and what was seen with and without the mistake.
fn save(found: &Found, folder: &Path) -> anyhow::Result<()> {
    let written = |path: &Path| format!("cannot write {}", path.display());
    fs::create_dir_all(folder).with_context(|| written(folder))?;
    let file = folder.join(SESSION_FILE);
    fs::write(&file, commented(&found.script.recording, &found.mistake.to_string())).with_context(|| written(&file))?;
    for (client, picture) in [&found.screenshot, &found.usual].into_iter().enumerate() {
        if let Some(png) = picture {
            let file = folder.join(Trace::screenshot_name(ClientId(client)));
            fs::write(&file, &png.0).with_context(|| written(&file))?;
        }
    }
    Ok(())
}

/// The recording with a line about the mistake, where the format allows one.
fn commented(recording: &Recording, mistake: &str) -> String {
    let text = recording.to_string();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    format!("{first}\n# {}\n{rest}", mistake.replace(['\n', '\r'], " "))
}

fn closing(outcome: &Outcome, folder: &Path) -> String {
    let plural = if outcome.findings.len() == 1 { "" } else { "s" };
    let stopped = outcome.stopped.as_ref().map(|reason| format!("not finished: {reason}\n")).unwrap_or_default();
    format!(
        "{stopped}{} finding{plural} after {} of {} mistakes ({} led nowhere, {} were left out)\nreport: {}\n",
        outcome.findings.len(),
        outcome.tried,
        outcome.mistakes,
        outcome.dead_ends.len(),
        outcome.pruned,
        folder.join("report.html").display(),
    )
}
