//! [`Journal`]: what a run has done so far, written as it goes. An interrupted run continues from it, and a report can
//! be made of it.

use std::path::{Path, PathBuf};

use colobus_model::{CheckId, Difference, Finding, Schedule};
use serde::{Deserialize, Serialize};

use crate::RunError;
use crate::line_file::{LineFile, read_values};

pub(crate) const JOURNAL: &str = "journal.jsonl";

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Entry {
    /// First line: which search this is. Equal keys are equal searches.
    Began { key: String },
    /// Phase 1 is complete.
    Explored { seconds: f64, reused: bool },
    /// An interaction of phase 2 was run.
    Ran(Ran),
    /// All failures with these actions and this kind of difference are reduced to these findings.
    Reduced { group: usize, findings: Vec<Finding> },
    /// Last line: nothing is left to do.
    Finished,
}

/// One interaction of phase 2, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ran {
    /// Its place in the list of all interactions of the search.
    pub index: usize,
    pub outcome: RanOutcome,
    /// Milliseconds of each of its executions.
    pub took_ms: Vec<f64>,
    /// Where the same order did not lead to the same twice, in words.
    #[serde(default)]
    pub nondeterminism: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RanOutcome {
    Pass,
    Fail { check: CheckId, difference: Difference, schedule: Schedule },
    NotApplicable(String),
    Unknown(String),
}

pub(crate) struct Journal {
    file: LineFile,
    /// What an earlier process wrote.
    pub earlier: Vec<Entry>,
}

impl Journal {
    pub fn open(folder: &Path) -> Result<Journal, RunError> {
        let (file, earlier) = LineFile::open(&folder.join(JOURNAL))?;
        Ok(Journal { file, earlier })
    }

    pub fn write(&mut self, entry: &Entry) -> Result<(), RunError> {
        self.file.append(entry)
    }
}

/// Whether the run in this folder is the search with this key, and was interrupted.
pub(crate) fn can_continue(folder: &Path, key: &str) -> bool {
    let Ok(bytes) = std::fs::read(folder.join(JOURNAL)) else { return false };
    let entries: Vec<Entry> = read_values(&bytes);
    let same = matches!(entries.first(), Some(Entry::Began { key: found }) if found == key);
    same && !entries.contains(&Entry::Finished)
}

/// The runs below `out`, the newest first.
pub(crate) fn runs(out: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(out).into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| !path.is_symlink() && path.join(JOURNAL).is_file()).collect();
    runs.sort();
    runs.reverse();
    runs
}
