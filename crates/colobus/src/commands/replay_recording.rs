//! `colobus replay` of a recording: performs its lines, and says which of them could not be, or only in another way.

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use colobus_driver::{
    BrowserSource, ELEMENT_IN_REPLAYS, Pace, PlayOptions, Played, Player, Recorder, WindowOptions, Windows,
};
use colobus_record::{Origin, Reach, Recording, is_recording, variables, without_secrets};
use colobus_run::StopSignal;

use super::record::write;
use crate::args::{ReplayArgs, Speed};
use crate::output::print;
use crate::{FOUND_SOMETHING, logging, place, stop};

/// The recording in the folder of a finding, if a mistake in a session is what was found.
pub const SESSION_FILE: &str = "session.rec";

/// The recording in this file; nothing if it is something else.
pub fn read(path: &Path) -> anyhow::Result<Option<Recording>> {
    let Ok(text) = fs::read_to_string(path) else { return Ok(None) };
    if !is_recording(&text) {
        return Ok(None);
    }
    Recording::parse(&text).map(Some).map_err(|error| anyhow!("{}:{error}", path.display()))
}

/// The recording in this file, where nothing else will do.
pub fn expected(path: &Path) -> anyhow::Result<Recording> {
    const ADVICE: &str = "`colobus record URL -o FILE` makes one";
    fs::metadata(path).with_context(|| format!("cannot read {}: {ADVICE}", path.display()))?;
    read(path)?.with_context(|| format!("{} is not a recording: {ADVICE}", path.display()))
}

/// Values of all variables that the recording asks for.
pub fn secrets(recording: &Recording) -> anyhow::Result<Vec<(String, String)>> {
    let (known, missing): (Vec<_>, Vec<_>) = variables(recording)
        .into_iter()
        .map(|name| (name.to_string(), env::var(name)))
        .partition(|(_, value)| value.is_ok());
    if !missing.is_empty() {
        let names: Vec<String> = missing.into_iter().map(|(name, _)| name).collect();
        bail!(
            "the recording asks for secrets that were not recorded: set the environment variables {}",
            names.join(", ")
        );
    }
    let known: Vec<_> = known.into_iter().filter_map(|(name, value)| Some((name, value.ok()?))).collect();
    logging::hide(&known);
    Ok(known)
}

/// A browser that the user runs has the network of its machine, unless an address of this one is named.
fn source(args: &ReplayArgs, stop: &StopSignal) -> anyhow::Result<BrowserSource> {
    let running = args.play.connect.clone();
    if running.is_some() && args.grid.listen.is_none() {
        return Ok(BrowserSource::new(running, None));
    }
    Ok(BrowserSource::of(&args.grid.choose(&args.browser, running.as_deref(), stop)?))
}

/// Performs the recording at the origins that the user named.
pub fn run(recording: &Recording, path: &Path, named: Vec<Origin>, replay: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let args = &replay.play;
    let recording = &place::performed(recording, path, &named)?;
    let secrets = secrets(recording)?;
    let stop = stop::on_interrupt()?;
    let windows = Windows::open(WindowOptions {
        browser: source(replay, &stop)?,
        headed: replay.browser.headed,
        clients: recording.clients(),
        viewport: Some(recording.viewport),
        redact: Vec::new(),
        record: args.update.is_some(),
        play: true,
        traffic: None,
        explore: None,
    })?;
    let recorder = args.update.as_ref().map(|_| Recorder::start(&windows));
    let mut player = Player::new(
        &windows,
        recording,
        PlayOptions {
            pace: match args.speed {
                Speed::Recorded => Pace::Recorded,
                Speed::Fast => Pace::Fast,
                Speed::None => Pace::None,
            },
            strict: args.strict,
            patience: ELEMENT_IN_REPLAYS,
            secrets: secrets.clone(),
            files: path.parent().map(Path::to_path_buf).unwrap_or_default(),
            reach: Reach::Only(named),
        },
    );
    let (mut done, mut relaxed) = (0, 0);
    let mut problem = None;
    for (index, line) in recording.lines.iter().enumerate().take(args.until.unwrap_or(usize::MAX)) {
        if stop.is_set() {
            bail!("interrupted after {done} of {} lines", recording.lines.len());
        }
        let say =
            |what: String| print(&without_secrets(&format!("{:>4}  {line}\n      {what}\n", index + 1), &secrets));
        match player.play(index)? {
            Played::Done => {}
            Played::Relaxed(given_up) => {
                relaxed += 1;
                say(format!("found without {}", given_up.join(", ")))?;
            }
            Played::Impossible(why) => {
                say(why.clone())?;
                problem = Some(why);
                break;
            }
        }
        done += 1;
    }
    windows.settle(ELEMENT_IN_REPLAYS);
    let problems = windows.problems();
    for problem in &problems {
        print(&without_secrets(&format!("      {problem}\n"), &secrets))?;
    }
    print(&format!("{done} of {} lines replayed, {relaxed} of them relaxed\n", recording.lines.len()))?;
    if let (Some(recorder), Some(path)) = (recorder, &args.update) {
        let updated = recorder.recording(&windows, recording.viewport)?;
        write(&updated, path).context("the new recording")?;
    }
    Ok(if problem.is_some() { ExitCode::from(FOUND_SOMETHING) } else { ExitCode::SUCCESS })
}
