//! [`Kept`]: the results of all runs so far, in `docs/evaluation/torture.jsonl`: a run of hours can be interrupted, and goes on on another
//! machine.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::circumstances::Circumstances;
use crate::outcome::Outcome;
use crate::part::Part;

#[derive(Serialize, Deserialize)]
struct Line {
    part: Part,
    outcome: Outcome,
    #[serde(flatten)]
    circumstances: Circumstances,
}

pub struct Kept {
    lines: Vec<Line>,
    file: File,
}

/// Writes a line at once: parts that run beside each other write into the same file.
fn write_line(file: &mut File, line: &Line) -> anyhow::Result<()> {
    Ok(file.write_all(format!("{}\n", serde_json::to_string(line)?).as_bytes())?)
}

fn append(path: &PathBuf) -> anyhow::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

impl Kept {
    pub fn open() -> anyhow::Result<Kept> {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/evaluation/torture.jsonl");
        let text = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        // A line that was not written to its end is run again.
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Kept { lines, file: append(&path)? })
    }

    /// Writes into the same file: other parts that are run meanwhile append to it.
    pub fn forget(&mut self, parts: &[(Part, usize)]) -> anyhow::Result<()> {
        *self = Kept::open()?;
        self.lines.retain(|line| !parts.iter().any(|(part, _)| *part == line.part));
        self.file.set_len(0)?;
        self.lines.iter().try_for_each(|line| write_line(&mut self.file, line))
    }

    pub fn trials(&self, part: Part) -> Vec<&Outcome> {
        self.lines.iter().filter(|line| line.part == part).map(|line| &line.outcome).collect()
    }

    pub fn circumstances(&self, part: Part) -> impl Iterator<Item = &Circumstances> {
        self.lines.iter().filter(move |line| line.part == part).map(|line| &line.circumstances)
    }

    /// How much of a part is done.
    pub fn amount(&self, part: Part) -> usize {
        self.trials(part).iter().map(|outcome| outcome.amount).sum()
    }

    pub fn add(&mut self, part: Part, outcome: Outcome) -> anyhow::Result<()> {
        let line = Line { part, outcome, circumstances: Circumstances::now()? };
        write_line(&mut self.file, &line)?;
        self.lines.push(line);
        Ok(())
    }
}
