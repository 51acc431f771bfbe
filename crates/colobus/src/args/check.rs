//! The arguments of `colobus check`, in groups that other commands share.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use colobus_driver::BrowserChoice;
use colobus_run::{FaultKind, FaultKinds, OrderChoice, STRATEGIES, Shard, StopSignal};

use super::judge::JudgeChoice;
use super::shard::parse_shard;
use super::{BrowserArgs, ConfigArgs, RemoteArgs, ResultArgs, at_least};

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A page to look at when there is no configuration yet: what users can do there is found out, written to the
    /// configuration, and searched. `{doc}` in it stands for a fresh document
    #[arg(value_name = "URL")]
    pub url: Option<String>,
    /// Search the orders near the one in which several users acted, who were recorded with `colobus record --clients 2`:
    /// what they did takes the place of the configuration's actions
    #[arg(long, value_name = "RECORDING")]
    #[arg(conflicts_with_all = ["url", "set", "actions", "depth", "clients", "same", "rounds", "prune", "naive", "strategy", "shard"])]
    pub around: Option<PathBuf>,
    /// Answer in the server's place as this description says, which `colobus learn` wrote; what it does not describe
    /// goes to the server
    #[arg(long, value_name = "FILE.ail", conflicts_with = "url")]
    pub server: Option<PathBuf>,
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// How a search is run, whatever the application.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub search: SearchArgs,
    /// What to judge on: pixels, dom or state; for one purpose alone: effect=dom, equivalence=dom or
    /// convergence=pixels,dom
    #[arg(long, value_name = "[PURPOSE=]ASPECT")]
    pub judge: Vec<JudgeChoice>,
    /// Run every interaction in up to N further orders of its messages, nearest reversals first
    #[arg(long, value_name = "N", value_parser = at_least::<1>)]
    pub schedules: Option<usize>,
    /// Run all orders within D conflict reversals of the natural one
    #[arg(long, value_name = "D")]
    pub bound: Option<usize>,
    /// How those orders are chosen
    #[arg(long, value_name = "NAME", default_value = STRATEGIES[0].name, value_parser = strategies())]
    pub strategy: OrderChoice,
    /// Run every order twice, and tell where the application does not repeat itself
    #[arg(long)]
    pub twice: bool,
    /// Log what pages read and write, and leave out orders that differ in events alone that touch nothing in common. Takes
    /// --schedules, --bound or --strategy to have an effect
    #[arg(long)]
    pub precise: bool,
    /// Add faults to them, of all kinds or of those that are named, with commas between
    #[arg(long, value_name = "KINDS", num_args = 0..=1, require_equals = true, value_delimiter = ',', value_parser = faults())]
    pub faults: Option<Vec<FaultKind>>,
    /// Run part I of N of the search; `colobus merge` joins the results
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Stop after so many root causes
    #[arg(long, value_name = "N", value_parser = at_least::<1>)]
    pub max_findings: Option<usize>,
    /// Where randomness comes from; the report shows it
    #[arg(long, value_name = "NUMBER", default_value = "0")]
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

/// The names of all strategies.
fn strategies() -> impl TypedValueParser<Value = OrderChoice> {
    let names = STRATEGIES.iter().map(|strategy| PossibleValue::new(strategy.name).help(strategy.describe));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<OrderChoice>())
}

fn faults() -> impl TypedValueParser<Value = FaultKind> {
    let names = FaultKind::ALL.into_iter().map(|kind| PossibleValue::new(kind.name()).help(kind.describe()));
    let named = |name: String| FaultKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or("no fault");
    PossibleValuesParser::new(names).try_map(named)
}

impl RunArgs {
    /// The faults that flags ask for; nothing if the configuration decides.
    pub fn fault_kinds(&self) -> Option<FaultKinds> {
        self.faults.as_ref().map(|named| match &named[..] {
            [] => FaultKinds::all(),
            named => named.iter().copied().collect(),
        })
    }

    /// The browsers to search with.
    pub fn browsers(&self, stop: &StopSignal) -> anyhow::Result<BrowserChoice> {
        Ok(BrowserChoice { logs_accesses: self.precise, ..self.remote.choose(&self.browser, stop)? })
    }
}

/// How far a search goes. What is left out comes from the configuration.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Use the actions of this set of the configuration
    #[arg(long, value_name = "NAME")]
    pub set: Option<String>,
    /// Use this action, beside those of --set; may be given several times. Without either, the configuration chooses
    #[arg(long = "action", value_name = "NAME")]
    pub actions: Vec<String>,
    /// Longest sequence of actions, the concurrent one included
    #[arg(short = 'k', long, value_name = "N", value_parser = at_least::<1>)]
    pub depth: Option<usize>,
    /// How many clients act at the same time
    #[arg(long, value_name = "N", value_parser = parse_clients)]
    pub clients: Option<usize>,
    /// Let clients perform the same action at the same time, too
    #[arg(long)]
    pub same: bool,
    /// Perform the concurrent actions N times, one round after the other
    #[arg(long, value_name = "N", value_parser = at_least::<1>)]
    pub rounds: Option<usize>,
    /// Leave out of phase 1 what comes after a state that looks and reads like one before it
    #[arg(long, conflicts_with = "naive")]
    pub prune: bool,
    /// Skip phase 1 and run all combinations in all states
    #[arg(long)]
    pub naive: bool,
    /// Browsers that work at the same time. One more than there are cores, but no more than eight or than memory allows, if it is left out
    #[arg(long, value_name = "N", value_parser = at_least::<1>)]
    pub workers: Option<usize>,
}

/// Clients are called A to Z.
fn parse_clients(text: &str) -> Result<usize, String> {
    match at_least::<2>(text)? {
        clients if clients <= 26 => Ok(clients),
        _ => Err("must be at most 26".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::args::{Cli, Command};

    #[test]
    fn faults_are_all_unless_some_are_named() {
        let kinds = |flag: &str| {
            let words = ["colobus", "check", "URL"].into_iter().chain((!flag.is_empty()).then_some(flag));
            match Cli::try_parse_from(words).unwrap().command {
                Command::Check(args) => args.run.fault_kinds().map(|kinds| kinds.to_string()),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(kinds(""), None);
        assert_eq!(kinds("--faults").unwrap(), "offline,reload,wait,tab,join");
        assert_eq!(kinds("--faults=tab,offline").unwrap(), "offline,tab");
    }
}
