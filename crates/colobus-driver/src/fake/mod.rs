//! A world in memory, for tests of everything above the driver: a shared plain text ([`text`]) that really merges
//! concurrent edits, drawn as little blocks. It takes bugs and faults, so that searches, reductions, journals and
//! reports are tested in milliseconds.

mod text;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use colobus_compare::Picture;
use colobus_trace::{Arrival, Caret, ClientId, Direction, ErrorKind, Event, Observation, PageError, Step};
use serde_json::json;

use crate::{Settled, StepOutcome, Wanted, World, WorldError, WorldFactory};
use text::{Edit, Replica};

/// What is wrong with the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FakeBug {
    /// Text that two clients insert at one place comes out in different orders.
    InsertOrder,
    /// The same, but only once the text has a second line.
    InsertOrderBelowFirstLine,
    /// The same, but only if the others' text reaches A when it knows of one of its own edits that it has arrived, and
    /// of the next not yet.
    InsertOrderBetweenAcknowledgements,
    /// The application drops what is inserted by somebody who has not seen the newest insertion, also for its author.
    DropsUnseenInserts,
    /// Whoever opens the document later does not get its last character.
    CutsForNewcomers,
    /// A client that is told of a deletion while it has edits of its own throws.
    ErrorOnRemoteDelete,
}

/// Makes fake worlds and counts what happens to them.
#[derive(Default)]
pub struct FakeFactory {
    pub bugs: Vec<FakeBug>,
    /// Steps that worlds may still perform before one of them dies, once.
    pub dies_after: Option<usize>,
    steps: Arc<AtomicUsize>,
    begins: Arc<Mutex<Vec<usize>>>,
}

impl FakeFactory {
    pub fn with_bugs(bugs: &[FakeBug]) -> FakeFactory {
        FakeFactory { bugs: bugs.to_vec(), ..FakeFactory::default() }
    }

    /// How many documents were opened with this many clients.
    pub fn begins(&self, clients: usize) -> usize {
        let begins = self.begins.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        begins.iter().filter(|count| **count == clients).count()
    }
}

impl WorldFactory for FakeFactory {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(FakeWorld {
            bugs: self.bugs.clone(),
            dies_after: self.dies_after,
            steps: self.steps.clone(),
            begins: self.begins.clone(),
            clients: Vec::new(),
            outbound: Vec::new(),
            inbound: Vec::new(),
            held: false,
            acted: Vec::new(),
            concurrent: false,
            restless: false,
        }))
    }

    fn browser(&self) -> String {
        "a fake".into()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        Ok(format!("{:?}", self.bugs))
    }
}

struct FakeWorld {
    bugs: Vec<FakeBug>,
    dies_after: Option<usize>,
    steps: Arc<AtomicUsize>,
    begins: Arc<Mutex<Vec<usize>>>,
    clients: Vec<FakeClient>,
    /// Edits on their way to the application, by author.
    outbound: Vec<VecDeque<Edit>>,
    /// Messages on their way to a client, by receiver.
    inbound: Vec<VecDeque<Message>>,
    held: bool,
    /// Clients in the order in which they acted since the last delivery.
    acted: Vec<usize>,
    concurrent: bool,
    restless: bool,
}

/// What the application tells a client.
#[derive(Clone, Copy)]
enum Message {
    Edit(Edit),
    /// An edit of this client's has arrived.
    Acknowledged,
}

struct FakeClient {
    replica: Replica,
    /// Edits of its own of which it does not know yet that they have arrived.
    waiting: usize,
    acknowledged: usize,
    errors: Vec<PageError>,
}

impl FakeWorld {
    /// The application passes an edit on to everybody else, and acknowledges it.
    fn reach_application(&mut self, author: usize) {
        let Some(edit) = self.outbound[author].pop_front() else { return };
        let missed = self.inbound[author].iter().any(|message| matches!(message, Message::Edit(Edit::Insert { .. })));
        if let Edit::Insert { id, .. } = edit
            && missed
            && self.bugs.contains(&FakeBug::DropsUnseenInserts)
        {
            self.inbound[author].extend([Message::Acknowledged, Message::Edit(Edit::Delete { id })]);
            return;
        }
        for (client, queue) in self.inbound.iter_mut().enumerate() {
            queue.push_back(if client == author { Message::Acknowledged } else { Message::Edit(edit) });
        }
    }

    fn reach_client(&mut self, index: usize) {
        let client = &mut self.clients[index];
        let edit = match self.inbound[index].pop_front() {
            Some(Message::Edit(edit)) => edit,
            Some(Message::Acknowledged) => {
                client.waiting -= 1;
                client.acknowledged += 1;
                return;
            }
            None => return,
        };
        let lines = client.replica.text().matches('\n').count();
        let reversed = self.bugs.iter().any(|bug| match bug {
            FakeBug::InsertOrder => index > 0,
            FakeBug::InsertOrderBelowFirstLine => index > 0 && lines > 0,
            FakeBug::InsertOrderBetweenAcknowledgements => index == 0 && client.acknowledged > 0 && client.waiting > 0,
            FakeBug::ErrorOnRemoteDelete | FakeBug::DropsUnseenInserts | FakeBug::CutsForNewcomers => false,
        });
        client.replica.integrate(&edit, reversed);
        let deletes = matches!(edit, Edit::Delete { .. });
        if deletes && self.concurrent && self.bugs.contains(&FakeBug::ErrorOnRemoteDelete) {
            client.errors.push(self::error("cannot delete what is not there", true));
        }
    }

    fn deliver_all(&mut self) {
        let busy = |world: &FakeWorld| {
            world.outbound.iter().any(|queue| !queue.is_empty()) || world.inbound.iter().any(|queue| !queue.is_empty())
        };
        while busy(self) {
            for client in std::mem::take(&mut self.acted).into_iter().chain(0..self.clients.len()) {
                while !self.outbound[client].is_empty() {
                    self.reach_application(client);
                }
            }
            (0..self.clients.len()).for_each(|client| self.reach_client(client));
        }
    }

    fn edit(&mut self, client: ClientId, change: impl FnOnce(&mut Replica) -> Option<Edit>) {
        if let Some(edit) = change(&mut self.clients[client.0].replica) {
            self.outbound[client.0].push_back(edit);
            self.clients[client.0].waiting += 1;
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
                self.clients[client.0].errors.push(error(&script[6..], self.concurrent));
            }
            other => return Ok(StepOutcome::NotApplicable(format!("nothing here to {other:?}"))),
        }
        Ok(StepOutcome::Done)
    }
}

fn error(text: &str, during_concurrent: bool) -> PageError {
    PageError { kind: ErrorKind::Uncaught, text: text.to_string(), place: None, during_concurrent }
}

impl World for FakeWorld {
    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        self.begins.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(clients);
        let fresh =
            |client| FakeClient { replica: Replica::new(client), waiting: 0, acknowledged: 0, errors: Vec::new() };
        self.clients = (0..clients).map(fresh).collect();
        self.outbound = vec![VecDeque::new(); clients];
        self.inbound = vec![VecDeque::new(); clients];
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
        let waiting = |direction, client, count| {
            std::iter::repeat_n(Event::Deliver { client: ClientId(client), direction, connection: 0 }, count)
        };
        let outbound = self.outbound.iter().enumerate();
        let inbound = self.inbound.iter().enumerate();
        let to_application = outbound.flat_map(|(client, queue)| waiting(Direction::ToServer, client, queue.len()));
        let to_clients = inbound.flat_map(|(client, queue)| waiting(Direction::ToClient, client, queue.len()));
        Ok(to_application.chain(to_clients).collect())
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        match *event {
            Event::Deliver { client, direction: Direction::ToServer, .. } => self.reach_application(client.0),
            Event::Deliver { client, direction: Direction::ToClient, .. } => self.reach_client(client.0),
            _ => return Err(WorldError::Interrupted(format!("a fake world knows nothing of {event}"))),
        }
        Ok(())
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        Ok(Some(Caret(json!(self.clients[client.0].replica.caret()))))
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        let position = caret.0.as_u64().unwrap_or_default() as usize;
        self.clients[client.0].replica.place_caret(position);
        Ok(())
    }

    fn observe(&mut self, client: ClientId, wanted: Wanted) -> Result<Observation, WorldError> {
        let FakeClient { replica, errors, .. } = &self.clients[client.0];
        let text = replica.text();
        let lines = text.split('\n').map(|line| format!("<p>\n  {}\n", json!(line)));
        let screenshot = wanted.pixels.then(|| draw(&text).encode()).transpose();
        Ok(Observation {
            screenshot: screenshot.map_err(|error| WorldError::CannotRun(error.to_string()))?,
            dom: wanted.dom.then(|| lines.collect()),
            text: wanted.text.then(|| text.split('\n').map(str::to_string).collect()),
            state: wanted.state.then(|| json!(text)),
            broken_invariants: None,
            carets: None,
            errors: errors.clone(),
        })
    }

    fn newcomer(&mut self, wanted: Wanted) -> Result<Option<Arrival>, WorldError> {
        let witness = self.observe(ClientId(0), wanted)?;
        let mut text = self.clients[0].replica.text();
        if self.bugs.contains(&FakeBug::CutsForNewcomers) {
            text.pop();
        }
        let newcomer = Observation { state: wanted.state.then(|| json!(text)), ..witness.clone() };
        Ok(Some(Arrival { newcomer, witness }))
    }
}

/// Every character is a block of 4 by 4 pixels in a shade of its own, on a grid of 5 by 5.
fn draw(text: &str) -> Picture {
    const WIDTH: usize = 100;
    const HEIGHT: usize = 50;
    let mut rgba = vec![255; WIDTH * HEIGHT * 4];
    for (row, line) in text.split('\n').enumerate() {
        for (column, character) in line.chars().enumerate() {
            let pixels = (0..16).map(|i| (column * 5 + i % 4, row * 5 + i / 4));
            for (x, y) in pixels.filter(|(x, y)| *x < WIDTH && *y < HEIGHT) {
                rgba[(y * WIDTH + x) * 4] = (character as u32 % 200) as u8;
            }
        }
    }
    Picture { width: WIDTH as u32, height: HEIGHT as u32, rgba }
}
