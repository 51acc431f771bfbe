//! [`FakeWorld`]: the application, which keeps a log of edits and passes each on, and the clients on it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use colobus_trace::{Arrival, Caret, ClientId, Direction, ErrorKind, Event, Guest, Observation, PageError, Step};
use serde_json::json;

use super::FakeBug;
use super::picture::draw;
use super::seat::{Message, Seat};
use super::text::{Edit, Replica};
use crate::{Settled, StepOutcome, Wanted, World, WorldError, guest_name};

pub(super) struct FakeWorld {
    bugs: Vec<FakeBug>,
    dies_after: Option<usize>,
    steps: Arc<AtomicUsize>,
    begins: Arc<Mutex<Vec<usize>>>,
    /// The clients, and behind them who came later.
    seats: Vec<Seat>,
    clients: usize,
    /// Every edit that reached the application, with the seat of its author.
    log: Vec<(usize, Edit)>,
    guests: Vec<String>,
    held: bool,
    /// Seats in the order in which they acted since the last delivery.
    acted: Vec<usize>,
    concurrent: bool,
    restless: bool,
}

impl FakeWorld {
    pub fn new(
        bugs: Vec<FakeBug>,
        dies_after: Option<usize>,
        (steps, begins): (Arc<AtomicUsize>, Arc<Mutex<Vec<usize>>>),
    ) -> FakeWorld {
        FakeWorld {
            bugs,
            dies_after,
            steps,
            begins,
            seats: Vec::new(),
            clients: 0,
            log: Vec::new(),
            guests: Vec::new(),
            held: false,
            acted: Vec::new(),
            concurrent: false,
            restless: false,
        }
    }

    fn has(&self, bug: FakeBug) -> bool {
        self.bugs.contains(&bug)
    }

    /// The application passes an edit on to everybody else, and acknowledges it.
    fn reach_application(&mut self, author: usize) {
        let Some(edit) = self.seats[author].outbound.pop_front() else { return };
        let is_retry = self.log.iter().any(|(_, known)| *known == edit);
        if is_retry && !self.has(FakeBug::AppliesRetriesAgain) {
            return;
        }
        let inbound = &mut self.seats[author].inbound;
        let missed = inbound.iter().any(|message| matches!(message, Message::Edit(Edit::Insert { .. })));
        if let Edit::Insert { id, .. } = edit
            && missed
            && self.bugs.contains(&FakeBug::DropsUnseenInserts)
        {
            inbound.extend([Message::Acknowledged, Message::Edit(Edit::Delete { id })]);
            return;
        }
        self.log.push((author, edit));
        for (index, seat) in self.seats.iter_mut().enumerate().filter(|(_, seat)| !seat.offline) {
            seat.inbound.push_back(if index == author { Message::Acknowledged } else { Message::Edit(edit) });
        }
    }

    fn reach_client(&mut self, index: usize) {
        let seat = &mut self.seats[index];
        let Some(Message::Edit(edit)) = seat.take() else { return };
        let lines = seat.replica.text().matches('\n').count();
        let between = seat.acknowledged > 0 && !seat.unacknowledged.is_empty();
        let reversed = self.bugs.iter().any(|bug| match bug {
            FakeBug::InsertOrder => index > 0,
            FakeBug::InsertOrderBelowFirstLine => index > 0 && lines > 0,
            FakeBug::InsertOrderBetweenAcknowledgements => index == 0 && between,
            _ => false,
        });
        seat.replica.integrate(&edit, reversed);
        let deletes = matches!(edit, Edit::Delete { .. });
        if deletes && self.concurrent && self.bugs.contains(&FakeBug::ErrorOnRemoteDelete) {
            seat.errors.push(self::error("cannot delete what is not there", true));
        }
    }

    fn deliver_all(&mut self) {
        let busy = |seats: &[Seat]| seats.iter().any(|seat| !seat.outbound.is_empty() || !seat.inbound.is_empty());
        while busy(&self.seats) {
            for seat in std::mem::take(&mut self.acted).into_iter().chain(0..self.seats.len()) {
                while !self.seats[seat].outbound.is_empty() {
                    self.reach_application(seat);
                }
            }
            (0..self.seats.len()).for_each(|seat| self.reach_client(seat));
        }
    }

    /// Somebody opens the document as it is in the application.
    fn seat(&mut self, client: ClientId, connection: usize) -> Seat {
        let mut seat = Seat::new(client, connection, self.seats.len());
        let missing = usize::from(self.has(FakeBug::GuestsMissTheLastEdit));
        for (_, edit) in &self.log[..self.log.len().saturating_sub(missing)] {
            seat.replica.integrate(edit, false);
        }
        seat.known = self.log.len();
        seat
    }

    /// All seats of a client: a second tab shares its network.
    fn seats_of(&mut self, client: ClientId) -> impl Iterator<Item = (usize, &mut Seat)> {
        self.seats.iter_mut().enumerate().filter(move |(_, seat)| seat.client == client)
    }

    fn restore(&mut self, client: ClientId) {
        let log = self.log.clone();
        for (index, seat) in self.seats_of(client).filter(|(_, seat)| seat.offline) {
            let missed = log[seat.known..].iter();
            let told = |(author, edit): &(usize, Edit)| {
                if *author == index { Message::Acknowledged } else { Message::Edit(*edit) }
            };
            seat.offline = false;
            seat.inbound.extend(missed.map(told));
            // Whoever comes back is told at once what has arrived.
            let arrived = |edit: &&Edit| log.iter().any(|(_, known)| known == *edit);
            seat.outbound = seat.unacknowledged.iter().filter(|edit| !arrived(edit)).copied().collect();
        }
    }

    /// Its own messages flow until the page is there again.
    fn reload(&mut self, client: ClientId) {
        while !self.seats[client.0].outbound.is_empty() {
            self.reach_application(client.0);
        }
        let mut replica = Replica::new(client.0);
        self.log.iter().for_each(|(_, edit)| replica.integrate(edit, false));
        let known = self.log.len();
        let seat = &mut self.seats[client.0];
        seat.inbound.clear();
        seat.unacknowledged.clear();
        (seat.replica, seat.known) = (replica, known);
    }

    fn edit(&mut self, client: ClientId, change: impl FnOnce(&mut Replica) -> Option<Edit>) {
        let seat = &mut self.seats[client.0];
        if let Some(edit) = change(&mut seat.replica) {
            seat.send(edit);
            if !self.acted.contains(&client.0) {
                self.acted.push(client.0);
            }
        }
    }

    fn perform(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        match step {
            Step::Type(text) | Step::Paste(text) => {
                for character in text.chars() {
                    self.edit(client, |replica| Some(replica.insert(character)));
                }
            }
            Step::Press(key) if key == "Enter" => self.edit(client, |replica| Some(replica.insert('\n'))),
            Step::Press(key) if key == "Backspace" => self.edit(client, Replica::delete_before),
            Step::Evaluate(script) if script == "die" => return Err(WorldError::Died("the tab crashed".into())),
            Step::Evaluate(script) if script == "leave" => {
                return Err(WorldError::Interrupted("the page went elsewhere".into()));
            }
            Step::Evaluate(script) if script == "fidget" => self.restless = true,
            Step::Evaluate(script) if script.starts_with("throw ") => {
                self.seats[client.0].errors.push(error(&script[6..], self.concurrent));
            }
            Step::WaitFor(text) if self.seats[client.0].replica.text().contains(text.as_str()) => {}
            other => return Ok(StepOutcome::NotApplicable(format!("nothing here to {other:?}"))),
        }
        Ok(StepOutcome::Done)
    }
}

fn error(text: &str, during_concurrent: bool) -> PageError {
    PageError { kind: ErrorKind::Uncaught, text: text.to_string(), place: None, during_concurrent }
}

fn observed(seat: &Seat, wanted: Wanted) -> Result<Observation, WorldError> {
    let text = seat.replica.text();
    let lines = text.split('\n').map(|line| format!("<p>\n  {}\n", json!(line)));
    let screenshot = wanted.pixels.then(|| draw(&text).encode()).transpose();
    Ok(Observation {
        screenshot: screenshot.map_err(|error| WorldError::CannotRun(error.to_string()))?,
        dom: wanted.dom.then(|| lines.collect()),
        text: wanted.text.then(|| text.split('\n').map(str::to_string).collect()),
        state: wanted.state.then(|| json!(text)),
        broken_invariants: None,
        carets: None,
        errors: seat.errors.clone(),
    })
}

impl World for FakeWorld {
    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        self.begins.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(clients);
        self.seats = (0..clients).map(|client| Seat::new(ClientId(client), 0, client)).collect();
        self.clients = clients;
        self.log.clear();
        self.guests.clear();
        (self.held, self.concurrent, self.restless) = (false, false, false);
        self.acted.clear();
        Ok(Settled::Quiet)
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        let performed = self.steps.fetch_add(1, Ordering::SeqCst);
        if self.dies_after == Some(performed) {
            return Err(WorldError::Died("the browser was killed".into()));
        }
        let outcome = self.perform(client, step)?;
        if !self.held {
            self.deliver_all();
        }
        Ok(outcome)
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        (self.held, self.concurrent) = (true, true);
        Ok(())
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        self.held = false;
        self.deliver_all();
        Ok(if self.restless { Settled::Restless("a timer never ends".into()) } else { Settled::Quiet })
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        let waiting = |seat: &Seat, direction, count| {
            let Seat { client, connection, .. } = *seat;
            std::iter::repeat_n(Event::Deliver { client, direction, connection }, count)
        };
        let to_application = self.seats.iter().flat_map(|seat| waiting(seat, Direction::ToServer, seat.outbound.len()));
        let to_clients = self.seats.iter().flat_map(|seat| waiting(seat, Direction::ToClient, seat.inbound.len()));
        Ok(to_application.chain(to_clients).collect())
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        match *event {
            Event::Deliver { client, direction, connection } => {
                let is_meant = |seat: &Seat| seat.client == client && seat.connection == connection;
                match (self.seats.iter().position(is_meant), direction) {
                    (Some(seat), Direction::ToServer) => self.reach_application(seat),
                    (Some(seat), Direction::ToClient) => self.reach_client(seat),
                    (None, _) => {}
                }
            }
            Event::Cut { client } => self.seats_of(client).for_each(|(_, seat)| seat.cut()),
            Event::Restore { client } => self.restore(client),
            Event::Reload { client } => self.reload(client),
            Event::Wait { client } => self.seats_of(client).for_each(|(_, seat)| seat.retry()),
            Event::Tab { client } | Event::Join { client } => {
                let connection = self.seats_of(client).count();
                let seat = self.seat(client, connection);
                self.seats.push(seat);
                self.guests.extend(guest_name(event));
            }
            Event::Step { .. } | Event::Flush => {}
        }
        Ok(())
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        Ok(Some(Caret(json!(self.seats[client.0].replica.caret()))))
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        let position = caret.0.as_u64().unwrap_or_default() as usize;
        self.seats[client.0].replica.place_caret(position);
        Ok(())
    }

    fn observe(&mut self, client: ClientId, wanted: Wanted) -> Result<Observation, WorldError> {
        observed(&self.seats[client.0], wanted)
    }

    fn guests(&mut self, wanted: Wanted) -> Result<Vec<Guest>, WorldError> {
        let guest =
            |(name, seat): (&String, &Seat)| Ok(Guest { name: name.clone(), observation: observed(seat, wanted)? });
        self.guests.iter().zip(&self.seats[self.clients..]).map(guest).collect()
    }

    fn newcomer(&mut self, wanted: Wanted) -> Result<Option<Arrival>, WorldError> {
        let witness = self.observe(ClientId(0), wanted)?;
        let mut text = self.seats[0].replica.text();
        if self.has(FakeBug::CutsForNewcomers) {
            text.pop();
        }
        let newcomer = Observation { state: wanted.state.then(|| json!(text)), ..witness.clone() };
        Ok(Some(Arrival { newcomer, witness }))
    }
}
