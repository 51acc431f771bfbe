//! A search with ten million interactions: what planning it takes, and what it takes to continue it when nearly all are done. To run all
//! of them would take an hour, so their results are those of the first ones, written into the journal under other numbers. Writes its section of
//! docs/scale.md.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::Command;

use colobus_model::{Phase, Report, RunEvent};
use colobus_run::{RunConfig, check};
use colobus_world::fake::FakeFactory;
use serde::{Deserialize, Serialize};

use crate::Problem;
use crate::case::{Case, peak_memory, processor_seconds};
use crate::section::Section;

/// So many actions at depth 2 are more than ten million interactions.
pub const ACTIONS: usize = 272;
/// How many interactions each of the two processes runs.
const REALLY_RUN: usize = 2_000;

const SECTION: Section = Section::of("cargo bench --package colobus-run --bench scale -- millions");

/// What one of the processes took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Taken {
    interactions: usize,
    cpu_s: f64,
    memory_bytes: u64,
}

fn config(actions: usize, out: &Path, resume: bool) -> Result<RunConfig, Problem> {
    Case { actions, ..Case::default() }.config(out, resume)
}

/// Plans the search, runs the beginning of it, and stops. In a process of its own.
pub fn begin(actions: usize, out: &Path) -> Result<Taken, Problem> {
    let config = config(actions, out, false)?;
    let (mut planned, mut cpu_s) = (0, 0.0);
    let report = check(&config, &FakeFactory::default(), &mut |event| match event {
        RunEvent::PhaseStarted { phase: Phase::Search, total } => (planned, cpu_s) = (total, processor_seconds()),
        RunEvent::Progress { phase: Phase::Search, done, .. } if done >= REALLY_RUN => config.options.stop.stop(),
        _ => {}
    })?;
    let ran = report.counts.interactions.judged;
    if ran >= planned {
        return Err(format!("all {planned} interactions were run: there is nothing to continue").into());
    }
    Ok(Taken { interactions: planned, cpu_s, memory_bytes: peak_memory() })
}

/// Continues a search of which nearly everything is done. In a process of its own.
pub fn resume(actions: usize, out: &Path) -> Result<Taken, Problem> {
    let Report { counts, .. } = check(&config(actions, out, true)?, &FakeFactory::default(), &mut |_| {})?;
    if counts.interactions.judged != counts.interactions.planned {
        return Err(format!("not all were judged: {:?}", counts.interactions).into());
    }
    Ok(Taken { interactions: counts.interactions.judged, cpu_s: processor_seconds(), memory_bytes: peak_memory() })
}

/// As if all but the last interactions had been run.
fn pretend(out: &Path, interactions: usize) -> Result<u64, Problem> {
    let path = out.join("last").join("journal.jsonl");
    let lines: Vec<String> = BufReader::new(File::open(&path)?).lines().collect::<Result<_, _>>()?;
    const BEGIN: &str = r#"{"result":{"job":"#;
    let rest = |line: &String| Some(line.strip_prefix(BEGIN)?.split_once(',')?.1.to_string());
    let results: Vec<String> = lines.iter().filter_map(rest).collect();
    let mut journal = BufWriter::new(OpenOptions::new().append(true).open(&path)?);
    for (job, rest) in (results.len()..interactions - REALLY_RUN).zip(results.iter().cycle()) {
        writeln!(journal, "{BEGIN}{job},{rest}")?;
    }
    journal.flush()?;
    Ok(fs::metadata(&path)?.len())
}

/// Measures all of it; a table.
pub fn table(actions: usize) -> Result<String, Problem> {
    let out = tempfile::tempdir()?;
    let begun = in_child("begin", actions, out.path())?;
    eprintln!("scale: planned {} interactions in {:.0} s", begun.interactions, begun.cpu_s);
    let journal = pretend(out.path(), begun.interactions)?;
    let resumed = in_child("resume", actions, out.path())?;
    let Taken { interactions, cpu_s, memory_bytes } = begun;
    Ok(format!(
        "| interactions | CPU of planning | memory of planning | journal | CPU of resuming | memory of resuming |\n|--:|--:|--:|--:|--:|--:|\n\
         | {interactions} | {cpu_s:.0} s | {} MB | {:.1} GB | {:.0} s | {} MB |\n",
        memory_bytes / 1_000_000,
        journal as f64 / 1e9,
        resumed.cpu_s,
        resumed.memory_bytes / 1_000_000,
    ))
}

pub fn write_into(page: &Path) -> Result<(), Problem> {
    SECTION.write(page, &table(ACTIONS)?)
}

fn in_child(what: &str, actions: usize, out: &Path) -> Result<Taken, Problem> {
    let output = Command::new(std::env::current_exe()?).args([what, &actions.to_string()]).arg(out).output()?;
    if !output.status.success() {
        return Err(format!("{what}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
