//! The fast model: a sum of traces instead of a product of states. Per causal order, every valid trace of every site is
//! compared with one reference; if they all agree, so do all executions with that order.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::arrangement::{Arrangement, Converge, count_arrangements, visit_arrangements};
use crate::counterexample::Counterexample;
use crate::document::Ink;
use crate::outcome::{Model, Outcome, Verdict};
use crate::program::Program;
use crate::search::{Options, Until, search};
use crate::setting::{Setting, SettingError};
use crate::transformation::Transformation;

/// How many programs are kept at a time; this bounds the memory.
const BATCH: usize = 4096;

/// Check convergence.
pub fn check<T: Transformation>(function: &T, setting: &Setting, options: &Options) -> Result<Outcome, SettingError> {
    let mut outcome = Outcome::nothing_yet(Model::Fast);
    let mut batch = Vec::new();
    let ended = visit_arrangements::<T, ()>(setting, options.symmetry, &mut |arrangement, program| {
        batch.push((arrangement, program));
        if batch.len() < BATCH {
            ControlFlow::Continue(())
        } else {
            judge(function, setting, options, &mut outcome, &mut batch)
        }
    })?;
    if ended.is_continue() {
        let _ = judge(function, setting, options, &mut outcome, &mut batch);
    }
    Ok(outcome)
}

/// Judge a batch of arrangements and forget it; break when nothing more needs to be known.
fn judge<T: Transformation>(
    function: &T,
    setting: &Setting,
    options: &Options,
    outcome: &mut Outcome,
    batch: &mut Vec<(Arrangement, Program<Converge>)>,
) -> ControlFlow<()> {
    let (arrangements, programs): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
    if let Some(watch) = &options.watch {
        watch.total.fetch_max(assignments(setting).saturating_mul(programs.len() as u64), Ordering::Relaxed);
    }
    let limit = options.limit.map(|limit| limit.saturating_sub(outcome.evaluations));
    let options = Options { limit, ..options.clone() };
    let tally = search(function, setting, Ink::Character, &programs, Until::FirstFailure, &options);
    outcome.explored += tally.programs as u64;
    outcome.computed += programs.len() as u64;
    outcome.orders += programs.len() as u64;
    outcome.traces += arrangements.iter().map(|a| a.distinct_traces() as u64).sum::<u64>();
    outcome.transformations += programs.iter().map(|p| p.transformations() as u64).sum::<u64>();
    outcome.evaluations += tally.evaluations;
    outcome.memory = outcome.memory.max(programs.iter().map(footprint).sum());
    outcome.verdict = Verdict::of(tally.first.is_some(), tally.limited);
    outcome.counterexample = tally
        .first
        .map(|failure| Counterexample::choose(function, setting, &arrangements[failure.program], failure.signatures));
    if outcome.verdict == Verdict::Holds { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// How much work a check would be, found out without doing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Causal orders; at least that many if `exact` is false.
    pub orders: u64,
    /// Whether all orders were counted.
    pub exact: bool,
    /// Assignments of signatures in all those orders.
    pub evaluations: u64,
    /// Steps of the programs' innermost level, each a few nanoseconds.
    pub steps: u64,
}

/// The most orders that are worth counting.
const COUNTED: u64 = 500_000;

/// The most programs that are worth compiling for an estimate.
const SAMPLED: u64 = 12;

/// Estimate a check.
pub fn estimate<T: Transformation>(setting: &Setting, symmetry: bool) -> Result<Estimate, SettingError> {
    let orders = count_arrangements::<T>(setting, symmetry, COUNTED)?;
    let (mut sampled, mut steps) = (0, 0);
    let _ = visit_arrangements::<T, ()>(setting, symmetry, &mut |_, program| {
        sampled += 1;
        steps += program.levels.last().map_or(0, |level| level.forms.len() + level.texts.len()) as u64;
        if sampled < SAMPLED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let evaluations = orders.saturating_mul(assignments(setting));
    let per_evaluation = (steps / sampled.max(1)).max(1);
    let exact = orders < COUNTED;
    Ok(Estimate { orders, exact, evaluations, steps: evaluations.saturating_mul(per_evaluation) })
}

/// How many assignments of signatures each order has.
pub fn assignments(setting: &Setting) -> u64 {
    (setting.signatures().len() as u64).saturating_pow(setting.total() as u32)
}

fn footprint<G>(program: &Program<G>) -> u64 {
    64 * (program.forms.len() + program.texts.len()) as u64
}
