//! Arguments of `colobus reach`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use colobus_reach::line::Line;

use super::duration::parse_duration;
use super::{BrowserArgs, at_least};

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 reached, 1 not reached, 2 could not run.")]
pub struct ReachArgs {
    /// The page
    #[arg(value_name = "URL")]
    pub url: String,
    /// The line to reach, such as app.js:120; `index.html` is the page itself
    #[arg(value_name = "FILE:LINE")]
    pub line: Line,
    /// Print the summaries of all handlers, the model of the user interface, and the search
    #[arg(long)]
    pub explain: bool,
    /// How many partial sequences to extend
    #[arg(long, value_name = "N", default_value = "500", value_parser = at_least::<1>)]
    pub iterations: usize,
    /// Stop crawling after this time, such as 90s or 5m
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = parse_duration)]
    pub timeout: Duration,
    /// The folder in which the recording and the test are written
    #[arg(long, value_name = "DIR", default_value = "colobus-out/reach")]
    pub out: PathBuf,
    #[command(flatten)]
    pub browser: BrowserArgs,
}
