//! [`Kept`]: the results of all runs so far, in `docs/evaluation/reach.jsonl`: a run can be interrupted, and one that tries a few
//! applications leaves the others in the table.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::circumstances::Circumstances;
use crate::explored::Explored;
use crate::part::Part;
use crate::search::Searched;
use crate::selection::Selection;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Result {
    Explored(Explored),
    Searched(Searched),
}

impl Result {
    /// Whether it says of every line what it is there for. One that does not is counted, and made again by the next run.
    fn is_complete(&self) -> bool {
        match self {
            Result::Explored(explored) => explored.is_complete(),
            Result::Searched(searched) => searched.is_complete(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Line {
    application: String,
    part: Part,
    result: Result,
    #[serde(flatten)]
    circumstances: Circumstances,
}

pub struct Kept {
    lines: Vec<Line>,
    path: PathBuf,
}

impl Kept {
    pub fn open() -> anyhow::Result<Kept> {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/evaluation/reach.jsonl");
        let text = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        // A line that was not written to its end is run again.
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let mut kept = Kept { lines: Vec::new(), path };
        lines.for_each(|line| kept.put(line));
        Ok(kept)
    }

    /// Of several results the last counts.
    fn put(&mut self, line: Line) {
        self.lines.retain(|known| (&known.application, known.part) != (&line.application, line.part));
        self.lines.push(line);
    }

    pub fn forget(&mut self, selection: &Selection) -> anyhow::Result<()> {
        self.lines.retain(|line| !selection.has(&line.application, line.part));
        let lines: serde_json::Result<Vec<String>> = self.lines.iter().map(serde_json::to_string).collect();
        let text: String = lines?.into_iter().map(|line| line + "\n").collect();
        fs::write(&self.path, text).with_context(|| format!("cannot write {}", self.path.display()))
    }

    pub fn is_done(&self, application: &str, part: Part) -> bool {
        self.line(application, part).is_some_and(|line| line.result.is_complete())
    }

    pub fn add(&mut self, application: &str, part: Part, result: Result) -> anyhow::Result<()> {
        let line = Line { application: application.to_string(), part, result, circumstances: Circumstances::now()? };
        let mut file = self.file()?;
        writeln!(file, "{}", serde_json::to_string(&line)?)?;
        self.put(line);
        Ok(())
    }

    fn file(&self) -> anyhow::Result<File> {
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        file.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn line(&self, application: &str, part: Part) -> Option<&Line> {
        self.lines.iter().find(|line| line.application == application && line.part == part)
    }

    pub fn explored(&self, application: &str) -> Option<&Explored> {
        match &self.line(application, Part::Explored)?.result {
            Result::Explored(explored) => Some(explored),
            Result::Searched(_) => None,
        }
    }

    pub fn searched(&self, application: &str, part: Part) -> Option<&Searched> {
        match &self.line(application, part)?.result {
            Result::Searched(searched) => Some(searched),
            Result::Explored(_) => None,
        }
    }

    pub fn circumstances(&self, application: &str, part: Part) -> Option<&Circumstances> {
        Some(&self.line(application, part)?.circumstances)
    }
}
