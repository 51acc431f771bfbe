//! [`Timing`]: whether an order of events can come about on a real clock. Timers run a fixed time after they were set;
//! answers come and users act whenever they like. Each condition is a difference of two moments, and the earliest
//! moments that satisfy all of them are the longest paths of a graph, found by sweeps until nothing changes.

use std::collections::HashMap;

use thiserror::Error;

use crate::model::{EventKind, EventName, PageEvent};

/// A frame comes at most this many milliseconds after it was asked for, and so does a message from one part of a page to another.
const FRAME: i64 = 17;

/// The events of an order with the conditions on their moments. Events have the numbers of the order.
#[derive(Clone, Debug)]
pub struct Timing {
    /// `moment[b] >= moment[a] + least`, with `usize::MAX` for the start of the page.
    conditions: Vec<Condition>,
    pub(super) creators: Vec<Option<usize>>,
    /// The step before each step.
    pub(super) steps_before: Vec<Option<usize>>,
    pub(super) is_free: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub earlier: Option<usize>,
    pub later: Option<usize>,
    pub least: i64,
}

/// The order needs a timer to run at another time than the one it was set for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no delays of answers and steps lead to this order: {event} would have to run at another time than it was set for"
)]
pub struct Infeasible {
    pub event: EventName,
}

impl Timing {
    /// The conditions that hold in every order of these events. Those that belong to an order are given to each
    /// question.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a PageEvent>) -> Timing {
        let events: Vec<&PageEvent> = events.into_iter().collect();
        let numbers: HashMap<&EventName, usize> =
            events.iter().enumerate().map(|(number, event)| (&event.name, number)).collect();
        let mut timing = Timing {
            conditions: Vec::new(),
            creators: events.iter().map(|event| numbers.get(event.creator.as_ref()?).copied()).collect(),
            steps_before: vec![None; events.len()],
            is_free: vec![false; events.len()],
        };
        let mut last_step = None;
        for (number, event) in events.iter().enumerate() {
            timing.add(number, event);
            if event.is_step() {
                timing.steps_before[number] = last_step;
                last_step = Some(number);
            }
        }
        timing
    }

    pub(super) fn len(&self) -> usize {
        self.creators.len()
    }

    fn add(&mut self, number: usize, event: &PageEvent) {
        let creator = self.creators[number];
        let (least, most) = match (&event.kind, event.delay) {
            (EventKind::Timer, Some(delay)) => (as_signed(delay), Some(as_signed(delay))),
            (EventKind::Interval { tick, .. }, Some(period)) => {
                let moment = as_signed(period).saturating_mul(i64::from(*tick));
                (moment, Some(moment))
            }
            (EventKind::AnimationFrame, _) => (0, Some(FRAME)),
            (EventKind::Message { channel, .. }, _) if !channel.takes_time() => (0, Some(FRAME)),
            (EventKind::DomContentLoaded | EventKind::Load | EventKind::IdleCallback, _) => (0, None),
            _ => {
                self.is_free[number] = true;
                (0, None)
            }
        };
        self.conditions.push(Condition { earlier: creator, later: Some(number), least });
        if let Some(most) = most {
            self.conditions.push(Condition { earlier: Some(number), later: creator, least: -most });
        }
    }

    /// Whether the events can come in this order: each at the moment of the one before it or later.
    pub fn allows(&self, order: &[usize]) -> bool {
        let chain = order.windows(2).map(|pair| following(pair[0], pair[1], 0));
        self.earliest(chain).is_ok()
    }

    /// The earliest moments that satisfy these conditions and those of the events, or an event that cannot satisfy them.
    pub(super) fn earliest(&self, further: impl IntoIterator<Item = Condition>) -> Result<Vec<i64>, usize> {
        let mut conditions = self.conditions.clone();
        conditions.extend(further);
        // Conditions in the direction of the order settle in one sweep if they are sorted by it.
        conditions.sort_by_key(|condition| (condition.least < 0, condition.earlier.map_or(0, |event| event + 1)));
        // No path is longer than all conditions together: a later moment comes from a contradiction.
        let latest: i64 = conditions.iter().map(|condition| condition.least.max(0)).fold(0, i64::saturating_add);
        let mut moments = vec![0_i64; self.len()];
        let mut changed = None;
        // Without a contradiction each sweep settles at least one event.
        for _ in 0..=self.len() + 1 {
            changed = None;
            for Condition { earlier, later, least } in &conditions {
                let bound = earlier.map_or(0, |event| moments[event]).saturating_add(*least);
                match later {
                    Some(event) if bound > latest => return Err(*event),
                    Some(event) if moments[*event] < bound => {
                        moments[*event] = bound;
                        changed = Some(*event);
                    }
                    // The start of the page cannot be moved.
                    None if bound > 0 => return Err(earlier.unwrap_or_default()),
                    _ => {}
                }
            }
            if changed.is_none() {
                return Ok(moments);
            }
        }
        Err(changed.unwrap_or_default())
    }
}

pub(super) fn following(earlier: usize, later: usize, least: i64) -> Condition {
    Condition { earlier: Some(earlier), later: Some(later), least }
}

fn as_signed(milliseconds: u64) -> i64 {
    // A delay beyond 2^31 milliseconds runs at once in browsers; here it only must not overflow.
    i64::try_from(milliseconds.min(1 << 31)).unwrap_or_default()
}
