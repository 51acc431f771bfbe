//! [`Delays`]: how much later or earlier than recorded the answers must come and the user must act for an order to come
//! about by itself, on the plain page: "A<fetch:/s?q=a of type 1 4.9 s later".

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::feasibility::{Condition, following};
use super::{Infeasible, Timing};
use crate::model::{EventName, Executed, Execution, PageEvent};

/// The changes against the recording. Empty: the order comes about as recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delays(pub Vec<Delay>);

/// One answer or step that comes at another time after its cause than recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delay {
    pub event: EventName,
    /// Milliseconds: positive is later.
    pub by: i64,
}

impl Delays {
    /// The fewest changes found that make the planned events of `execution` come in an order equivalent to theirs.
    /// `before` are the pairs of its events whose order matters, by their numbers in the execution. Pairs that were in the
    /// other order when recorded are kept `margin` milliseconds apart.
    pub fn towards(
        execution: &Execution,
        before: &[(usize, usize)],
        recording: &Execution,
        margin: u64,
    ) -> Result<Delays, Infeasible> {
        let events: Vec<&PageEvent> = execution.planned().iter().map(|executed| &executed.event).collect();
        let recorded: HashMap<&EventName, (usize, &Executed)> =
            recording.ran.iter().enumerate().map(|(place, ran)| (&ran.event.name, (place, ran))).collect();
        let timing = Timing::of(events.iter().copied());
        let place = |event: usize| recorded.get(&events[event].name).map(|(place, _)| *place);
        let order: Vec<Condition> = before
            .iter()
            .map(|(first, second)| {
                let turned_round = place(*first).zip(place(*second)).is_some_and(|(first, second)| first > second);
                following(*first, *second, if turned_round { i64::try_from(margin).unwrap_or(i64::MAX) } else { 0 })
            })
            .collect();
        let offsets = RecordedOffsets { timing: &timing, events: &events, recorded: &recorded };
        let bounds: Vec<(usize, i64)> =
            (0..events.len()).filter_map(|event| Some((event, offsets.of(event)?))).collect();
        let moments = nearest_moments(&timing, &order, &bounds, |event| events[event].is_step())
            .map_err(|event| Infeasible { event: events[event].name.clone() })?;
        let delay = |(event, recorded): &(usize, i64)| {
            let base = offsets.base(*event).map_or(0, |base| moments[base]);
            Delay { event: events[*event].name.clone(), by: moments[*event] - base - recorded }
        };
        Ok(Delays(bounds.iter().map(delay).filter(|delay| delay.by != 0).collect()))
    }
}

/// How long after its cause each answer came and each step followed the one before it, when recorded.
struct RecordedOffsets<'a> {
    timing: &'a Timing,
    events: &'a [&'a PageEvent],
    recorded: &'a HashMap<&'a EventName, (usize, &'a Executed)>,
}

impl RecordedOffsets<'_> {
    fn base(&self, event: usize) -> Option<usize> {
        if self.events[event].is_step() { self.timing.steps_before[event] } else { self.timing.creators[event] }
    }

    fn of(&self, event: usize) -> Option<i64> {
        let at =
            |event: usize| Some(i64::try_from(self.recorded.get(&self.events[event].name)?.1.at).unwrap_or(i64::MAX));
        let moment = at(event).filter(|_| self.timing.is_free[event])?;
        let base = self.base(event).map_or(Some(0), at)?;
        Some((moment - base).max(0))
    }
}

/// Moments with as many events as possible no earlier than recorded, and the others as little earlier as possible: servers cannot be made faster, and a person who
/// repeats the steps by hand would rather wait than hurry.
fn nearest_moments(
    timing: &Timing,
    order: &[Condition],
    bounds: &[(usize, i64)],
    is_step: impl Fn(usize) -> bool + Copy,
) -> Result<Vec<i64>, usize> {
    let base = |event: usize| if is_step(event) { timing.steps_before[event] } else { timing.creators[event] };
    let condition =
        |(event, least): &(usize, i64)| Condition { earlier: base(*event), later: Some(*event), least: *least };
    let solve = |kept: &[Condition]| timing.earliest(order.iter().chain(kept).copied());
    let all: Vec<Condition> = bounds.iter().map(condition).collect();
    if let Ok(moments) = solve(&all) {
        return Ok(moments);
    }
    let mut best = solve(&[])?;
    let mut kept: Vec<Condition> = Vec::new();
    let of = |steps: bool| bounds.iter().filter(move |(event, _)| is_step(*event) == steps);
    for bound in of(false).chain(of(true)) {
        let (mut fits, mut fails) = (0, bound.1 + 1);
        let mut tried = bound.1;
        while fails - fits > 1 {
            kept.push(condition(&(bound.0, tried)));
            match solve(&kept) {
                Ok(moments) => (best, fits) = (moments, tried),
                Err(_) => fails = tried,
            }
            kept.pop();
            tried = (fits + fails) / 2;
        }
        kept.push(condition(&(bound.0, fits)));
    }
    Ok(best)
}

impl fmt::Display for Delays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("as recorded");
        }
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join(", "))
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.by < 0 { "earlier" } else { "later" };
        let by = self.by.unsigned_abs();
        if by < 1000 {
            write!(f, "{} {by} ms {direction}", self.event)
        } else {
            write!(f, "{} {}.{} s {direction}", self.event, by / 1000, by % 1000 / 100)
        }
    }
}
