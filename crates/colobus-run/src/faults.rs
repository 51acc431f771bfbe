//! [`Faults`]: which disturbances an execution may have, and which of them can happen now.

use colobus_trace::{ClientId, Event};

/// The disturbances that are left for an execution, and flushes, which only a written schedule has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    /// How many cuts and reloads may still happen.
    budget: usize,
    flushes: usize,
    offline: Vec<ClientId>,
}

impl Faults {
    pub fn none() -> Faults {
        Faults::default()
    }

    /// At most this many disturbances, of any kind and any client.
    pub fn up_to(budget: usize) -> Faults {
        Faults { budget, ..Faults::default() }
    }

    /// Exactly as many as a written order has.
    pub fn of(order: &[Event]) -> Faults {
        let count = |wanted: fn(&Event) -> bool| order.iter().filter(|event| wanted(event)).count();
        Faults {
            budget: count(|event| matches!(event, Event::Cut { .. } | Event::Reload { .. })),
            flushes: count(|event| matches!(event, Event::Flush)),
            offline: Vec::new(),
        }
    }

    pub fn enabled(&self, clients: usize) -> Vec<Event> {
        let online = (0..clients).map(ClientId).filter(|client| !self.offline.contains(client));
        let disturb = |client| [Event::Cut { client }, Event::Reload { client }];
        let disturbances = online.flat_map(disturb).filter(|_| self.budget > 0);
        let restored = self.offline.iter().map(|client| Event::Restore { client: *client });
        disturbances.chain(restored).chain((self.flushes > 0).then_some(Event::Flush)).collect()
    }

    pub fn took(&mut self, event: &Event) {
        match *event {
            Event::Cut { client } => {
                self.budget = self.budget.saturating_sub(1);
                self.offline.push(client);
            }
            Event::Reload { .. } => self.budget = self.budget.saturating_sub(1),
            Event::Restore { client } => self.offline.retain(|offline| *offline != client),
            Event::Flush => self.flushes = self.flushes.saturating_sub(1),
            Event::Step { .. } | Event::Deliver { .. } => {}
        }
    }
}
