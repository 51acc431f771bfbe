//! [`replay`]: runs a finding again, in the same order, and says whether it comes back.

use std::path::Path;

use colobus_check::{Judgement, judge};
use colobus_driver::WorldFactory;
use colobus_trace::{Difference, Trace};

use crate::execute::{Setup, follow};
use crate::output::load_trace;
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
    /// Executions that failed the same check with the same kind of difference as recorded.
    pub fn reproduced(&self) -> usize {
        let same = |one: &Difference, other: &Difference| one.kind == other.kind;
        let equal = |judgement: &&Judgement| match (&self.recorded, judgement) {
            (
                Judgement::Fail { check, difference },
                Judgement::Fail { check: again, difference: seen },
            ) => check == again && same(difference, seen),
            (recorded, again) => recorded == *again,
        };
        self.again.iter().filter(equal).count()
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
