//! The arguments of `colobus race`.

use std::path::PathBuf;

use clap::Args;

use super::{BrowserArgs, RemoteArgs, ResultArgs, at_least};

#[derive(Debug, Args)]
pub struct RaceArgs {
    /// The page. Left out if a configuration says it
    #[arg(value_name = "URL", required_unless_present_any = ["config", "recording"])]
    pub url: Option<String>,
    /// What the user does: a recording. Without one, Colobus clicks and types by itself, chosen by the seed
    #[arg(long, value_name = "FILE")]
    pub recording: Option<PathBuf>,
    /// A configuration whose [app] is started and opened; it is not reset between orders, whose answers are those of the recording
    #[arg(short, long, value_name = "PATH")]
    pub config: Option<PathBuf>,
    /// Execute orders within N reversals of the recorded one; 0 for any number
    #[arg(long, value_name = "N", default_value = "2")]
    pub bound: usize,
    /// Execute at most N orders
    #[arg(long, value_name = "N", value_parser = at_least::<1>)]
    pub schedules: Option<usize>,
    /// Decides random numbers of the page, and what is clicked if there is no recording
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// How often every finding is run again
    #[arg(long, value_name = "N", default_value = "10")]
    pub repeat: usize,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
    #[command(flatten)]
    pub browser: BrowserArgs,
}
