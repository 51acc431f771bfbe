//! `colobus record`: opens windows, and writes what users do in them until they close them.

use std::fs;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use colobus_driver::{BrowserSource, Recorder, TrafficLog, WindowOptions, Windows};
use colobus_record::{Event, Origin, Recording, Viewport};
use serde_json::Value;

use super::learn::{learn_into, read_capture};
use crate::args::RecordArgs;
use crate::output::{print, tell};
use crate::recorded;
use crate::recorded::append::Destination;
use crate::stop;

/// How often to look whether the user wants to end it in the terminal.
const LOOK: Duration = Duration::from_millis(200);

pub fn run(args: &RecordArgs) -> anyhow::Result<ExitCode> {
    if args.clients > 26 {
        bail!("at most 26 users can be told apart");
    }
    let destination = destination(args)?;
    let stop = stop::on_interrupt_of("the recording is written")?;
    let traffic = args.har.as_ref().or(args.learn.as_ref()).map(|_| TrafficLog::default());
    let windows = Windows::open(WindowOptions {
        browser: BrowserSource::new(args.connect.clone(), args.browser.clone()),
        headed: true,
        clients: args.clients,
        viewport: None,
        redact: args.redact.clone(),
        record: true,
        play: false,
        traffic: traffic.clone(),
        explore: None,
    })?;
    let recorder = Recorder::start(&windows);
    windows.visit(&args.url)?;
    check_selectors(&windows, &args.redact)?;
    let viewport = viewport(&windows)?;
    print(&format!("recording {}: close the window when you are done\n", args.url))?;
    while !stop.is_set() && !windows.ended_within(LOOK) {}
    let mut recording = recorder.recording(&windows, viewport)?;
    let unreadable = recorder.unreadable_messages();
    if unreadable > 0 {
        tell(&format!(
            "{unreadable} messages of the recorder could not be read: something that users did may be missing"
        ));
    }
    leave_out_the_end(&mut recording);
    write(&recording, &args.output)?;
    let shown = args.output.display();
    print(&format!("{} lines in {shown}\n", recording.lines.len()))?;
    if let Some(origin) = recording.address().and_then(Origin::of) {
        print(&format!("colobus replay {shown} --at {origin}\n"))?;
    }
    if let Some(traffic) = traffic {
        let redaction = recorder.redaction();
        // What is still under way is told when the browser ends.
        drop(windows);
        let har = traffic.take_har(&redaction);
        if let Some(path) = &args.har {
            fs::write(path, &har).with_context(|| format!("cannot write {}", path.display()))?;
            print(&format!("traffic in {}\n", path.display()))?;
        }
        // Learned from what is left without secrets, so that none of them gets into a description.
        if let Some(folder) = &args.learn {
            learn_into(&read_capture(har.as_bytes(), "the session")?, false, folder)?;
        }
    }
    if let (Some(destination), Some(name)) = (destination, &args.as_action) {
        let written = recorded::action(&recording, name)?;
        written.warnings.iter().for_each(|warning| tell(&format!("warning: {warning}")));
        print(&format!("{}\n", destination.add(&written)?))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the action goes that is asked for.
fn destination(args: &RecordArgs) -> anyhow::Result<Option<Destination>> {
    let Some(name) = &args.as_action else { return Ok(None) };
    if args.clients > 1 {
        bail!(
            "an action is what one user does: --as-action records one\n  \
             what {} users do together is searched as a whole: record it without --as-action, then `colobus check --around {}`",
            args.clients,
            args.output.display()
        );
    }
    Destination::find(&args.config, name, &args.url).map(Some)
}

pub fn write(recording: &Recording, path: &std::path::Path) -> anyhow::Result<()> {
    fs::write(path, recording.to_string()).with_context(|| format!("{} cannot be written", path.display()))
}

/// Closing the windows ends the recording; it is no part of it.
fn leave_out_the_end(recording: &mut Recording) {
    while recording.lines.last().is_some_and(|line| line.event == Event::Close) {
        recording.lines.pop();
    }
}

fn check_selectors(windows: &Windows, selectors: &[String]) -> anyhow::Result<()> {
    for selector in selectors {
        let source = format!("document.querySelector({})", Value::from(selector.as_str()));
        windows.evaluate_all(&source).with_context(|| format!("`{selector}` is not a selector"))?;
    }
    Ok(())
}

fn viewport(windows: &Windows) -> anyhow::Result<Viewport> {
    let sizes = windows.evaluate_all("[innerWidth, innerHeight]")?;
    let side = |index: usize| sizes.first().and_then(|(_, size)| u32::try_from(size[index].as_u64()?).ok());
    match (side(0), side(1)) {
        (Some(width), Some(height)) => Ok(Viewport { width: width.max(1), height: height.max(1) }),
        _ => bail!("the window was closed before the page had been loaded"),
    }
}
