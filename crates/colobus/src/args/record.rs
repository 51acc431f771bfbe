//! Arguments of the commands around recorded sessions.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use colobus_export::EXPORTERS;
use colobus_record::Origin;
use colobus_record::exchange::Format;

use super::duration::parse_duration;
use super::{BrowserArgs, LogArgs, RemoteArgs, ResultArgs, at_least};

#[derive(Debug, Args)]
pub struct RecordArgs {
    /// The page to begin with
    #[arg(value_name = "URL")]
    pub url: String,
    /// Where to write the recording
    #[arg(short, long = "output", value_name = "FILE", default_value = "session.rec")]
    pub output: PathBuf,
    /// How many users: each gets a window of their own
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least::<1>)]
    pub clients: usize,
    /// Also add what the user does to the configuration, as an action with this name
    #[arg(long, value_name = "NAME")]
    pub as_action: Option<String>,
    /// The configuration that gets the action: a file, or a folder with a colobus.toml; without one it is made as by
    /// `colobus init`
    #[arg(short, long, value_name = "PATH", default_value = "colobus.toml", requires = "as_action")]
    pub config: PathBuf,
    /// Never write what is typed into these elements; may be given several times
    #[arg(long, value_name = "SELECTOR")]
    pub redact: Vec<String>,
    /// Also write the network traffic, without cookies, credentials and secret fields, as a HAR file
    #[arg(long, value_name = "FILE")]
    pub har: Option<PathBuf>,
    /// Also learn what the server offers, and write it into this folder as `colobus learn` does
    #[arg(long, value_name = "DIR")]
    pub learn: Option<PathBuf>,
    /// The Chromium to use instead of the one that is found
    #[arg(long, value_name = "PATH")]
    pub browser: Option<PathBuf>,
    /// A browser that is running already: the address that it prints when it is started with --remote-debugging-port
    #[arg(long, value_name = "ws://…", conflicts_with_all = ["browser", "har", "learn"])]
    pub connect: Option<String>,
    #[command(flatten)]
    pub log: LogArgs,
}

#[derive(Debug, Args)]
pub struct StumbleArgs {
    /// The recording
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,
    /// A configuration that says how the application is started and reset, and which invariants it has: a file, or a
    /// folder with a colobus.toml
    #[arg(short, long, value_name = "PATH")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// How long a user waits who comes too late
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = parse_duration)]
    pub delay: Duration,
    /// How often to perform each finding again
    #[arg(long, value_name = "N", default_value = "2", value_parser = at_least::<1>)]
    pub repeat: usize,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The file of the other tool
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The recording to write; standard output if it is left out
    #[arg(short, long = "output", value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What `export --to` calls an `[[action]]`.
pub const TO_ACTION: &str = "action";

/// Everything that a finding or a recording can be exported to, each once.
pub fn export_formats() -> PossibleValuesParser {
    let findings = EXPORTERS.iter().map(|exporter| PossibleValue::new(exporter.name()).help(exporter.describe()));
    let known = |format: &Format| EXPORTERS.iter().any(|exporter| exporter.name() == format.name());
    let recordings = Format::ALL.into_iter().filter(move |format| !known(format));
    let recordings = recordings.map(|format| PossibleValue::new(format.name()).help(format.describe()));
    let action = PossibleValue::new(TO_ACTION).help("an [[action]] for a colobus.toml; for recordings of one user");
    PossibleValuesParser::new(findings.chain(recordings).chain([action]))
}

/// Where a recording is performed.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// Of a recording: the application to perform it at, such as http://127.0.0.1:8080; further ones may be opened, too.
    /// The url of the configuration if it is left out
    #[arg(long, value_name = "URL")]
    pub at: Vec<Origin>,
}

/// How a recording is replayed; a finding needs none of it.
#[derive(Debug, Args)]
pub struct PlayArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Of a recording: how long to wait before each line
    #[arg(long, value_name = "SPEED", default_value = "fast")]
    pub speed: Speed,
    /// Of a recording: stop after this line of events
    #[arg(long, value_name = "N", value_parser = at_least::<1>)]
    pub until: Option<usize>,
    /// Of a recording: an element that is not where it was is an error
    #[arg(long)]
    pub strict: bool,
    /// Of a recording: record the replay anew, with the elements as they are now
    #[arg(long, value_name = "FILE")]
    pub update: Option<PathBuf>,
    /// Replay it in a browser that is running already, at the address that it prints when it is started with
    /// --remote-debugging-port
    #[arg(long, value_name = "ws://…", conflicts_with = "browser")]
    pub connect: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Speed {
    /// As long as the user waited
    Recorded,
    /// Until the page has settled
    Fast,
    /// Not at all
    None,
}
