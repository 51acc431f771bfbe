//! [`RunOptions`]: how a search is run, whatever is searched.

use std::path::{Path, PathBuf};
use std::time::Duration;

use colobus_model::Tolerance;

use crate::StopSignal;

#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The search ends after this many root causes.
    pub max_findings: Option<usize>,
    /// The run ends after this long, preparation and reduction included; what was found is reported, reduced or not. A limit that `stop` has
    /// already begins earlier, and counts.
    pub timeout: Option<Duration>,
    /// How often every finding is run again.
    pub repeat: usize,
    /// The folder of all runs; this one gets a folder of its own in it.
    pub out: PathBuf,
    /// Continue the newest run in `out` if it is the same search and was interrupted.
    pub resume: bool,
    /// What is accepted before the search is in doubt.
    pub tolerance: Tolerance,
    pub stop: StopSignal,
}

impl RunOptions {
    /// Without limits, in this folder, with three repetitions.
    pub fn new(out: &Path) -> RunOptions {
        RunOptions {
            max_findings: None,
            timeout: None,
            repeat: 3,
            out: out.to_path_buf(),
            resume: false,
            tolerance: Tolerance::default(),
            stop: StopSignal::default(),
        }
    }
}
