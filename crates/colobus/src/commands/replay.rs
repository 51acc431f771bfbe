//! `colobus replay`: runs a finding again, in the same order, and says whether it comes back.

use std::process::ExitCode;

use anyhow::bail;
use colobus_run::{Judgement, Replay};
use colobus_trace::Trace;

use super::finding;
use crate::args::ReplayArgs;
use crate::output::print;
use crate::session::Session;
use crate::{FOUND_SOMETHING, stop};

pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let trace = finding::load(&args.finding, &args.out)?;
    let stop = stop::on_interrupt()?;
    let session = Session::start(&trace.application, &args.browser)?;
    print(&introduction(&trace))?;
    let replay =
        colobus_run::replay(&trace, &session.browsers, args.times, &stop).map_err(|error| session.explain(error))?;
    print(&conclusion(&replay))?;
    if stop.is_set() {
        bail!("interrupted after {} of {} executions", replay.again.len(), args.times);
    }
    exit_code(&replay)
}

fn introduction(trace: &Trace) -> String {
    format!("{}\norder: {}\n", trace.interaction, trace.schedule)
}

fn conclusion(replay: &Replay) -> String {
    let mut text = format!("recorded: {}\n", describe(&replay.recorded));
    for (index, judgement) in replay.again.iter().enumerate() {
        text.push_str(&format!("run {}: {}\n", index + 1, describe(judgement)));
    }
    let (reproduced, times) = (replay.reproduced(), replay.again.len());
    text.push_str(&match (reproduced, times) {
        (0, _) => "not reproduced\n".to_string(),
        (1, 1) => "reproduced\n".to_string(),
        _ => format!("reproduced {reproduced} of {times} times\n"),
    });
    text
}

fn describe(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Pass => "nothing is wrong".to_string(),
        Judgement::Fail { check, difference } => format!("{check} fails ({}): {}", difference.kind, difference.summary),
        Judgement::Unknown(reason) => format!("nothing can be said: {reason}"),
        Judgement::NotApplicable(reason) => format!("an action does not apply: {reason}"),
    }
}

fn exit_code(replay: &Replay) -> anyhow::Result<ExitCode> {
    let failed = |judgement: &Judgement| matches!(judgement, Judgement::Fail { .. });
    let judged = |judgement: &Judgement| matches!(judgement, Judgement::Pass | Judgement::NotApplicable(_));
    if replay.again.iter().any(failed) {
        Ok(ExitCode::from(FOUND_SOMETHING))
    } else if replay.again.iter().any(judged) {
        Ok(ExitCode::SUCCESS)
    } else {
        bail!("nothing can be said of the finding: see the reasons above");
    }
}
