//! The command line, as it is written. Each command has its arguments here and does its work in [`crate::commands`].

mod check;
#[cfg(test)]
mod documented;
mod duration;
mod explore;
mod grid;
mod judge;
mod learn;
mod percent;
mod race;
mod reach;
mod record;
mod results;
mod send;
mod shard;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use colobus_driver::BrowserChoice;
use colobus_record::Origin;

use crate::logging::{LOG_FILE, LogLevel};
use crate::ot::OtArgs;
pub use check::{CheckArgs, RunArgs, SearchArgs};
pub use explore::ExploreArgs;
pub use grid::{GridArgs, RemoteArgs, THE_GRID_ANSWERED};
pub use learn::{LearnArgs, MockArgs, Values};
pub use race::RaceArgs;
pub use reach::{ReachArgs, Without};
pub use record::{ImportArgs, PlayArgs, RecordArgs, Speed, StumbleArgs, TO_ACTION};
pub use results::{RESULTS, ResultArgs};
pub use send::{OpenArgs, Region, SendArgs};

/// Finds what users can do together to make a collaborative web application go wrong.
#[derive(Debug, Parser)]
#[command(name = "colobus", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 searched and nothing found, 1 findings, 2 could not run or in doubt.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Search an application for concurrent actions after which its users disagree
    Check(CheckArgs),
    /// Live with a cause of the newest run for now: searches fail on others only
    Accept(AcceptArgs),
    /// Run a finding, or a recording, again
    Replay(ReplayArgs),
    /// Write a finding as a test that runs without Colobus, or a recording for another tool
    Export(ExportArgs),
    /// Read a session that another tool recorded: Chrome's Recorder (JSON) or Selenium IDE (.side)
    Import(ImportArgs),
    /// Record what users do in a browser window
    Record(RecordArgs),
    /// Make the mistakes of people in a recording, and see what the application does then
    Stumble(StumbleArgs),
    /// Load one page with its events in other orders, and see what goes wrong
    Race(RaceArgs),
    /// Put a recording, your words and a picture into one file for the developers
    Send(SendArgs),
    /// Open a file that a user has made with `send`
    Open(OpenArgs),
    /// Explore a front end by what its code does, and see what goes wrong
    Explore(ExploreArgs),
    /// Find what a user must do for a line of a front end to run
    Reach(ReachArgs),
    /// Learn what a server offers from recorded traffic
    Learn(LearnArgs),
    /// Answer in the place of a server, as a description says
    Mock(MockArgs),
    /// Look whether a Selenium Grid can be used
    Doctor(DoctorArgs),
    /// Write a commented colobus.toml to start from
    Init(InitArgs),
    /// Print the JSON Schema of colobus.toml
    Schema,
    /// Print what `check` would run, and how long it might take
    List(ListArgs),
    /// Search the built-in editor, with its seeded bugs
    Demo(DemoArgs),
    /// Serve the built-in editor
    ServeDemo(ServeDemoArgs),
    /// Join the results of the shards of one search
    Merge(MergeArgs),
    /// Check the transformation functions of operational transformation
    Ot(OtArgs),
}

/// Where the configuration is.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// The configuration: a file, or a folder with a colobus.toml
    #[arg(short, long, value_name = "PATH", default_value = "colobus.toml")]
    pub config: PathBuf,
}

impl Command {
    /// How much is logged, and where: beside the results of commands that drive browsers.
    pub fn log(&self) -> Option<(LogLevel, PathBuf)> {
        let (args, path) = match self {
            Command::Check(args) => (&args.run.browser.log, args.run.results.out.join(LOG_FILE)),
            Command::Demo(args) => (&args.run.browser.log, args.run.results.out.join(LOG_FILE)),
            Command::Explore(args) => (&args.browser.log, args.results.out.join(LOG_FILE)),
            Command::Race(args) => (&args.browser.log, args.results.out.join(LOG_FILE)),
            Command::Reach(args) => (&args.browser.log, args.results.out.join(LOG_FILE)),
            Command::Stumble(args) => (&args.browser.log, args.results.out.join(LOG_FILE)),
            Command::Export(args) => (&args.browser.log, args.out.join(LOG_FILE)),
            Command::Replay(args) => (&args.browser.log, args.out.join(LOG_FILE)),
            Command::Record(args) => (&args.log, args.output.with_extension("log")),
            Command::Send(args) => (&args.browser.log, args.output().with_extension("log")),
            Command::Accept(_)
            | Command::Import(_)
            | Command::Open(_)
            | Command::Learn(_)
            | Command::Mock(_)
            | Command::Doctor(_)
            | Command::Init(_)
            | Command::Schema
            | Command::List(_)
            | Command::ServeDemo(_)
            | Command::Merge(_)
            | Command::Ot(_) => return None,
        };
        Some((args.log?, path))
    }
}

/// What is written down of the work of browsers and proxies.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// Write a log beside the results: what is said to the browsers, what the gates decide, how long settling takes
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<LogLevel>,
}

/// Which browser is used, and how.
#[derive(Debug, Args)]
pub struct BrowserArgs {
    /// Show the browser windows
    #[arg(long)]
    pub headed: bool,
    /// The Chromium to use instead of the one that is found
    #[arg(long, value_name = "PATH")]
    pub browser: Option<PathBuf>,
    #[command(flatten)]
    pub log: LogArgs,
}

impl BrowserArgs {
    /// Browsers of this machine.
    pub fn here(&self) -> BrowserChoice {
        BrowserChoice { path: self.browser.clone(), headed: self.headed, ..BrowserChoice::default() }
    }
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A recording, or a finding: its folder, its trace.json, its number in the newest run below colobus-out, or the
    /// line that a report prints, such as 'type a, (type b || Enter) : A1 B1 ~'
    #[arg(value_name = "FINDING")]
    pub finding: String,
    /// Where the application is described, and the actions of a line are: a file, or a folder with a colobus.toml; demo:BUG for the built-in editor
    #[arg(short, long, value_name = "PATH", default_value = "colobus.toml")]
    pub config: PathBuf,
    /// The recording around which the search went that found a line
    #[arg(long, value_name = "RECORDING")]
    pub around: Option<PathBuf>,
    /// Run the commands that a finding names although the configuration does not have them
    #[arg(long)]
    pub trust: bool,
    /// Of a finding of `check`: show each event before it happens, and wait for Enter if there is a terminal to press it on
    #[arg(long)]
    pub step: bool,
    /// Of a finding: how often to run it
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least::<1>)]
    pub times: usize,
    /// The folder of all runs, in which a number is looked for
    #[arg(long, value_name = "DIR", default_value = RESULTS)]
    pub out: PathBuf,
    #[command(flatten)]
    pub play: PlayArgs,
    #[command(flatten)]
    pub grid: GridArgs,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub grid: GridArgs,
}

#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// The number of the cause in the report of the newest run
    #[arg(value_name = "CAUSE")]
    pub cause: usize,
    /// Why, for instance the number of an issue
    #[arg(long, value_name = "TEXT")]
    pub why: String,
    /// The folder of all runs
    #[arg(long, value_name = "DIR", default_value = RESULTS)]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// A recording, or a finding: its folder, its trace.json, its number in the newest run below colobus-out, or the
    /// line that a report prints, which is run once to see how it fails
    #[arg(value_name = "FINDING")]
    pub finding: String,
    /// What runs it
    #[arg(long, value_name = "NAME", value_parser = record::export_formats())]
    pub to: String,
    /// The configuration of the application, with the actions of a line: a finding that names other commands is not exported
    #[arg(short, long, value_name = "PATH", default_value = "colobus.toml")]
    pub config: PathBuf,
    /// The recording around which the search went that found a line
    #[arg(long, value_name = "RECORDING")]
    pub around: Option<PathBuf>,
    /// Export the commands that a finding names although the configuration does not have them
    #[arg(long)]
    pub trust: bool,
    /// What an action is called; as the recording if it is left out
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Of a recording: perform it twice at this application, and assert what its pages show at the end both times
    #[arg(long, value_name = "URL")]
    pub at: Vec<Origin>,
    /// The file to write, such as tests/insert-order.spec.mjs; standard output if it is left out
    #[arg(short, long = "output", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The folder of all runs, in which a number is looked for
    #[arg(long, value_name = "DIR", default_value = RESULTS)]
    pub out: PathBuf,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// Where to write: a file or a folder
    #[arg(value_name = "PATH", default_value = "colobus.toml")]
    pub path: PathBuf,
    /// The page of your application; `{doc}` stands for a fresh document
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Overwrite a file that is there
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Seed this bug only; may be given several times, and `all` seeds nine together. Left out: five of different kinds
    #[arg(long = "bug", value_name = "NAME", conflicts_with = "correct")]
    pub bugs: Vec<String>,
    /// Seed no bug: nothing should be found
    #[arg(long)]
    pub correct: bool,
    /// The port of the editor; another one if it is taken
    #[arg(long, value_name = "PORT", default_value = "8127")]
    pub port: u16,
    /// Do not open the report page
    #[arg(long)]
    pub no_open: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Debug, Args)]
pub struct ServeDemoArgs {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value = "8080")]
    pub port: u16,
    /// Seed this bug; may be given several times. `all` seeds nine together, `tour` five of different kinds
    #[arg(long = "bug", value_name = "NAME")]
    pub bugs: Vec<String>,
    /// End when the process that started this one does, even if it was killed
    #[arg(long)]
    pub end_with_parent: bool,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The folders of the runs, each with a report.json
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Where the joined results go
    #[arg(short, long = "out", value_name = "DIR")]
    pub output: PathBuf,
}

/// A whole number that must not be smaller than `MINIMUM`.
fn at_least<const MINIMUM: usize>(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number >= MINIMUM => Ok(number),
        Ok(_) => Err(format!("must be at least {MINIMUM}")),
        Err(_) => Err("must be a whole number".to_string()),
    }
}
