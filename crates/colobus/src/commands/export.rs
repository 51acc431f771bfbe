//! `colobus export`: writes a finding as a test that runs without Colobus, or a recording in the format of another
//! tool. `colobus import` reads such a format.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use colobus_export::EXPORTERS;
use colobus_record::Recording;
use colobus_record::exchange::{self, Format};

use super::{finding, replay_recording};
use crate::args::{ExportArgs, ImportArgs, TO_ACTION};
use crate::output::{print, tell};
use crate::{recorded, trust};

pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    if args.name.is_some() && args.to != TO_ACTION {
        bail!("only an action has a name: leave out --name, or export --to action");
    }
    let (text, warnings) = match replay_recording::read(Path::new(&args.finding))? {
        Some(recording) => of_recording(&recording, args)?,
        None => of_finding(args)?,
    };
    hand_over(&text, &warnings, args.output.as_deref())
}

pub fn import(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    let shown = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {shown}"))?;
    let imported = exchange::import(&text).with_context(|| format!("cannot import {shown}"))?;
    hand_over(&imported.recording.to_string(), &imported.warnings, args.output.as_deref())
}

fn of_finding(args: &ExportArgs) -> anyhow::Result<(String, Vec<String>)> {
    let Some(exporter) = EXPORTERS.iter().find(|exporter| exporter.name() == args.to) else {
        let known: Vec<&str> = EXPORTERS.iter().map(|exporter| exporter.name()).collect();
        bail!(
            "a finding is about the order of messages between several users, which only {} can say; {} is for recordings",
            known.join(" and "),
            args.to
        )
    };
    let trace = finding::load(&args.finding, &args.out)?;
    trust::ensure(&trace.application, &args.config, args.trust)?;
    let exported = exporter.export(&trace);
    Ok((exported.text, exported.warnings))
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
    let exported = exchange::export(recording, format, &title);
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
