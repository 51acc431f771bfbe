//! Searches with more workers than one machine has browsers for: how much of the workers' time is used. What a worker does is slept
//! ([`DistantWorlds`]); planning, ordering, judging, journal and report are the tool's own. Writes its section of docs/scale.md.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use colobus_run::{RunConfig, check};
use serde::{Deserialize, Serialize};

use crate::Problem;
use crate::case::{Case, peak_memory, processor_seconds};
use crate::distant_worlds::{DistantWorlds, Times};
use crate::section::Section;

const SECTION: Section = Section::of("cargo bench --package colobus-run --bench scale -- workers");

/// What an execution takes in a browser (docs/performance.md). How long a session takes to begin on a Grid, and how often one ends with
/// its node, is assumed.
const REAL: Times =
    Times { execution: Duration::from_millis(250), opening: Duration::from_secs(2), deaths_one_in: 5_000 };

/// With so many workers time passes as it does in browsers. With fewer it passes faster, so that the tool has as much to do in a
/// second, and the search takes as long.
const REAL_TIME: usize = 1_000;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Crowd {
    workers: usize,
    actions: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Used {
    workers: usize,
    interactions: usize,
    executions: usize,
    restarts: usize,
    took_s: f64,
    /// What it would take if no worker ever waited.
    ideal_s: f64,
    cpu_s: f64,
    memory_bytes: u64,
}

impl Crowd {
    pub fn all(actions: usize) -> [Crowd; 3] {
        [10, 100, 1_000].map(|workers| Crowd { workers, actions })
    }

    pub fn read(text: &str) -> Result<Crowd, Problem> {
        Ok(serde_json::from_str(text)?)
    }

    pub fn measure(&self) -> Result<Used, Problem> {
        let out = tempfile::tempdir()?;
        let shorter = self.workers as f64 / REAL_TIME as f64;
        let (execution, opening) = (REAL.execution.mul_f64(shorter), REAL.opening.mul_f64(shorter));
        let worlds = DistantWorlds::new(Times { execution, opening, ..REAL });
        let case = Case { actions: self.actions, ..Case::default() };
        let config = RunConfig { workers: self.workers, ..case.config(out.path(), false)? };
        let (begun, cpu) = (Instant::now(), processor_seconds());
        let report = check(&config, &worlds, &mut |_| {})?;
        let took_s = begun.elapsed().as_secs_f64();
        Ok(Used {
            workers: self.workers,
            interactions: report.counts.interactions.judged,
            executions: report.counts.executions,
            restarts: report.counts.restarts,
            took_s,
            ideal_s: worlds.busy().as_secs_f64() / self.workers as f64,
            cpu_s: processor_seconds() - cpu,
            memory_bytes: peak_memory(),
        })
    }
}

/// Runs each in a process of its own, and writes what they took into the page.
pub fn write_into(page: &Path, crowds: &[Crowd]) -> Result<(), Problem> {
    let used = crowds.iter().map(measured).collect::<Result<Vec<Used>, Problem>>()?;
    SECTION.write(page, &table(&used))
}

pub fn measured(crowd: &Crowd) -> Result<Used, Problem> {
    eprintln!("scale: {} workers", crowd.workers);
    let output = Command::new(std::env::current_exe()?).args(["crowd", &serde_json::to_string(crowd)?]).output()?;
    if !output.status.success() {
        return Err(format!("{crowd:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let used: Used = serde_json::from_slice(&output.stdout)?;
    eprintln!("scale:   {:.1} s where {:.1} s are ideal", used.took_s, used.ideal_s);
    Ok(used)
}

pub fn table(all: &[Used]) -> String {
    let mut text = String::from(
        "| workers | interactions | executions | sessions that died | time | share of the workers' time that is used | CPU of the tool per execution | memory |\n\
         |--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for used in all {
        let Used { workers, interactions, executions, restarts, took_s, ideal_s, cpu_s, memory_bytes } = used;
        let _ = writeln!(
            text,
            "| {workers} | {interactions} | {executions} | {restarts} | {took_s:.0} s | {:.0} % | {:.2} ms | {} MB |",
            ideal_s / took_s * 100.0,
            cpu_s * 1_000.0 / (*executions).max(1) as f64,
            memory_bytes / 1_000_000,
        );
    }
    text
}
