//! The fast model: a sum of traces instead of a product of states. Per causal order, every valid trace of every site is
//! compared with one reference; if they all agree, so do all executions with that order.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::arrangement::{Arrangement, Converge, visit_arrangements};
use crate::counterexample::Counterexample;
use crate::document::Ink;
use crate::outcome::{Model, Outcome, Verdict};
use crate::program::Program;
use crate::search::{Options, Until, search};
use crate::setting::{Setting, SettingError};
use crate::transformation::Transformation;

/// Check convergence.
pub fn check<T: Transformation>(function: &T, setting: &Setting, options: &Options) -> Result<Outcome, SettingError> {
    let (arrangements, programs) = arrange::<T>(setting, options.symmetry)?;
    if let Some(watch) = &options.watch {
        watch.total.store(assignments(setting).saturating_mul(programs.len() as u64), Ordering::Relaxed);
    }
    let tally = search(function, setting, Ink::Character, &programs, Until::FirstFailure, options);
    let counterexample = tally
        .first
        .map(|failure| Counterexample::choose(function, setting, &arrangements[failure.program], failure.signatures));
    Ok(Outcome {
        verdict: Verdict::of(counterexample.is_some(), tally.limited),
        model: Model::Fast,
        explored: tally.programs as u64,
        computed: programs.len() as u64,
        orders: programs.len() as u64,
        traces: arrangements.iter().map(|a| a.distinct_traces() as u64).sum(),
        transformations: programs.iter().map(|p| p.transformations() as u64).sum(),
        evaluations: tally.evaluations,
        memory: programs.iter().map(|p| footprint(p)).sum(),
        counterexample,
    })
}

/// How many assignments of signatures each order has.
pub fn assignments(setting: &Setting) -> u64 {
    (setting.signatures().len() as u64).saturating_pow(setting.total() as u32)
}

/// How many arrangements a setting has, counting no further than `most`.
pub fn count_orders<T: Transformation>(setting: &Setting, symmetry: bool, most: u64) -> Result<u64, SettingError> {
    let mut count = 0;
    let _ = visit_arrangements::<T, ()>(setting, symmetry, &mut |_, _| {
        count += 1;
        if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(count)
}

type Arranged = (Vec<Arrangement>, Vec<Program<Converge>>);

fn arrange<T: Transformation>(setting: &Setting, symmetry: bool) -> Result<Arranged, SettingError> {
    let (mut arrangements, mut programs) = (Vec::new(), Vec::new());
    let _ = visit_arrangements::<T, ()>(setting, symmetry, &mut |arrangement, program| {
        arrangements.push(arrangement);
        programs.push(program);
        ControlFlow::Continue(())
    })?;
    Ok((arrangements, programs))
}

fn footprint<G>(program: &Program<G>) -> u64 {
    64 * (program.forms.len() + program.texts.len()) as u64
}
