//! [`moments`]: when the events of an execution come if they come in its order, as early as the delays of timers allow.

use super::feasibility::following;
use super::{Infeasible, Timing};
use crate::model::{Execution, PageEvent};

/// A moment for each event that ran, in milliseconds since the start of the page. Where it is possible, a timer and another
/// event beside it have different moments, so that a clock that runs all timers of a moment at once keeps them apart.
pub fn moments(execution: &Execution) -> Result<Vec<u64>, Infeasible> {
    let events: Vec<&PageEvent> = execution.ran.iter().map(|ran| &ran.event).collect();
    let timing = Timing::of(events.iter().copied());
    let in_order = |apart: i64| {
        let pairs = (1..events.len()).map(|later| (later - 1, later));
        let conditions = pairs.map(|(earlier, later)| {
            let is_mixed = events[earlier].is_timer() != events[later].is_timer();
            following(earlier, later, if is_mixed { apart } else { 0 })
        });
        timing.earliest(conditions.collect::<Vec<_>>())
    };
    let moments = in_order(1).or_else(|_| in_order(0));
    let moments = moments.map_err(|event| Infeasible { event: events[event].name.clone() })?;
    Ok(moments.into_iter().map(|moment| u64::try_from(moment).unwrap_or_default()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EventKind, Executed};

    fn ran(name: &str, kind: EventKind, creator: Option<&str>, delay: Option<u64>) -> Executed {
        let event = PageEvent { creator: creator.map(Into::into), delay, ..PageEvent::new(name, kind) };
        Executed {
            event,
            planned: true,
            at: 0,
            accesses: Vec::new(),
            touched: None,
            disables: Vec::new(),
            opaque: None,
        }
    }

    fn step(name: &str, number: u32) -> Executed {
        ran(name, EventKind::Step { number, action: "click".into() }, None, None)
    }

    #[test]
    fn a_step_before_a_timer_is_a_moment_earlier() {
        let timer = |name: &str, creator: &str, delay| ran(name, EventKind::Timer, Some(creator), Some(delay));
        let execution = |ran: Vec<Executed>| Execution { ran, ..Execution::default() };
        let orders = [
            vec![step("c1", 1), timer("t1", "c1", 300), step("c2", 2)],
            vec![step("c1", 1), step("c2", 2), timer("t2", "c2", 500), timer("t1", "c1", 300)],
            vec![step("c1", 1), step("c2", 2), timer("t1", "c1", 300), timer("t2", "c2", 50)],
        ];
        let found: Vec<_> = orders.into_iter().map(|order| moments(&execution(order))).collect();
        assert_eq!(found[0], Ok(vec![0, 300, 301]));
        assert!(found[1].is_err(), "the later timer cannot run first");
        assert_eq!(found[2], Ok(vec![0, 250, 300, 300]));
    }
}
