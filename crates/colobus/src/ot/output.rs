//! What commands write: scenarios and pictures to files, a scenario read from one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use colobus_ot::functions::Entry;
use colobus_ot::render;
use colobus_ot::scenario::{Replay, Scenario};
use serde::Serialize;

use super::function;
use crate::output::print;

/// Files to write.
#[derive(clap::Args, Clone, Debug)]
pub struct OutputFlags {
    /// Write the scenario as a self-contained picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the scenario as a Mermaid sequence diagram
    #[arg(long, value_name = "FILE")]
    mermaid: Option<PathBuf>,

    /// Write the scenario as JSON, to be given back with --scenario
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl OutputFlags {
    /// Write what was asked for.
    pub fn write(&self, replay: &Replay) -> anyhow::Result<()> {
        let scenario = || -> anyhow::Result<String> { Ok(serde_json::to_string_pretty(&replay.scenario)? + "\n") };
        write(self.svg.as_deref(), || Ok(render::svg(replay)))?;
        write(self.mermaid.as_deref(), || Ok(render::mermaid(replay)))?;
        write(self.save.as_deref(), scenario)
    }
}

fn write(path: Option<&Path>, content: impl FnOnce() -> anyhow::Result<String>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    fs::write(path, content()?).with_context(|| format!("cannot write {}", path.display()))
}

/// Read a scenario and execute it directly. A function named on the command line overrides the one in the file.
pub fn replay_file(path: &Path, wanted: Option<&str>) -> anyhow::Result<(&'static Entry, Replay)> {
    let content = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut scenario: Scenario = serde_json::from_str(&content).with_context(|| {
        format!("{} is not a scenario; `colobus ot explain NAME --save FILE` writes one", path.display())
    })?;
    if let Some(wanted) = wanted {
        scenario.function = wanted.into();
    }
    let entry = function(&scenario.function)?;
    let replay =
        entry.function.replay(&scenario).with_context(|| format!("{} cannot have happened", path.display()))?;
    Ok((entry, replay))
}

/// Print one JSON value.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// Print a replay for people or for machines.
pub fn print_replay(replay: &Replay, json: bool) -> anyhow::Result<()> {
    if json { print_json(replay) } else { print(&render::text(replay)) }
}
