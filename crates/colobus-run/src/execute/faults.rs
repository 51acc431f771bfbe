//! [`Faults`]: the faults that an execution has, and which of them can happen now.

use colobus_model::{ClientId, Event};
use colobus_schedule::orders::with_fault;

use crate::{FaultKind, FaultKinds};

/// Faults of an execution. Each fault of a plan happens once, at a moment that the strategy chooses; a lost
/// network comes back before the end, and a poll is answered. Flushes, which only a written schedule has, are counted here as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    planned: Vec<Event>,
    offline: Vec<ClientId>,
    /// Clients whose polls are not answered yet.
    polling: Vec<ClientId>,
    flushes: usize,
}

impl Faults {
    pub fn none() -> Faults {
        Faults::default()
    }

    /// The plans of a search with faults of these kinds: none, each kind for each client, and a late joiner.
    pub fn plans(clients: usize, kinds: FaultKinds) -> Vec<Faults> {
        let one = |event| Faults { planned: vec![event], ..Faults::default() };
        let of = |client| kinds.iter().filter_map(move |kind| kind.of_client(client));
        let each = (0..clients).map(ClientId).flat_map(of);
        let late =
            kinds.iter().any(|kind| kind == FaultKind::Join).then_some(Event::Join { client: ClientId(clients) });
        std::iter::once(Faults::none()).chain(each.chain(late).map(one)).collect()
    }

    /// The orders in which a search with this fault begins: it comes at each place of an order without one.
    pub fn placed_in(&self, without_fault: &[Event]) -> Vec<Vec<Event>> {
        self.planned.first().map_or_else(|| vec![without_fault.to_vec()], |fault| with_fault(without_fault, fault))
    }

    /// Exactly those of a written order.
    pub fn of(order: &[Event]) -> Faults {
        let begins_fault = |event: &&Event| event.begins_fault();
        Faults {
            planned: order.iter().filter(begins_fault).cloned().collect(),
            offline: Vec::new(),
            polling: Vec::new(),
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
        let answers = self.polling.iter().map(|client| Event::PollAnswer { client: *client });
        let planned = self.planned.iter().filter(online).cloned();
        planned.chain(restored).chain(answers).chain((self.flushes > 0).then_some(Event::Flush)).collect()
    }

    pub fn took(&mut self, event: &Event) {
        if let Some(place) = self.planned.iter().position(|planned| planned == event) {
            self.planned.remove(place);
        }
        match *event {
            Event::Cut { client } => self.offline.push(client),
            Event::Restore { client } => self.offline.retain(|offline| *offline != client),
            Event::Poll { client } => self.polling.push(client),
            Event::PollAnswer { client } => self.polling.retain(|polling| *polling != client),
            Event::Flush => self.flushes = self.flushes.saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Faults;
    use crate::{FaultKind, FaultKinds};
    use colobus_model::Schedule;

    fn lines(orders: Vec<Vec<colobus_model::Event>>) -> Vec<String> {
        orders.into_iter().map(|events| Schedule { events }.to_string()).collect()
    }

    /// Takes these faults, each of which has to be possible.
    fn take(faults: &mut Faults, order: &str) {
        for event in order.parse::<Schedule>().unwrap().events {
            assert!(faults.enabled().contains(&event), "{event}");
            faults.took(&event);
        }
    }

    #[test]
    fn a_cut_is_placed_where_an_answer_is_lost_first() {
        let order: Schedule = "A1 B1 A> A<".parse().unwrap();
        let plans = Faults::plans(2, FaultKinds::all());
        assert_eq!(lines(plans[0].placed_in(&order.events)), ["A1 B1 A> A<"], "without a fault it stays as it is");
        let cut_a = ["A1 B1 A> A! A<", "A1 A! B1 A> A<", "A! A1 B1 A> A<", "A1 B1 A! A> A<", "A1 B1 A> A< A!"];
        assert_eq!(lines(plans[1].placed_in(&order.events)), cut_a);
        assert_eq!(plans.len(), 10);
        assert_eq!(lines(plans[9].placed_in(&[])), ["C*"]);
    }

    #[test]
    fn only_chosen_kinds_are_planned() {
        let planned = |kinds: &[FaultKind]| -> Vec<String> {
            let plans = Faults::plans(2, kinds.iter().copied().collect());
            plans.into_iter().flat_map(|plan| lines(plan.placed_in(&[]))).collect()
        };
        assert_eq!(planned(&[]), [""]);
        assert_eq!(planned(&[FaultKind::Offline]), ["", "A!", "B!"]);
        assert_eq!(planned(&[FaultKind::Join, FaultKind::Reload]), ["", "A@", "B@", "C*"]);
    }

    #[test]
    fn a_lost_network_comes_back_and_nothing_happens_twice() {
        let mut faults = Faults::of(&"A! ~".parse::<Schedule>().unwrap().events);
        assert_eq!(lines(vec![faults.enabled()]), ["A! ~"]);
        take(&mut faults, "A! ~ A+");
        assert_eq!(faults.enabled(), []);
    }

    #[test]
    fn a_poll_is_answered_once_it_was_asked() {
        let mut faults = Faults::of(&"A? B? A1 ~ A?<".parse::<Schedule>().unwrap().events);
        assert_eq!(lines(vec![faults.enabled()]), ["A? B? ~"]);
        take(&mut faults, "A? ~ A?<");
        assert_eq!(lines(vec![faults.enabled()]), ["B?"]);
    }
}
