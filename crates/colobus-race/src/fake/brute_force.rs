//! Every order of a program's events, executed one by one: what a search is compared with.

use std::collections::BTreeSet;

use thiserror::Error;

use super::machine::Machine;
use super::program::Program;
use crate::happens_before::Timing;
use crate::model::{EventName, Execution};

/// There are more orders than the caller wanted to execute.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the program has more than {limit} orders. Use a smaller program, or one that does not poll")]
pub struct TooMany {
    pub limit: usize,
}

/// The executions of all orders that happens-before allows. Which of them the fixed delays of timers allow is told by
/// [`is_feasible`].
pub fn all_orders(program: &Program, limit: usize) -> Result<Vec<Execution>, TooMany> {
    collect(program, None, limit)
}

/// The same, but only these events are put in every order; the others run after them.
pub fn all_orders_of(program: &Program, events: &[EventName], limit: usize) -> Result<Vec<Execution>, TooMany> {
    collect(program, Some(&events.iter().cloned().collect()), limit)
}

fn collect(program: &Program, only: Option<&BTreeSet<EventName>>, limit: usize) -> Result<Vec<Execution>, TooMany> {
    let mut found = Vec::new();
    extend(Machine::new(program), only, limit, &mut found)?;
    Ok(found)
}

/// Whether the planned events of an execution can come in their order on a real clock.
pub fn is_feasible(execution: &Execution) -> bool {
    let events: Vec<_> = execution.planned().iter().map(|executed| &executed.event).collect();
    let order: Vec<usize> = (0..events.len()).collect();
    Timing::of(events).allows(&order)
}

fn extend(
    mut machine: Machine,
    only: Option<&BTreeSet<EventName>>,
    limit: usize,
    found: &mut Vec<Execution>,
) -> Result<(), TooMany> {
    let chosen = |name: &EventName| only.is_none_or(|only| only.contains(name));
    let enabled = (0..machine.pending.len()).filter(|index| {
        let pending = &machine.pending[*index];
        chosen(&pending.event.name) && machine.is_enabled(pending)
    });
    let enabled: Vec<usize> = enabled.collect();
    if enabled.is_empty() {
        if found.len() >= limit {
            return Err(TooMany { limit });
        }
        machine.run_tail(limit);
        found.push(machine.finish());
        return Ok(());
    }
    for index in enabled {
        let mut next = machine.clone();
        next.run(index, true);
        if next.ran.len() > limit {
            return Err(TooMany { limit });
        }
        extend(next, only, limit, found)?;
    }
    Ok(())
}
