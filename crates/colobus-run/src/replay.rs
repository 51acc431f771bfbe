//! [`replay`]: runs a finding again, in the same order, and says whether it comes back.

use std::path::Path;

use colobus_check::{Judgement, judge};
use colobus_driver::WorldFactory;
use colobus_trace::Trace;

use crate::execute::{Setup, follow};
use crate::output::load_trace;
use crate::typist::Alone;
use crate::workers::{Done, Workers};
use crate::{RunError, StopSignal};

/// What came of running a recorded trace again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The verdict that was recorded.
    pub recorded: Judgement,
    /// One verdict per execution.
    pub again: Vec<Judgement>,
}

impl Replay {
    /// Executions with the recorded verdict: that failed again, or passed again.
    pub fn reproduced(&self) -> usize {
        self.again.iter().filter(|again| again.fails_like(&self.recorded) || **again == self.recorded).count()
    }
}

/// Reads a trace from its folder or file.
pub fn load(path: &Path) -> Result<Trace, RunError> {
    let trace = load_trace(path)?;
    trace.schedule.validate(&trace.interaction)?;
    Ok(trace)
}

/// Runs `trace` the given number of times.
pub fn replay(trace: &Trace, factory: &dyn WorldFactory, times: usize, stop: &StopSignal) -> Result<Replay, RunError> {
    let setup = Setup {
        application: trace.application.clone(),
        judged_by: trace.judged_by.clone(),
        known_errors: trace.known_errors.clone(),
        alone: Alone::recorded(&trace.tokens),
    };
    let mut again = Vec::new();
    let rounds: Vec<usize> = (0..times).collect();
    Workers::new(factory, 1).run(
        &rounds,
        stop,
        |world, _| follow(world, &setup, &trace.interaction, &trace.schedule).map(|executed| executed.judgement),
        |_, done| {
            again.push(match done {
                Done::Result(judgement) => judgement,
                Done::Unknown(reason) => Judgement::Unknown(reason),
            });
            Ok(std::ops::ControlFlow::Continue(()))
        },
    )?;
    Ok(Replay { recorded: judge(trace), again })
}
