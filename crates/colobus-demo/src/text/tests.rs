use super::{Rejection, Rules, Text};
use crate::delta::samples::{self, Step};
use crate::delta::{Delta, Order, Transformer};
use crate::protocol::{ClientId, Edit, Proposal};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::VecDeque;

/// A client as the page has it: one edit on its way, the rest composed in a buffer.
struct Client {
    id: ClientId,
    document: Delta,
    revision: usize,
    seq: u64,
    inflight: Option<Delta>,
    buffer: Option<Delta>,
    to_server: VecDeque<Proposal>,
    from_server: VecDeque<Edit>,
}

const RIGHT: Transformer = Transformer { loses_formatting: false };

impl Client {
    fn new(id: ClientId) -> Client {
        Client {
            id,
            document: Delta::empty_document(),
            revision: 0,
            seq: 0,
            inflight: None,
            buffer: None,
            to_server: VecDeque::new(),
            from_server: VecDeque::new(),
        }
    }

    fn edit(&mut self, steps: &[Step]) {
        let op = samples::change(&self.document, steps);
        self.document = self.document.compose(&op);
        if self.inflight.is_some() {
            self.buffer = Some(self.buffer.take().map_or(op.clone(), |buffer| buffer.compose(&op)));
        } else {
            self.send(op);
        }
    }

    fn send(&mut self, op: Delta) {
        self.seq += 1;
        self.inflight = Some(op.clone());
        self.to_server.push_back(Proposal { seq: self.seq, revision: self.revision, op, clock: None });
    }

    fn receive(&mut self, edit: &Edit) {
        self.revision = edit.revision;
        if edit.client == self.id {
            self.inflight = None;
            if let Some(next) = self.buffer.take() {
                self.send(next);
            }
            return;
        }
        let mut remote = edit.op.clone();
        for local in [&mut self.inflight, &mut self.buffer].into_iter().flatten() {
            let passed = RIGHT.transform(&remote, local, Order::of(edit.client, self.id));
            *local = RIGHT.transform(local, &remote, Order::of(self.id, edit.client));
            remote = passed;
        }
        self.document = self.document.compose(&remote);
    }
}

#[derive(Clone, Debug)]
enum Event {
    Edit(usize, Vec<Step>),
    ToServer(usize),
    FromServer(usize),
}

fn events(clients: usize) -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        (0..clients, samples::steps()).prop_map(|(client, steps)| Event::Edit(client, steps)),
        (0..clients).prop_map(Event::ToServer),
        (0..clients).prop_map(Event::FromServer),
    ];
    proptest::collection::vec(event, 0..40)
}

struct World {
    text: Text,
    clients: Vec<Client>,
}

impl World {
    fn new(clients: ClientId) -> World {
        World { text: Text::new(), clients: (1..=clients).map(Client::new).collect() }
    }

    fn run(&mut self, event: &Event) {
        match event {
            Event::Edit(client, steps) => self.clients[*client].edit(steps),
            Event::ToServer(client) => self.accept_from(*client),
            Event::FromServer(client) => {
                let client = &mut self.clients[*client];
                if let Some(edit) = client.from_server.pop_front() {
                    client.receive(&edit);
                }
            }
        }
    }

    fn accept_from(&mut self, client: usize) {
        let Some(proposal) = self.clients[client].to_server.pop_front() else { return };
        let author = self.clients[client].id;
        let edit = self.text.accept(author, proposal, Rules::default()).expect("it fits").expect("it is new");
        for client in &mut self.clients {
            client.from_server.push_back(edit.clone());
        }
    }

    fn deliver_everything(&mut self) {
        while self.clients.iter().any(|client| !client.to_server.is_empty() || !client.from_server.is_empty()) {
            for client in 0..self.clients.len() {
                self.run(&Event::ToServer(client));
                self.run(&Event::FromServer(client));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(11), ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn four_clients_end_with_the_servers_document(events in events(4)) {
        let mut world = World::new(4);
        events.iter().for_each(|event| world.run(event));
        world.deliver_everything();
        for client in &world.clients {
            prop_assert_eq!(&client.document, world.text.content());
        }
    }
}

fn typed(seq: u64, revision: usize, text: &str) -> Proposal {
    let mut op = Delta::default();
    op.insert(text, Default::default());
    Proposal { seq, revision, op, clock: None }
}

#[test]
fn an_edit_sent_again_is_taken_once() {
    let mut text = Text::new();
    let accept = |text: &mut Text, rules| text.accept(1, typed(1, 0, "a"), rules).expect("it fits").is_some();
    assert!(accept(&mut text, Rules::default()));
    assert!(!accept(&mut text, Rules::default()));
    assert_eq!(text.revision(), 1);
    assert!(
        accept(&mut text, Rules { forgets_what_it_has: true, ..Rules::default() }),
        "the seeded bug takes it again"
    );
    assert_eq!(text.revision(), 2);
}

#[test]
fn an_edit_that_cannot_be_is_refused_and_changes_nothing() {
    let mut text = Text::new();
    let future = text.accept(1, typed(1, 5, "a"), Rules::default()).unwrap_err();
    assert_eq!(future, Rejection::FromTheFuture { made_at: 5, current: 0 });
    let mut outside = typed(1, 0, "a");
    outside.op.push(crate::delta::Component::Delete { delete: 9 });
    let outside = text.accept(1, outside, Rules::default()).unwrap_err();
    assert_eq!(outside, Rejection::DoesNotFit { revision: 0 });
    assert_eq!((text.revision(), text.content()), (0, &Delta::empty_document()));
}
