//! [`Commuting`]: which events of an execution touched nothing in common although their names conflict, for `--precise`. Filled after
//! every event, told to the strategy when the execution is over.
//!
//! # Why it is sound
//! A client's page is a function of what it read before. Two events of one client that touch different places, and of which
//! at most one sends something, leave page and queues the same in both orders. Steps of one user and messages of one queue keep their order.
//!
//! # Where it only approximates
//! What a page does with a delay belongs to the event during which it happens. What the log does not see, such as a canvas, a
//! database or a web worker, is not compared.

use colobus_model::{ClientId, Direction, Event, Step};
use colobus_schedule::Schedulable;
use colobus_world::{Touched, World, WorldError};

/// What each event of an execution did to its client; `None` where that is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commuting {
    /// Whether the world is asked.
    is_wanted: bool,
    events: Vec<Option<AtClient>>,
}

#[derive(Clone, Debug)]
struct AtClient {
    event: Event,
    touched: Touched,
    sent: bool,
}

impl Commuting {
    /// Begins with the clients as they are.
    pub fn begin(world: &mut dyn World, clients: usize, is_wanted: bool) -> Result<Commuting, WorldError> {
        for client in (0..clients).filter(|_| is_wanted) {
            world.touched(ClientId(client), None)?;
        }
        Ok(Commuting { is_wanted, events: Vec::new() })
    }

    /// An event is over, with the step if it was one; `sent` whether its client has sent something meanwhile.
    pub fn after(
        &mut self,
        world: &mut dyn World,
        event: &Event,
        step: Option<&Step>,
        sent: impl Fn(ClientId) -> bool,
    ) -> Result<(), WorldError> {
        if !self.is_wanted {
            return Ok(());
        }
        let at_client = match *event {
            Event::Step { client, .. } | Event::Deliver { client, direction: Direction::ToClient, .. } => Some(client),
            _ => None,
        };
        let touched = at_client.map(|client| world.touched(client, step)).transpose()?.flatten();
        let known = |(client, touched)| AtClient { event: event.clone(), touched, sent: sent(client) };
        self.events.push(at_client.zip(touched).map(known));
        Ok(())
    }

    /// Pairs of events, the earlier one first.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let commute = |earlier: usize, later: usize| {
            let (Some(one), Some(other)) = (&self.events[earlier], &self.events[later]) else { return false };
            one.event.client() == other.event.client()
                && !one.event.is_ordered_with(&other.event)
                && !(one.sent && other.sent)
                && one.touched.is_apart_from(&other.touched)
        };
        let pairs = (0..self.events.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
        pairs.filter(|(earlier, later)| commute(*earlier, *later)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::Schedule;

    /// An order, of which some events sent something; none touched anything.
    fn pairs(order: &str, senders: &[usize]) -> Vec<(usize, usize)> {
        let events = order.parse::<Schedule>().unwrap().events;
        let at_client = |(place, event): (usize, Event)| {
            Some(AtClient { event, touched: Touched::default(), sent: senders.contains(&place) })
        };
        let events = events.into_iter().enumerate().map(at_client).collect();
        Commuting { is_wanted: true, events }.pairs()
    }

    #[test]
    fn events_of_one_client_commute_unless_both_send() {
        assert_eq!(pairs("A1 A<", &[0]), [(0, 1)]);
        assert_eq!(pairs("A1 A<", &[0, 1]), []);
    }

    #[test]
    fn steps_and_queues_keep_their_order() {
        assert_eq!(pairs("A1 A2", &[]), []);
        assert_eq!(pairs("A< A<", &[]), []);
        assert_eq!(pairs("A1 B<", &[]), [], "their names do not conflict");
    }
}
