//! Phase 2: runs the interactions, each in its orders, until one fails.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use colobus_check::Judgement;
use colobus_driver::{World, WorldError};
use colobus_explore::orders;
use colobus_trace::{Interaction, Phase, RunEvent, Trace};

use crate::execute::{Setup, execute};
use crate::journal::{Entry, Journal, Ran, RanOutcome};
use crate::output::save_trace;
use crate::reduce::group_count;
use crate::workers::{Done, Workers};
use crate::{RunConfig, RunError};

/// An interaction with its place in the whole search.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub index: usize,
    pub interaction: Interaction,
}

/// Where the trace of a failing interaction is kept until it is reduced.
pub(crate) fn failure_folder(run: &Path, index: usize) -> std::path::PathBuf {
    run.join("failures").join(index.to_string())
}

/// Runs the candidates that the journal does not have yet and adds them to `ran`.
#[allow(clippy::too_many_arguments)] // each is a different thing, used once
pub(crate) fn search(
    config: &RunConfig,
    setup: &Setup,
    candidates: &[Candidate],
    workers: &Workers,
    journal: &mut Journal,
    run: &Path,
    ran: &mut Vec<Ran>,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<Option<String>, RunError> {
    let started = Instant::now();
    let total = candidates.len();
    let left: Vec<&Candidate> =
        candidates.iter().filter(|candidate| ran.iter().all(|done| done.index != candidate.index)).collect();
    let mut stopped = None;
    let work = |world: &mut dyn World, candidate: &&Candidate| run_in_orders(world, setup, &candidate.interaction);
    workers.run(&left, &config.stop, work, |index, done| {
        let candidate = left[index];
        let result = match done {
            Done::Result((outcome, trace, took_ms)) => {
                if let Some(trace) = trace {
                    save_trace(&failure_folder(run, candidate.index), &trace)?;
                }
                Ran { index: candidate.index, outcome, took_ms }
            }
            Done::Unknown(reason) => {
                Ran { index: candidate.index, outcome: RanOutcome::Unknown(reason), took_ms: Vec::new() }
            }
        };
        journal.write(&Entry::Ran(result.clone()))?;
        tell(&candidate.interaction, &result.outcome, emit);
        ran.push(result);
        emit(RunEvent::Progress { phase: Phase::Search, done: ran.len(), total });
        stopped = reason_to_stop(config, started, candidates, ran);
        Ok(if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    ran.sort_by_key(|ran| ran.index);
    Ok(stopped.filter(|_| ran.len() < total))
}

type InOrders = (RanOutcome, Option<Trace>, Vec<f64>);

/// The first order that fails decides. What could not be judged in one order may still fail in another.
fn run_in_orders(world: &mut dyn World, setup: &Setup, interaction: &Interaction) -> Result<InOrders, WorldError> {
    let mut outcome = RanOutcome::Pass;
    let mut took_ms = Vec::new();
    for schedule in orders(interaction) {
        let begun = Instant::now();
        let (trace, judgement) = execute(world, setup, interaction, &schedule)?;
        took_ms.push(begun.elapsed().as_secs_f64() * 1000.0);
        match judgement {
            Judgement::Pass => {}
            Judgement::Fail { check, difference } => {
                let failed = RanOutcome::Fail { check: check.to_string(), difference, schedule };
                return Ok((failed, Some(trace), took_ms));
            }
            Judgement::NotApplicable(reason) => return Ok((RanOutcome::NotApplicable(reason), None, took_ms)),
            Judgement::Unknown(reason) => outcome = RanOutcome::Unknown(reason),
        }
    }
    Ok((outcome, None, took_ms))
}

fn tell(interaction: &Interaction, outcome: &RanOutcome, emit: &mut dyn FnMut(RunEvent)) {
    let (prefix, concurrent) = (interaction.prefix_names(), interaction.concurrent_names());
    match outcome {
        RanOutcome::Fail { check, difference, .. } => {
            let (check, summary) = (check.clone(), difference.summary.clone());
            emit(RunEvent::Failed { prefix, concurrent, check, summary });
        }
        RanOutcome::Unknown(reason) => {
            emit(RunEvent::Unknown { prefix, concurrent, reason: reason.clone() });
        }
        RanOutcome::Pass | RanOutcome::NotApplicable(_) => {}
    }
}

fn reason_to_stop(config: &RunConfig, started: Instant, candidates: &[Candidate], ran: &[Ran]) -> Option<String> {
    if config.max_findings.is_some_and(|most| group_count(candidates, ran) >= most) {
        return Some("as many root causes were found as --max-findings allows".into());
    }
    if config.timeout.is_some_and(|limit| started.elapsed() >= limit) {
        return Some("the time given by --timeout is over".into());
    }
    None
}
