//! `colobus ot`: the command line of the model checker for operational transformation.

mod check;
mod explain;
mod flags;
mod js;
mod list;
mod output;
mod paper;
mod progress;
mod prove;
mod tp;

use std::process::ExitCode;

use anyhow::anyhow;
use colobus_ot::functions::{Entry, FUNCTIONS, by_name, nearest_name};

/// Check transformation functions: convergence, TP1, TP2, intention anomalies
#[derive(clap::Args, Debug)]
pub struct OtArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// List the transformation functions
    List(list::ListArgs),
    /// Check convergence: verdict, counts, a scenario
    Check(check::CheckArgs),
    /// Check TP1 and TP2, with fresh parameters and with those that operations can reach
    Tp(tp::TpArgs),
    /// Prove TP1 and TP2 for all positions and texts, or find a counterexample; needs z3 or cvc5
    Prove(prove::ProveArgs),
    /// Reproduce the tables of Boucheneb and Imine, theirs beside ours
    Paper(paper::PaperArgs),
    /// Show the smallest violation, or a scenario file, step by step
    Explain(explain::ExplainArgs),
}

/// Run the command.
pub fn run(args: OtArgs) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List(args) => list::run(args),
        Command::Check(args) => check::run(args),
        Command::Tp(args) => tp::run(args),
        Command::Prove(args) => prove::run(args),
        Command::Paper(args) => paper::run(args),
        Command::Explain(args) => explain::run(args),
    }
}

/// The function with a name, or an error that suggests the nearest one.
fn function(name: &str) -> anyhow::Result<&'static Entry> {
    by_name(name).ok_or_else(|| {
        let known = FUNCTIONS.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
        anyhow!("there is no function `{name}`; did you mean `{}`? (known: {known})", nearest_name(name))
    })
}
