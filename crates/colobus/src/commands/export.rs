//! `colobus export`: writes a finding as a test that runs without Colobus, or a recording in the format of another
//! tool. `colobus import` reads such a format.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use colobus_export::{EXPORTERS, Exported, RACE_SUPPORT_FILE, SUPPORT_FILE, race_support, support};
use colobus_model::Trace;
use colobus_race_run::two_orders;
use colobus_record::Recording;
use colobus_record::exchange::{self, Format};
use colobus_run::{Checks, Judgement};

use super::shown_at_end::shown_at_end;
use super::{finding, race, replay, replay_recording};
use crate::args::{ExportArgs, ImportArgs, TO_ACTION};
use crate::output::{print, tell};
use crate::session::Session;
use crate::{recorded, stop, trust};

/// How often a line is run until it fails.
const ATTEMPTS: usize = 3;

pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    if args.name.is_some() && args.to != TO_ACTION {
        bail!("only an action has a name: leave out --name, or export --to action");
    }
    if let Some(recording) = recording(args)? {
        let (text, warnings) = of_recording(&recording, args)?;
        return hand_over(&text, &warnings, args.output.as_deref());
    }
    let (exported, support) = of_finding(args)?;
    match &args.output {
        None => tell(&format!("note: it imports ./{}, which `--output FILE` writes beside FILE", support.name)),
        Some(output) => {
            let beside = output.with_file_name(support.name);
            fs::write(&beside, support.text).with_context(|| format!("cannot write {}", beside.display()))?;
        }
    }
    hand_over(&exported.text, &exported.warnings, args.output.as_deref())
}

/// The recording that the user names: by its file, or as a finding whose folder has one.
fn recording(args: &ExportArgs) -> anyhow::Result<Option<Recording>> {
    let path = finding::path(&args.finding, &args.out);
    let within = if path.is_dir() { path.join(replay_recording::SESSION_FILE) } else { path };
    replay_recording::read(&within)
}

pub fn import(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    let shown = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {shown}"))?;
    let imported = exchange::import(&text).with_context(|| format!("cannot import {shown}"))?;
    hand_over(&imported.recording.to_string(), &imported.warnings, args.output.as_deref())
}

/// What a test imports from beside it.
struct Support {
    name: &'static str,
    text: String,
}

fn of_finding(args: &ExportArgs) -> anyhow::Result<(Exported, Support)> {
    let Some(exporter) = EXPORTERS.iter().find(|exporter| exporter.name() == args.to) else {
        let known: Vec<&str> = EXPORTERS.iter().map(|exporter| exporter.name()).collect();
        bail!(
            "a finding is about the order of messages between several users, which only {} can say; {} is for recordings",
            known.join(" and "),
            args.to
        )
    };
    if let Some(found) = race::read_finding(&finding::path(&args.finding, &args.out))? {
        let exported = exporter.export_orders(&two_orders(&found));
        let exported = exported.with_context(|| format!("{} cannot say an order of one page's events", args.to))?;
        return Ok((exported, Support { name: RACE_SUPPORT_FILE, text: race_support() }));
    }
    let support = Support { name: SUPPORT_FILE, text: support() };
    if replay::is_line(&args.finding) {
        return Ok((exporter.export(&performed(args)?, Checks::default()), support));
    }
    let trace = finding::load(&args.finding, &args.out)?;
    trust::ensure(&trace.application, &args.config, args.trust)?;
    Ok((exporter.export(&trace, Checks::default()), support))
}

/// A line says what to do, and an execution that fails how: one of a few, or the last if none fails.
fn performed(args: &ExportArgs) -> anyhow::Result<Trace> {
    let planned = replay::from_line(&args.finding, &args.config, args.around.as_deref())?;
    let stop = stop::on_interrupt()?;
    let session = Session::start(&planned.application, &args.browser.here(), &stop)?;
    let worlds = session.worlds();
    let mut seen = None;
    for _ in 0..ATTEMPTS {
        let replay = colobus_run::replay(&planned, Checks::default(), &worlds, 1, &stop);
        let replay = replay.map_err(|error| session.explain(error))?;
        let Some(again) = replay.again.into_iter().next() else { bail!("interrupted") };
        let fails = matches!(again.judgement, Judgement::Fail { .. });
        // Where the configuration says that the application is, not where it was this time.
        seen = again.trace.map(|trace| Trace { application: planned.application.clone(), ..trace }).or(seen);
        if fails {
            break;
        }
    }
    seen.with_context(|| format!("nothing was seen in {ATTEMPTS} executions of the line: `colobus replay` says why"))
}

fn of_recording(recording: &Recording, args: &ExportArgs) -> anyhow::Result<(String, Vec<String>)> {
    let title = Path::new(&args.finding).file_stem().map(|name| name.to_string_lossy().into_owned());
    let title = title.unwrap_or_default();
    if args.to == TO_ACTION {
        let written = recorded::action(recording, args.name.as_deref().unwrap_or(&title))?;
        return Ok((written.text, written.warnings));
    }
    let Some(format) = Format::ALL.into_iter().find(|format| format.name() == args.to) else {
        let known = Format::ALL.map(Format::name).join(", ");
        bail!("{} is for findings; a recording can be exported to {known} or {TO_ACTION}", args.to);
    };
    let shown = match (&args.at[..], format) {
        ([], Format::Playwright) => {
            tell(
                "note: the test asserts nothing; with `--at URL` the recording is performed there twice, and what its pages show at the end is asserted",
            );
            Vec::new()
        }
        ([], _) => Vec::new(),
        (at, Format::Playwright) => shown_at_end(recording, Path::new(&args.finding), at, &args.browser)?,
        (_, _) => bail!("{} has no assertions: leave out --at", args.to),
    };
    let exported = exchange::export_with(recording, format, &title, &shown);
    Ok((exported.text, exported.warnings))
}

fn hand_over(text: &str, warnings: &[String], output: Option<&Path>) -> anyhow::Result<ExitCode> {
    for warning in warnings {
        tell(&format!("warning: {warning}"));
    }
    match output {
        None => print(text)?,
        Some(path) => {
            fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
            print(&format!("wrote {}\n", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
