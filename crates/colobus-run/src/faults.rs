//! [`Faults`]: the disturbances that an execution has, and which of them can happen now.

use colobus_trace::{ClientId, Event};

/// What disturbs an execution. Each disturbance of a plan happens once, at a moment that the strategy chooses; a lost
/// network comes back before the end. Flushes, which only a written schedule has, are counted here as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    planned: Vec<Event>,
    offline: Vec<ClientId>,
    flushes: usize,
}

impl Faults {
    pub fn none() -> Faults {
        Faults::default()
    }

    /// The plans of a search with disturbances: none, and each kind for each client.
    pub fn plans(clients: usize) -> Vec<Faults> {
        let one = |event| Faults { planned: vec![event], ..Faults::default() };
        let each = (0..clients).map(ClientId).flat_map(|client| [Event::Cut { client }, Event::Reload { client }]);
        std::iter::once(Faults::none()).chain(each.map(one)).collect()
    }

    /// Exactly those of a written order.
    pub fn of(order: &[Event]) -> Faults {
        let disturbs = |event: &&Event| matches!(event, Event::Cut { .. } | Event::Reload { .. });
        Faults {
            planned: order.iter().filter(disturbs).copied().collect(),
            offline: Vec::new(),
            flushes: order.iter().filter(|event| matches!(event, Event::Flush)).count(),
        }
    }

    /// For an order of single messages.
    pub fn without_flushes(self) -> Faults {
        Faults { flushes: 0, ..self }
    }

    pub fn enabled(&self) -> Vec<Event> {
        let online = |event: &&Event| event.client().is_none_or(|client| !self.offline.contains(&client));
        let restored = self.offline.iter().map(|client| Event::Restore { client: *client });
        let planned = self.planned.iter().filter(online).copied();
        planned.chain(restored).chain((self.flushes > 0).then_some(Event::Flush)).collect()
    }

    pub fn took(&mut self, event: &Event) {
        if let Some(place) = self.planned.iter().position(|planned| planned == event) {
            self.planned.remove(place);
        }
        match *event {
            Event::Cut { client } => self.offline.push(client),
            Event::Restore { client } => self.offline.retain(|offline| *offline != client),
            Event::Flush => self.flushes = self.flushes.saturating_sub(1),
            Event::Step { .. } | Event::Deliver { .. } | Event::Reload { .. } => {}
        }
    }
}
