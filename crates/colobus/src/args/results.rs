//! [`ResultArgs`]: when a search ends and where its results go, of every command that searches.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use colobus_model::Tolerance;
use colobus_report::{REPORTERS, Reporter};
use colobus_run::{RunOptions, StopSignal};

use super::duration::parse_duration;
use super::percent::parse_percent;

/// Where searches leave their results unless they are told otherwise.
pub const RESULTS: &str = "colobus-out";

#[derive(Debug, Args)]
pub struct ResultArgs {
    /// The folder of all runs
    #[arg(long, value_name = "DIR", default_value = RESULTS)]
    pub out: PathBuf,
    /// Stop after this time, such as 90s, 5m or 1h30m; what is not reduced by then is reported as it was seen
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Continue the newest run, if it was interrupted
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    /// How to tell what happens
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = REPORTERS[0].name, value_parser = reporters())]
    pub reporter: Vec<Reporter>,
}

/// The names of all reporters.
fn reporters() -> impl TypedValueParser<Value = Reporter> {
    let names = REPORTERS.iter().map(|reporter| PossibleValue::new(reporter.name).help(reporter.describe));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Reporter>())
}

impl ResultArgs {
    /// What the run loop is told.
    pub fn options(&self, repeat: usize, stop: &StopSignal) -> RunOptions {
        RunOptions {
            max_findings: None,
            timeout: self.timeout,
            repeat,
            out: self.out.clone(),
            resume: self.resume,
            tolerance: self.tolerance.into(),
            stop: stop.clone(),
        }
    }
}

/// When a search without a finding ends with 0 all the same.
#[derive(Clone, Copy, Debug, Args)]
pub struct ToleranceArgs {
    /// Accept this share of interactions of which nothing can be said, such as 20%
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = parse_percent)]
    pub allow_unknown: f64,
    /// Accept a search that ended before everything was run, for instance by --timeout
    #[arg(long)]
    pub allow_partial: bool,
}

impl From<ToleranceArgs> for Tolerance {
    fn from(args: ToleranceArgs) -> Tolerance {
        Tolerance { unknown: args.allow_unknown, partial: args.allow_partial }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    /// What the run loop is told by a command line.
    fn tolerance(command: &str) -> Tolerance {
        let results = match Cli::try_parse_from(command.split(' ')).unwrap().command {
            Command::Check(args) => args.run.results,
            Command::Explore(args) => args.results,
            Command::Race(args) => args.results,
            Command::Reach(args) => args.results,
            Command::Stumble(args) => args.results,
            other => panic!("{other:?} does not search"),
        };
        results.options(1, &StopSignal::default()).tolerance
    }

    #[test]
    fn what_the_user_accepts_is_what_the_run_is_told() {
        for search in ["check", "explore http://a/", "race http://a/", "reach http://a/ a.js:1", "stumble a.rec"] {
            assert_eq!(tolerance(&format!("colobus {search}")), Tolerance::default(), "{search}");
            let accepted = tolerance(&format!("colobus {search} --allow-unknown 20% --allow-partial"));
            assert_eq!(accepted, Tolerance { unknown: 0.2, partial: true }, "{search}");
        }
    }
}
