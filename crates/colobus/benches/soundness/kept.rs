//! [`Kept`]: the results of all runs so far, in `docs/evaluation/soundness.jsonl`. A run of hours can be interrupted, and one that
//! tries a few settings leaves those of others in the table.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::search::Outcome;
use crate::setting::Setting;

#[derive(Serialize, Deserialize)]
pub struct Line {
    pub setting: Setting,
    pub outcome: Outcome,
}

pub struct Kept {
    lines: Vec<Line>,
    file: File,
}

impl Kept {
    pub fn open(afresh: bool) -> anyhow::Result<Kept> {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/evaluation/soundness.jsonl");
        if afresh && path.exists() {
            fs::remove_file(&path)?;
        }
        let text = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        // A line that was not written to its end is run again.
        let mut lines: Vec<Line> = Vec::new();
        for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
            // Of several results of one setting the last counts.
            lines.retain(|known| known.setting != line.setting);
            lines.push(line);
        }
        let file = OpenOptions::new().create(true).append(true).open(&path);
        Ok(Kept { lines, file: file.with_context(|| format!("cannot write {}", path.display()))? })
    }

    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub fn result(&self, setting: &Setting) -> Option<&Outcome> {
        self.lines.iter().find(|line| line.setting == *setting).map(|line| &line.outcome)
    }

    pub fn add(&mut self, setting: &Setting, outcome: Outcome) -> anyhow::Result<()> {
        let line = Line { setting: setting.clone(), outcome };
        writeln!(self.file, "{}", serde_json::to_string(&line)?)?;
        self.lines.retain(|known| known.setting != *setting);
        self.lines.push(line);
        Ok(())
    }
}
