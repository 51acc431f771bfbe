//! `colobus ot explain`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use colobus_ot::{Model, Verdict};

use super::check::explained;
use super::flags::{SearchFlags, SettingFlags};
use super::output::{OutputFlags, print_replay, replay_file};
use super::{function, progress};
use crate::output::{print, tell};

#[derive(clap::Args, Debug)]
pub struct ExplainArgs {
    /// The transformation function; see `colobus ot list`
    #[arg(required_unless_present = "scenario")]
    function: Option<String>,

    /// Explain this scenario instead of the smallest violation
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,

    #[command(flatten)]
    setting: SettingFlags,

    #[command(flatten)]
    search: SearchFlags,

    #[command(flatten)]
    output: OutputFlags,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: ExplainArgs) -> anyhow::Result<ExitCode> {
    let replay = match &args.scenario {
        Some(path) => Some(replay_file(path, args.function.as_deref())?.1),
        None => {
            let entry = function(args.function.as_deref().context("name a function")?)?;
            let setting = args.setting.resolve()?;
            progress::agreed_orders(entry, &setting, &args.search)?;
            let outcome = progress::watched(args.search.progress, "evaluations", args.search.resolve(), |options| {
                entry.function.check(&setting, Model::Fast, options)
            })?;
            if outcome.verdict == Verdict::Unknown {
                tell(&format!("no violation in the {} orders that the limit allowed", outcome.explored));
                return Ok(ExitCode::from(2));
            }
            explained(entry, &outcome, &args.search)?
        }
    };
    let Some(replay) = replay else {
        print("convergence holds within these bounds: there is nothing to explain\n")?;
        return Ok(ExitCode::SUCCESS);
    };
    args.output.write(&replay)?;
    print_replay(&replay, args.json)?;
    Ok(ExitCode::from(u8::from(!replay.converges)))
}
