//! [`FakeWorld`]: the application, which keeps a log of edits and passes each on, and the clients on it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use colobus_model::{
    BrowserPlace, Caret, Chord, ClientId, Direction, ErrorKind, Event, KeyName, LateJoin, LateJoiner,
    Message as WaitingMessage, Observation, PageError, Step,
};
use serde_json::json;

use super::picture::draw;
use super::slot::{ClientSlot, Message};
use super::text::{Edit, Replica};
use super::{FakeBug, LongSilences};
use crate::{
    Editable, ObserveOptions, Settled, StepOutcome, Survey, Touched, Traffic, World, WorldError, exits,
    late_joiner_name,
};

/// What the configuration asks of the text of a client, and which of its scripts threw.
pub(super) struct Properties {
    pub sometimes: Vec<(&'static str, &'static str)>,
    /// What every event is said to have touched.
    pub touched: Option<Touched>,
    pub script_errors: Arc<Mutex<BTreeSet<String>>>,
}

impl Properties {
    fn hold_in(&self, text: &str) -> Vec<String> {
        let holds = self.sometimes.iter().filter(|(_, part)| text.contains(part));
        holds.map(|(name, _)| name.to_string()).collect()
    }

    fn note(&self, error: &str) {
        self.script_errors.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(error.to_string());
    }
}

pub(super) struct FakeWorld {
    pub browser: BrowserPlace,
    bugs: Vec<FakeBug>,
    properties: Properties,
    dies_after: Option<usize>,
    pub interrupted_after: Option<usize>,
    pub exits_in: Option<usize>,
    steps: Arc<AtomicUsize>,
    pub silences: Arc<LongSilences>,
    begins: Arc<Mutex<Vec<usize>>>,
    /// The clients, and behind them who came later.
    slots: Vec<ClientSlot>,
    clients: usize,
    /// Every edit that reached the application, with the number of its author.
    log: Vec<(usize, Edit)>,
    late_joiners: Vec<String>,
    held: bool,
    /// Clients in the order in which they acted since the last delivery.
    acted: Vec<usize>,
    concurrent: bool,
    restless: bool,
    /// Whether every page leaves at once.
    interrupted: bool,
    /// Whether this is the first document with several clients of all.
    first: bool,
    /// Whether the application exits in this document.
    exits: bool,
    /// How many documents with two clients are opened before a reaction comes late, and whether one did.
    late_after: Option<usize>,
    patient: bool,
}

impl FakeWorld {
    pub fn new(
        bugs: Vec<FakeBug>,
        dies_after: Option<usize>,
        (steps, begins): (Arc<AtomicUsize>, Arc<Mutex<Vec<usize>>>),
        properties: Properties,
    ) -> FakeWorld {
        FakeWorld {
            browser: BrowserPlace::here(super::BROWSER),
            bugs,
            properties,
            dies_after,
            interrupted_after: None,
            exits_in: None,
            steps,
            silences: Arc::default(),
            begins,
            slots: Vec::new(),
            clients: 0,
            log: Vec::new(),
            late_joiners: Vec::new(),
            held: false,
            acted: Vec::new(),
            concurrent: false,
            restless: false,
            interrupted: false,
            first: false,
            exits: false,
            late_after: None,
            patient: false,
        }
    }

    /// The same, but every page leaves at once.
    pub fn leaving(self) -> FakeWorld {
        FakeWorld { interrupted: true, ..self }
    }

    pub fn late_after(self, late_after: Option<usize>) -> FakeWorld {
        FakeWorld { late_after, ..self }
    }

    fn has(&self, bug: FakeBug) -> bool {
        self.bugs.contains(&bug)
    }

    /// The application passes an edit on to all other clients, and acknowledges it.
    fn reach_application(&mut self, author: usize) {
        let Some(edit) = self.slots[author].outbound.pop_front() else { return };
        let is_retry = self.log.iter().any(|(_, known)| *known == edit);
        if is_retry && !self.has(FakeBug::AppliesRetriesAgain) {
            return;
        }
        let inbound = &mut self.slots[author].inbound;
        let missed = inbound.iter().any(|message| matches!(message, Message::Edit(Edit::Insert { .. })));
        if let Edit::Insert { id, .. } = edit
            && missed
            && self.bugs.contains(&FakeBug::DropsUnseenInserts)
        {
            inbound.extend([Message::Acknowledged, Message::Edit(Edit::Delete { id })]);
            return;
        }
        let second = self.log.iter().any(|(other, _)| *other != author);
        let refuses = |bug: &FakeBug| match bug {
            FakeBug::RefusesUnseenInserts => missed,
            FakeBug::RefusesEverySecond => second,
            _ => false,
        };
        if self.concurrent && self.bugs.iter().any(refuses) {
            let error = PageError { kind: ErrorKind::Refused(400), ..self::error("a status of 400", true) };
            self.slots[author].errors.push(error);
        }
        self.log.push((author, edit));
        let discreet = self.has(FakeBug::TellsNobody);
        let told = |index: &usize| !discreet || *index == author;
        let impatient = self.is_impatient();
        for (index, slot) in self.slots.iter_mut().enumerate().filter(|(index, slot)| !slot.offline && told(index)) {
            let message = if index == author { Message::Acknowledged } else { Message::Edit(edit) };
            let queue = if impatient && index > 0 { &mut slot.later } else { &mut slot.inbound };
            queue.push_back(message);
        }
    }

    fn reach_client(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let Some(Message::Edit(edit)) = slot.take() else { return };
        let lines = slot.replica.text().matches('\n').count();
        let between = slot.acknowledged > 0 && !slot.unacknowledged.is_empty();
        let reversed = self.bugs.iter().any(|bug| match bug {
            FakeBug::InsertOrder => index > 0,
            FakeBug::InsertOrderOnce => index > 0 && self.first,
            FakeBug::InsertOrderShownLate => index > 0 && self.patient,
            FakeBug::InsertOrderBelowFirstLine => index > 0 && lines > 0,
            FakeBug::InsertOrderBetweenAcknowledgements => index == 0 && between,
            _ => false,
        });
        slot.replica.integrate(&edit, reversed);
        let deletes = matches!(edit, Edit::Delete { .. });
        if index > 0 && self.concurrent && self.exits {
            slot.errors.push(PageError { kind: ErrorKind::Exit, ..self::error("the application exits", true) });
        }
        if deletes && self.concurrent && self.bugs.contains(&FakeBug::ErrorOnRemoteDelete) {
            slot.errors.push(self::error("cannot delete what is not there", true));
        }
    }

    fn deliver_all(&mut self) {
        if self.has(FakeBug::LosesWhatMeets)
            && let Some(later) = self.slots.iter_mut().filter(|slot| !slot.outbound.is_empty()).nth(1)
        {
            later.outbound.pop_front();
            later.inbound.push_back(Message::Acknowledged);
        }
        let busy =
            |slots: &[ClientSlot]| slots.iter().any(|slot| !slot.outbound.is_empty() || !slot.inbound.is_empty());
        while busy(&self.slots) {
            for slot in std::mem::take(&mut self.acted).into_iter().chain(0..self.slots.len()) {
                while !self.slots[slot].outbound.is_empty() {
                    self.reach_application(slot);
                }
            }
            let overtakes = self.has(FakeBug::OvertakesOnce) && self.first || self.has(FakeBug::Overtakes);
            if overtakes && self.concurrent {
                self.slots[0].let_edits_overtake();
            }
            (0..self.slots.len()).for_each(|slot| self.reach_client(slot));
        }
    }

    /// Whether the application takes longer to tell all but the first client than this world waits.
    fn is_impatient(&self) -> bool {
        let slow = self.has(FakeBug::ReactsAfterALongSilence) && self.concurrent;
        slow && !self.silences.came_late.load(Ordering::SeqCst)
    }

    /// A client opens the document as it is in the application.
    fn slot(&mut self, client: ClientId, connection: usize) -> ClientSlot {
        let mut slot = ClientSlot::new(client, connection, self.slots.len());
        let missing = usize::from(self.has(FakeBug::LateJoinersMissTheLastEdit));
        for (_, edit) in &self.log[..self.log.len().saturating_sub(missing)] {
            slot.replica.integrate(edit, false);
        }
        slot.known = self.log.len();
        slot
    }

    /// All slots of a client: a second tab shares its network.
    fn slots_of(&mut self, client: ClientId) -> impl Iterator<Item = (usize, &mut ClientSlot)> {
        self.slots.iter_mut().enumerate().filter(move |(_, slot)| slot.client == client)
    }

    fn restore(&mut self, client: ClientId) {
        let log = self.log.clone();
        for (index, slot) in self.slots_of(client).filter(|(_, slot)| slot.offline) {
            let missed = log[slot.known..].iter();
            let told = |(author, edit): &(usize, Edit)| {
                if *author == index { Message::Acknowledged } else { Message::Edit(*edit) }
            };
            slot.offline = false;
            slot.inbound.extend(missed.map(told));
            // A client that comes back is told at once what has arrived.
            let arrived = |edit: &&Edit| log.iter().any(|(_, known)| known == *edit);
            slot.outbound = slot.unacknowledged.iter().filter(|edit| !arrived(edit)).copied().collect();
            slot.traffic.sent += slot.outbound.len() as u64;
        }
    }

    /// Its own messages flow until the page is there again.
    fn reload(&mut self, client: ClientId) {
        while !self.slots[client.0].outbound.is_empty() {
            self.reach_application(client.0);
        }
        let mut replica = Replica::new(client.0);
        self.log.iter().for_each(|(_, edit)| replica.integrate(edit, false));
        let known = self.log.len();
        let slot = &mut self.slots[client.0];
        slot.inbound.clear();
        slot.unacknowledged.clear();
        (slot.replica, slot.known) = (replica, known);
    }

    fn edit(&mut self, client: ClientId, change: impl FnOnce(&mut Replica) -> Option<Edit>) {
        let slot = &mut self.slots[client.0];
        if let Some(edit) = change(&mut slot.replica) {
            slot.send(edit);
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
            Step::Press(chord) if *chord == Chord::plain(KeyName::Enter) => {
                self.edit(client, |replica| Some(replica.insert('\n')))
            }
            Step::Press(chord) if *chord == Chord::plain(KeyName::Backspace) => {
                self.edit(client, Replica::delete_before)
            }
            Step::Evaluate(script) if script == "die" => return Err(WorldError::Died("the tab crashed".into())),
            Step::Evaluate(script) if script == "leave" => {
                return Err(WorldError::Interrupted("the page went elsewhere".into()));
            }
            Step::Evaluate(script) if script == "exit" => {
                return Err(WorldError::CannotRun("the application exited".into()));
            }
            Step::Evaluate(script) if script == "typo" => {
                return Ok(StepOutcome::Threw("SyntaxError: Unexpected end of input".into()));
            }
            Step::Evaluate(script) if script == "fidget" => self.restless = true,
            Step::Evaluate(script) if script.starts_with("throw ") => {
                self.slots[client.0].errors.push(error(&script[6..], self.concurrent));
            }
            // A request that ends the application, also with other users on the document.
            Step::Evaluate(script) if script == "crash" => {
                if !self.concurrent {
                    return Err(WorldError::Interrupted(exits("exit status: 3")));
                }
                for slot in &mut self.slots {
                    let exit = PageError { kind: ErrorKind::Exit, ..error(&exits("exit status: 3"), true) };
                    slot.errors.push(exit);
                }
            }
            // The page writes its text once more.
            Step::Evaluate(script) if script == "repeat" => {
                let text = self.slots[client.0].replica.text();
                return self.perform(client, &Step::Type(text));
            }
            // Something that is there until a client has written this.
            Step::Evaluate(script)
                if script
                    .strip_prefix("unless ")
                    .is_some_and(|text| !self.slots[client.0].replica.text().contains(text)) => {}
            Step::WaitFor(text) if self.slots[client.0].replica.text().contains(text.as_str()) => {}
            Step::Press(_)
            | Step::Click(_)
            | Step::DoubleClick(_)
            | Step::Drag { .. }
            | Step::Select(_)
            | Step::Evaluate(_)
            | Step::WaitFor(_)
            | Step::Resize(_) => {
                return Ok(StepOutcome::NotApplicable(format!("the fake page has nothing to {step}")));
            }
        }
        Ok(StepOutcome::Done)
    }
}

fn error(text: &str, during_concurrent: bool) -> PageError {
    PageError { kind: ErrorKind::Uncaught, text: text.to_string(), place: None, during_concurrent }
}

fn observed(
    slot: &ClientSlot,
    wanted: ObserveOptions,
    bugs: &[FakeBug],
    properties: &Properties,
) -> Result<Observation, WorldError> {
    let mut text = slot.replica.text();
    if wanted.state && bugs.contains(&FakeBug::StateThrows) && !text.is_empty() {
        properties.note("`state`: no editor");
        return Err(WorldError::Interrupted("`state` of the configuration failed in the page: no editor".into()));
    }
    let sometimes = properties.hold_in(&text);
    if bugs.contains(&FakeBug::CutsForOthers) && slot.client != ClientId(0) {
        text.pop();
    }
    let greeting = |class: &str| format!("<aside{class}>\n  {}\n", json!(format!("You are {}", slot.client)));
    let greeting = match () {
        () if bugs.contains(&FakeBug::GreetsItsUser) => Some(greeting(" class=\"you\"")),
        () if bugs.contains(&FakeBug::GreetsWithoutClass) => Some(greeting("")),
        () => None,
    };
    let labelled = |(author, character): (ClientId, char)| match author == slot.client {
        true => format!("You: {character}"),
        false => format!("{author}: {character}"),
    };
    let (class, shown): (&str, Vec<String>) = match bugs.contains(&FakeBug::LabelsMessages) {
        true => (" class=\"message\"", slot.replica.messages().map(labelled).collect()),
        false => ("", text.split('\n').map(str::to_string).collect()),
    };
    let lines = shown.iter().map(|line| format!("<p{class}>\n  {}\n", json!(line))).chain(greeting);
    let screenshot = wanted.pixels.then(|| draw(&text).encode()).transpose();
    Ok(Observation {
        screenshot: screenshot.map_err(|error| WorldError::CannotRun(error.to_string()))?,
        dom: wanted.dom.then(|| lines.collect()),
        text: wanted.text.then(|| shown.clone()),
        aside: Vec::new(),
        state: (wanted.state && !bugs.contains(&FakeBug::LabelsMessages)).then(|| json!(text)),
        broken_invariants: None,
        sometimes,
        carets: None,
        errors: slot.errors.clone(),
    })
}

impl World for FakeWorld {
    fn browser(&self) -> BrowserPlace {
        self.browser.clone()
    }

    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        if self.interrupted {
            return Err(WorldError::Interrupted("the page went elsewhere".into()));
        }
        let mut begins = self.begins.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let shared_before = begins.iter().filter(|before| **before > 1).count();
        self.first = clients > 1 && shared_before == 0;
        self.exits = clients > 1 && self.exits_in == Some(shared_before);
        begins.push(clients);
        let together = || begins.iter().filter(|count| **count == 2).count();
        self.patient = self.late_after.is_some_and(|after| together() > after);
        drop(begins);
        self.slots = (0..clients).map(|client| ClientSlot::new(ClientId(client), 0, client)).collect();
        self.clients = clients;
        self.log.clear();
        self.late_joiners.clear();
        (self.held, self.concurrent, self.restless) = (false, false, false);
        self.acted.clear();
        Ok(Settled::Quiet)
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        let performed = self.steps.fetch_add(1, Ordering::SeqCst);
        if self.dies_after == Some(performed) {
            return Err(WorldError::Died("the browser was killed".into()));
        }
        if self.interrupted_after == Some(performed) {
            return Err(WorldError::Interrupted("the network is gone".into()));
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

    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError> {
        self.silences.count.fetch_add(1, Ordering::SeqCst);
        for slot in self.slots.iter_mut().filter(|slot| !slot.later.is_empty()) {
            self.silences.came_late.store(true, Ordering::SeqCst);
            slot.inbound.append(&mut slot.later);
        }
        self.settle()
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        let waiting = |slot: &ClientSlot, direction, count| {
            let ClientSlot { client, connection, .. } = *slot;
            std::iter::repeat_n(Event::Deliver { client, direction, connection }, count)
        };
        let to_application = self.slots.iter().flat_map(|slot| waiting(slot, Direction::ToServer, slot.outbound.len()));
        let to_clients = self.slots.iter().flat_map(|slot| waiting(slot, Direction::ToClient, slot.inbound.len()));
        Ok(to_application.chain(to_clients).collect())
    }

    fn is_poll(&mut self, _: &Event) -> bool {
        false
    }

    fn polls(&mut self) -> bool {
        self.has(FakeBug::ShowsStalePolls)
    }

    /// The messages of the fake application have no text.
    fn waiting_message(&mut self, _event: &Event) -> Option<WaitingMessage> {
        None
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        match *event {
            Event::Deliver { client, direction, connection } => {
                let is_meant = |slot: &ClientSlot| slot.client == client && slot.connection == connection;
                match (self.slots.iter().position(is_meant), direction) {
                    (Some(slot), Direction::ToServer) => self.reach_application(slot),
                    (Some(slot), Direction::ToClient) => self.reach_client(slot),
                    (None, _) => {}
                }
            }
            Event::Cut { client } => self.slots_of(client).for_each(|(_, slot)| slot.cut()),
            Event::Restore { client } => self.restore(client),
            Event::Reload { client } => self.reload(client),
            Event::Wait { client } => self.slots_of(client).for_each(|(_, slot)| slot.retry()),
            Event::Tab { client } | Event::Join { client } => {
                let connection = self.slots_of(client).count();
                let slot = self.slot(client, connection);
                self.slots.push(slot);
                self.late_joiners.extend(late_joiner_name(event));
            }
            Event::Poll { client } => {
                self.slots_of(client).for_each(|(_, slot)| slot.polled = Some(slot.replica.clone()));
            }
            Event::PollAnswer { client } => self.slots_of(client).for_each(|(_, slot)| {
                if let Some(answer) = slot.polled.take() {
                    slot.replica = answer;
                }
            }),
            // Its pages have no timers.
            Event::Step { .. } | Event::Flush => {}
        }
        Ok(())
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        Ok(Some(Caret(json!(self.slots[client.0].replica.caret()))))
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        let position = caret.0.as_u64().unwrap_or_default() as usize;
        self.slots[client.0].replica.place_caret(position);
        Ok(())
    }

    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        observed(&self.slots[client.0], wanted, &self.bugs, &self.properties)
    }

    fn late_joiners(&mut self, wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        let late_joiner = |(name, slot): (&String, &ClientSlot)| {
            Ok(LateJoiner { name: name.clone(), observation: observed(slot, wanted, &self.bugs, &self.properties)? })
        };
        self.late_joiners.iter().zip(&self.slots[self.clients..]).map(late_joiner).collect()
    }

    fn late_joiner(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        let reference = self.observe(ClientId(0), wanted)?;
        let mut text = self.slots[0].replica.text();
        if self.has(FakeBug::CutsForLateJoiners) {
            text.pop();
        }
        let late_joiner = match self.has(FakeBug::LabelsMessages) {
            // What it reads is of others.
            true => {
                let slot =
                    ClientSlot { replica: self.slots[0].replica.clone(), ..self.slot(ClientId(self.clients), 0) };
                observed(&slot, wanted, &self.bugs, &self.properties)?
            }
            false => Observation { state: reference.state.as_ref().map(|_| json!(text)), ..reference.clone() },
        };
        Ok(Some(LateJoin { late_joiner, reference }))
    }

    /// One text to write in, and nothing else.
    fn survey(&mut self, _client: ClientId) -> Result<Survey, WorldError> {
        let editable = Editable { selector: "body".into(), kind: "textarea".into(), area: 5000 };
        Ok(Survey { editables: vec![editable], ..Survey::default() })
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        (0..clients).map(|client| self.observe(ClientId(client), wanted)).collect()
    }

    fn traffic(&mut self) -> Vec<Traffic> {
        self.slots.iter().map(|slot| slot.traffic).collect()
    }

    fn touched(&mut self, _: ClientId, _: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        Ok(self.properties.touched.clone())
    }
}
