//! [`replay`]: runs a finding again, in the same order, and says whether it comes back.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use colobus_check::{Checks, Judgement};
use colobus_model::{Event, Trace};
use colobus_schedule::Followed;
use colobus_world::{World, WorldFactory};

use crate::execute::{Setup, follow};
use crate::output::load_trace;
use crate::pairs::SoloOutcomes;
use crate::workers::{Done, Work, Workers, no_pace, no_spare_work};
use crate::{RunError, StopSignal};

/// The verdicts of running a trace again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The verdict about the trace itself; `None` if it was never run before.
    pub recorded: Option<Judgement>,
    pub again: Vec<Again>,
    /// The checks that gave these verdicts.
    checks: Checks,
}

/// One more execution.
#[derive(Clone, Debug)]
pub struct Again {
    pub judgement: Judgement,
    /// How far the schedule could be followed; `None` if the world died on the way.
    pub followed: Option<Followed<Event>>,
    /// What was seen, unless the world died.
    pub trace: Option<Trace>,
}

impl Replay {
    /// Executions with the recorded verdict: that failed again, or passed again. Without a record, those that failed.
    pub fn reproduced(&self) -> usize {
        let like = |again: &Judgement| match &self.recorded {
            Some(recorded) => self.checks.fail_alike(again, recorded) || again == recorded,
            None => matches!(again, Judgement::Fail { .. }),
        };
        self.again.iter().filter(|again| like(&again.judgement)).count()
    }
}

/// Reads a trace from its folder or file.
pub fn load(path: &Path) -> Result<Trace, RunError> {
    let trace = load_trace(path)?;
    trace.schedule.validate(&trace.interaction)?;
    if trace.judged_by.is_empty() {
        return Err(RunError::NotJudged(path.to_path_buf()));
    }
    Ok(trace)
}

/// Runs `trace` the given number of times, judged by `checks`. One without observations is a plan that was never run.
pub fn replay(
    trace: &Trace,
    checks: Checks,
    factory: &dyn WorldFactory,
    times: usize,
    stop: &StopSignal,
) -> Result<Replay, RunError> {
    let setup = Setup {
        application: trace.application.clone(),
        judged_by: trace.judged_by.clone(),
        checks,
        known_errors: trace.known_errors.clone(),
        alone: Arc::new(SoloOutcomes::recorded(&trace.tokens)),
        // Of what was never run, everything is looked at.
        late_joiner: trace.late_joiner.is_some() || trace.observations.is_empty(),
        long_looks: None,
        precise: false,
        notes_changes: false,
        stop: stop.clone(),
    };
    let mut again = Vec::new();
    let rounds: Vec<usize> = (0..times).collect();
    let work = Work {
        run: |world: &mut (dyn World + 'static), _: &usize| {
            let executed = follow(world, &setup, &trace.interaction, &trace.schedule)?;
            Ok(Again { judgement: executed.judgement, followed: executed.followed, trace: Some(executed.trace) })
        },
        // Every execution is told as it was.
        doubt: |_: &Again| None,
        pace: no_pace,
    };
    let open = || factory.open();
    Workers::new(&open, 1).run(&rounds, stop, (work, &no_spare_work), |_, done| {
        match done {
            Done::Result(executed) => again.push(executed),
            Done::Unknown(reason) => {
                again.push(Again { judgement: Judgement::Unknown(reason), followed: None, trace: None });
            }
            Done::Stopped => {}
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(Replay { recorded: (!trace.observations.is_empty()).then(|| checks.judge(trace)), again, checks })
}
