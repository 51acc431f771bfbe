//! Arguments of `colobus explore`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use colobus_explore::{DEFAULT_WALK, PRIORITIES};

use super::{BrowserArgs, RemoteArgs, ResultArgs, at_least};

#[derive(Debug, Args)]
pub struct ExploreArgs {
    /// The page to explore
    #[arg(value_name = "URL")]
    pub url: String,
    /// Answer in the server's place as this description says, which `colobus learn` wrote; what it does not describe
    /// goes to the server
    #[arg(long, value_name = "FILE.ail")]
    pub server: Option<PathBuf>,
    /// Begin with what these recordings do, and go on from there: a recording, a finding of `colobus reach`, or the folder of its run
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub seeds: Vec<PathBuf>,
    /// How many sequences of events to run
    #[arg(long, value_name = "N", default_value = "300", value_parser = at_least::<1>)]
    pub budget: usize,
    /// How many events follow each sequence, in the page as it is then; 0 opens the page afresh for every event
    #[arg(long, value_name = "N", default_value_t = DEFAULT_WALK)]
    pub walk: usize,
    /// Write which code ran, by file and line, as HTML and for lcov
    #[arg(long)]
    pub coverage: bool,
    /// Which sequences come first
    #[arg(long, value_name = "NAME", default_value = PRIORITIES[0].name(), value_parser = priorities())]
    pub priority: String,
    /// Where randomness comes from; the report shows it
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// How many browsers run side by side. With a real server they share it, unless `--server` answers in its place
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least::<1>)]
    pub workers: usize,
    /// A configuration that says how the application is started and reset: a file, or a folder with a colobus.toml
    #[arg(short, long, value_name = "PATH")]
    pub config: Option<PathBuf>,
    /// Stop after so many root causes
    #[arg(long, value_name = "N", value_parser = at_least::<1>)]
    pub max_findings: Option<usize>,
    /// How often to run each finding again
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least::<1>)]
    pub repeat: usize,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

/// Priorities that need nothing but what a browser tells by itself.
fn priorities() -> PossibleValuesParser {
    let offered = PRIORITIES.iter().filter(|priority| !priority.needs_accesses());
    PossibleValuesParser::new(offered.map(|priority| PossibleValue::new(priority.name()).help(priority.describe())))
}
