//! [`Meter`]: the messages that clients sent and received, from one event of an execution to the next. [`Exercise`]: what that
//! says of the actions; a part of what the journal keeps of an interaction, consumed by `pairs/exercised.rs`. Which steps sent
//! nothing tells `pairs/interaction_run.rs` which orders are alike.

use std::collections::{BTreeMap, BTreeSet};

use colobus_model::{Action, ClientId, Event, Interaction};
use colobus_schedule::SilentSteps;
use colobus_world::{Traffic, World};
use serde::{Deserialize, Serialize};

/// What one interaction exercised, in any of its executions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Exercise {
    pub actions: BTreeMap<String, Reach>,
    /// Whether messages of two users crossed.
    pub crossed: bool,
    /// Whether users saw something else in the end than before they acted; `None` if phase 1 tells what actions change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<bool>,
    /// The names of the `[[sometimes]]` properties that held in a client.
    #[serde(default)]
    pub sometimes: BTreeSet<String>,
    /// Orders that were left out, because they are equivalent to one that passed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub equivalent: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// How far an action got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reach {
    pub sent: bool,
    /// Another user received messages afterwards.
    pub reached: bool,
    /// Another user received messages before they acted.
    pub reached_first: bool,
}

impl Exercise {
    /// What two executions exercised.
    pub fn add(&mut self, other: Exercise) {
        for (action, reach) in other.actions {
            self.actions.entry(action).or_default().add(reach);
        }
        self.crossed |= other.crossed;
        self.changed = self.changed.max(other.changed);
        self.sometimes.extend(other.sometimes);
        self.equivalent += other.equivalent;
    }
}

impl Reach {
    fn add(&mut self, other: Reach) {
        self.sent |= other.sent;
        self.reached |= other.reached;
        self.reached_first |= other.reached_first;
    }
}

/// Reads the counters of a world after every event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter {
    last: Vec<Traffic>,
    prefix: Vec<(String, Moved)>,
    concurrent: Vec<(Option<usize>, Moved)>,
}

/// What each client sent and received meanwhile.
type Moved = Vec<Traffic>;

impl Meter {
    /// Whatever moved so far does not count.
    pub fn restart(&mut self, world: &mut dyn World) {
        self.last = world.traffic();
    }

    /// The first client performed an action of the prefix, and everything has settled.
    pub fn after_prefix(&mut self, world: &mut dyn World, action: &Action) {
        let moved = self.moved(world);
        self.prefix.push((action.name.clone(), moved));
    }

    /// An event of the concurrent part is over: a step of this client, or something else.
    pub fn after_event(&mut self, world: &mut dyn World, stepped: Option<usize>) {
        let moved = self.moved(world);
        self.concurrent.push((stepped, moved));
    }

    /// Whether this client sent something during the last event.
    pub fn sent_last(&self, client: ClientId) -> bool {
        self.concurrent.last().is_some_and(|(_, moved)| sent(moved, client.0))
    }

    fn moved(&mut self, world: &mut dyn World) -> Moved {
        let now = world.traffic();
        let before = std::mem::replace(&mut self.last, now.clone());
        let before = before.into_iter().chain(std::iter::repeat(Traffic::default()));
        let since = |(now, before): (Traffic, Traffic)| Traffic {
            sent: now.sent.saturating_sub(before.sent),
            received: now.received.saturating_sub(before.received),
        };
        now.into_iter().zip(before).map(since).collect()
    }

    pub fn exercise(&self, interaction: &Interaction) -> Exercise {
        let mut exercise = Exercise::default();
        for (action, moved) in &self.prefix {
            let sent = sent(moved, 0);
            // All others act later.
            let reached = sent && (1..moved.len()).any(|other| received(moved, other));
            exercise.actions.entry(action.clone()).or_default().add(Reach { sent, reached, reached_first: reached });
        }
        for (client, action) in interaction.concurrent.iter().enumerate() {
            if let Some(reach) = self.reach(client, interaction.clients()) {
                exercise.actions.entry(action.name.clone()).or_default().add(reach);
            }
        }
        let clients = || 0..interaction.clients();
        exercise.crossed = clients().any(|one| clients().any(|other| self.crosses(one, other)));
        exercise
    }

    /// Steps that sent nothing, of an execution in this order, before anything was delivered. A client that sends at another time
    /// than with its steps may do so because of an earlier one: then nothing is known of its steps. Nothing is known at all if
    /// no client received anything: messages may pass beside the gate.
    pub fn silent_steps(&self, order: &[Event]) -> SilentSteps {
        let first_turn = order.iter().take_while(|event| matches!(event, Event::Step { .. })).count();
        let (before, after) = self.concurrent.split_at(first_turn.min(self.concurrent.len()));
        let clients = || 0..self.last.len();
        let is_held = !before.iter().any(|(_, moved)| clients().any(|client| received(moved, client)));
        let arrives = after.iter().any(|(_, moved)| clients().any(|client| received(moved, client)));
        if !is_held || !arrives {
            return SilentSteps::default();
        }
        let sends_later = |client: usize| {
            let elsewhere = before.iter().filter(|(stepped, _)| *stepped != Some(client)).chain(after);
            elsewhere.into_iter().any(|(_, moved)| sent(moved, client))
        };
        let sends = |step: &Event, moved: &Moved| {
            step.client().is_none_or(|client| sent(moved, client.0) || sends_later(client.0))
        };
        let steps = order.iter().zip(before);
        steps.filter(|(step, (_, moved))| !sends(step, moved)).map(|(step, _)| step.clone()).collect()
    }

    /// Where a client took its first step.
    fn first_step(&self, client: usize) -> Option<usize> {
        self.concurrent.iter().position(|(stepped, _)| *stepped == Some(client))
    }

    /// Where a client sent something first, from its first step on. Pages may wait before they send.
    fn first_sent(&self, client: usize) -> Option<usize> {
        let first = self.first_step(client)?;
        (first..self.concurrent.len()).find(|at| sent(&self.concurrent[*at].1, client))
    }

    fn receives(&self, client: usize, from: usize, to: usize) -> bool {
        self.concurrent[from..to].iter().any(|(_, moved)| received(moved, client))
    }

    fn reach(&self, client: usize, clients: usize) -> Option<Reach> {
        self.first_step(client)?;
        let Some(since) = self.first_sent(client) else { return Some(Reach::default()) };
        let others = || (0..clients).filter(|other| *other != client);
        let last_step = |other| self.concurrent.iter().rposition(|(stepped, _)| *stepped == Some(other));
        let reached = others().any(|other| self.receives(other, since, self.concurrent.len()));
        let reached_first = others()
            .any(|other| last_step(other).is_some_and(|last| last > since && self.receives(other, since, last)));
        Some(Reach { sent: true, reached, reached_first })
    }

    /// Whether `later` acted after `earlier` and had not heard of it, both sent messages, and both received some afterwards.
    fn crosses(&self, earlier: usize, later: usize) -> bool {
        let (Some(first), Some(then)) = (self.first_step(earlier), self.first_step(later)) else { return false };
        let end = self.concurrent.len();
        first < then
            && !self.receives(later, first, then)
            && [earlier, later]
                .into_iter()
                .all(|client| self.first_sent(client).is_some() && self.receives(client, then, end))
    }
}

fn sent(moved: &Moved, client: usize) -> bool {
    moved.get(client).is_some_and(|traffic| traffic.sent > 0)
}

fn received(moved: &Moved, client: usize) -> bool {
    moved.get(client).is_some_and(|traffic| traffic.received > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::Schedule;

    /// What a client sent and received.
    type Moved = (u64, u64);

    /// What happened with each event: who stepped, and what A and B sent and received.
    fn silent(order: &str, moved: &[(Option<usize>, [Moved; 2])]) -> SilentSteps {
        let traffic = |(sent, received): &Moved| Traffic { sent: *sent, received: *received };
        let concurrent = moved.iter().map(|(stepped, moved)| (*stepped, moved.iter().map(traffic).collect())).collect();
        let meter = Meter { last: vec![Traffic::default(); 2], concurrent, ..Meter::default() };
        meter.silent_steps(&order.parse::<Schedule>().unwrap().events)
    }

    fn steps(line: &str) -> SilentSteps {
        line.parse::<Schedule>().unwrap().events.into_iter().collect()
    }

    const NOTHING: Moved = (0, 0);
    const SENT: Moved = (1, 0);
    const RECEIVED: Moved = (0, 1);

    #[test]
    fn a_step_is_silent_if_its_client_sends_with_other_steps_only() {
        let moved = [
            (Some(0), [NOTHING, NOTHING]),
            (Some(0), [SENT, NOTHING]),
            (Some(1), [NOTHING, NOTHING]),
            (None, [RECEIVED, RECEIVED]),
        ];
        assert_eq!(silent("A1 A2 B1 ~", &moved), steps("A1 B1"));
    }

    #[test]
    fn a_client_that_sends_later_may_do_so_because_of_any_of_its_steps() {
        let meanwhile = [(Some(0), [NOTHING, NOTHING]), (Some(1), [SENT, NOTHING]), (None, [RECEIVED, RECEIVED])];
        assert_eq!(silent("A1 B1 ~", &meanwhile), steps("B1"));
        let afterwards = [(Some(0), [NOTHING, NOTHING]), (Some(1), [NOTHING, SENT]), (None, [(1, 1), NOTHING])];
        assert_eq!(silent("A1 B1 ~", &afterwards), steps(""));
    }

    #[test]
    fn nothing_is_known_if_nothing_arrives_or_something_arrives_too_early() {
        let beside = [(Some(0), [NOTHING, NOTHING]), (Some(1), [NOTHING, NOTHING]), (None, [NOTHING, NOTHING])];
        assert_eq!(silent("A1 B1 ~", &beside), steps(""));
        let early = [(Some(0), [NOTHING, NOTHING]), (Some(1), [RECEIVED, SENT]), (None, [RECEIVED, NOTHING])];
        assert_eq!(silent("A1 B1 ~", &early), steps(""));
    }
}
