//! Arguments of `colobus reach`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use colobus_reach::line::Line;

use super::duration::parse_duration;
use super::{BrowserArgs, RemoteArgs, ResultArgs, at_least};

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 reached, 1 not reached, 2 could not run.")]
#[command(group(clap::ArgGroup::new("wanted").required(true).multiple(true)))]
pub struct ReachArgs {
    /// The page
    #[arg(value_name = "URL")]
    pub url: String,
    /// The lines to reach, such as app.js:120; `index.html` is the page itself
    #[arg(value_name = "FILE:LINE", group = "wanted")]
    pub lines: Vec<Line>,
    /// Reach every branch that neither exploring the page nor a random monkey does, easiest first
    #[arg(long, group = "wanted")]
    pub uncovered: bool,
    /// Reach the lines that this file lists, and try the ways to them that it knows
    #[arg(long, value_name = "FILE.toml", group = "wanted")]
    pub targets: Option<PathBuf>,
    /// How many sequences to explore, and to perform at random, before what is left is searched for (--uncovered)
    #[arg(long, value_name = "N", default_value = "60", value_parser = at_least::<1>)]
    pub budget: usize,
    /// Search in this model of the page, edited by hand, in place of the one that crawling makes: the ui-model.txt of a run
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Print the summaries of all handlers, the model of the user interface, and the search
    #[arg(long)]
    pub explain: bool,
    /// How many partial sequences to extend
    #[arg(long, value_name = "N", default_value = "500", value_parser = at_least::<1>)]
    pub iterations: usize,
    /// Stop crawling after this many runs of handlers, and search with what is known then
    #[arg(long, value_name = "N", default_value = "400", value_parser = at_least::<1>)]
    pub crawl_runs: usize,
    /// The same after this time, such as 90s or 5m
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration)]
    pub crawl_time: Duration,
    /// Stop the search for a line after this time
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_duration)]
    pub line_time: Duration,
    /// How many lines are searched for side by side, each with a browser of its own
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least::<1>)]
    pub workers: usize,
    /// How often events that reach a line are performed again
    #[arg(long, value_name = "N", default_value = "1")]
    pub repeat: usize,
    /// Write every answer and what it took into this file as well
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Search without a part of the method, to see what it is worth
    #[arg(long, value_name = "PART", hide = true)]
    pub without: Option<Without>,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

/// Parts of the method that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Without {
    /// All partial sequences have the same priority.
    Priorities,
    /// Events need and change nothing: the model alone is searched.
    Summaries,
    /// Nothing is searched from the start.
    Forward,
}
