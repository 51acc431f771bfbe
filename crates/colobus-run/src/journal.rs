//! [`Journal`]: what a run has done so far, written as it goes. An interrupted run continues from it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use colobus_model::{BrowserPlace, Finding, PersonalPlace};
use serde::{Deserialize, Serialize};

use crate::feedback::Feedback;
use crate::line_file::LineFile;
use crate::results::Results;
use crate::{Cause, Ending, RunError};

pub(crate) const JOURNAL: &str = "journal.jsonl";

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Entry {
    /// First line: which search this is. Equal keys are equal searches.
    Began { key: String },
    /// What has to be known before the search is known.
    Prepared(Preparation),
    /// A job was run. Of several lines for one job the last counts.
    Result(Box<JobResult>),
    /// The failures of these jobs, which have one cause, are reduced to these findings.
    Reduced { failures: Vec<usize>, findings: Vec<Finding> },
    /// Last line: nothing is left to do.
    Finished,
}

/// How long the preparation took, and whether it came from an earlier run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Preparation {
    pub seconds: f64,
    pub reused: bool,
}

/// One job, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobResult {
    /// Jobs count from zero, in the order in which the search gave them.
    pub job: usize,
    pub ending: Ending,
    /// Of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Where clients differ by design.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub personal: Vec<PersonalPlace>,
    /// Milliseconds of each of its executions.
    pub took_ms: Vec<f64>,
    /// Of a failure on a node of a Grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub browser: Option<BrowserPlace>,
    #[serde(default)]
    pub notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Feedback::is_empty")]
    pub feedback: Feedback,
}

pub(crate) struct Journal {
    file: LineFile,
    /// What an earlier process wrote, but results.
    earlier: Vec<Entry>,
    results: Results,
}

impl Journal {
    /// Opens the journal of the search with this key, and begins it if it is new.
    pub fn open(folder: &Path, key: &str) -> Result<Journal, RunError> {
        let (mut earlier, mut results) = (Vec::new(), Results::default());
        let file = LineFile::open(&folder.join(JOURNAL), |entry| match entry {
            Entry::Result(ran) => results.insert(*ran),
            other => earlier.push(other),
        })?;
        let mut journal = Journal { file, earlier, results };
        if journal.earlier.is_empty() {
            journal.write(&Entry::Began { key: key.to_string() })?;
        }
        Ok(journal)
    }

    pub fn write(&mut self, entry: &Entry) -> Result<(), RunError> {
        self.file.append(entry)
    }

    pub fn preparation(&self) -> Option<Preparation> {
        self.earlier.iter().find_map(|entry| match entry {
            Entry::Prepared(preparation) => Some(*preparation),
            _ => None,
        })
    }

    /// What earlier processes know for certain: jobs of which nothing can be said, and failures whose cause is not known,
    /// are run again. They are no longer here afterwards: a large search should not be twice in memory.
    pub fn take_results(&mut self) -> Results {
        let mut results = std::mem::take(&mut self.results);
        results.keep_certain();
        results
    }

    /// The findings of exactly these failures, if they are reduced and are numbered from `first` on.
    pub fn reduced(&self, failures: &[usize], first: usize) -> Option<&[Finding]> {
        self.earlier.iter().rev().find_map(|entry| match entry {
            Entry::Reduced { failures: of, findings }
                if of == failures && findings.first().is_some_and(|finding| finding.id == first) =>
            {
                Some(findings.as_slice())
            }
            _ => None,
        })
    }
}

/// Whether the run in this folder is the search with this key, and was interrupted.
pub(crate) fn can_continue(folder: &Path, key: &str) -> bool {
    let Ok(file) = File::open(folder.join(JOURNAL)) else { return false };
    let mut lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    let first = serde_json::from_slice(&lines.next().unwrap_or_default());
    let same = matches!(first, Ok(Entry::Began { key: found }) if found == key);
    let is_end = |line: &[u8]| matches!(serde_json::from_slice(line), Ok(Entry::Finished));
    same && !lines.any(|line| line.starts_with(b"\"") && is_end(&line))
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
