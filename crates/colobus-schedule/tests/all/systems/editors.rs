//! Clients, an application and a queue each way between them: what real interactions look like to a strategy.

use std::collections::VecDeque;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use colobus_model::{ClientId, Direction, Event};
use colobus_schedule::{Digest, System};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Message {
    Edit {
        author: usize,
        number: usize,
    },
    /// A client that came back says what it did meanwhile.
    Resume {
        author: usize,
        edits: Vec<usize>,
    },
    /// Everything the application knows.
    Everything(Vec<Message>),
}

#[derive(Clone, Debug, Default, Hash)]
struct Editor {
    steps: usize,
    done: usize,
    /// What it did and what it heard of, in order.
    seen: Vec<Message>,
    offline_edits: Vec<usize>,
    offline: bool,
    cut_planned: bool,
    up: VecDeque<Message>,
    down: VecDeque<Message>,
}

/// Each step of a client sends one message, which the application passes on to the others, and back if it acknowledges.
#[derive(Clone, Debug, Hash)]
pub struct Editors {
    clients: Vec<Editor>,
    log: Vec<Message>,
    acknowledges: bool,
    shows_queues: bool,
    flushes: bool,
}

impl Editors {
    /// `steps[i]` are the steps of client i.
    pub fn new(steps: &[usize]) -> Editors {
        let clients = steps.iter().map(|steps| Editor { steps: *steps, ..Editor::default() }).collect();
        Editors { clients, log: Vec::new(), acknowledges: false, shows_queues: true, flushes: false }
    }

    pub fn acknowledging(mut self) -> Editors {
        self.acknowledges = true;
        self
    }

    /// Of each queue only the first message shows.
    pub fn hiding_queues(mut self) -> Editors {
        self.shows_queues = false;
        self
    }

    /// All messages can be delivered at once, as long as there are any.
    pub fn with_flush(mut self) -> Editors {
        self.flushes = true;
        self
    }

    /// This client loses its network once, and gets it back.
    pub fn with_cut(mut self, client: usize) -> Editors {
        self.clients[client].cut_planned = true;
        self
    }

    /// What the application has got, as client letters.
    pub fn log(&self) -> String {
        self.log.iter().map(author).collect()
    }

    /// What a client has done and seen, as client letters.
    pub fn view(&self, client: usize) -> String {
        self.clients[client].seen.iter().map(author).collect()
    }

    fn flush(&mut self) {
        let is_message = |event: &Event| matches!(event, Event::Deliver { .. });
        while let Some(message) = self.enabled().into_iter().find(is_message) {
            self.perform(&message);
        }
    }

    fn arrive(&mut self, from: usize, message: Message) {
        if let Message::Resume { .. } = message {
            self.clients[from].down.push_back(Message::Everything(self.log.clone()));
        }
        for (client, editor) in self.clients.iter_mut().enumerate() {
            if !editor.offline && (client != from || self.acknowledges) {
                editor.down.push_back(message.clone());
            }
        }
        self.log.push(message);
    }
}

fn author(message: &Message) -> char {
    match message {
        Message::Edit { author, .. } => (b'a' + *author as u8) as char,
        Message::Resume { author, .. } => (b'A' + *author as u8) as char,
        Message::Everything(_) => '*',
    }
}

impl System for Editors {
    type Event = Event;

    fn enabled(&self) -> Vec<Event> {
        let mut enabled = Vec::new();
        for (index, editor) in self.clients.iter().enumerate() {
            let client = ClientId(index);
            let deliver = |direction| Event::Deliver { client, direction, connection: 0 };
            let waiting = |queue: &VecDeque<Message>| if self.shows_queues { queue.len() } else { queue.len().min(1) };
            let possible = [
                (usize::from(editor.done < editor.steps), Event::Step { client, step: editor.done }),
                (waiting(&editor.up), deliver(Direction::ToServer)),
                (waiting(&editor.down), deliver(Direction::ToClient)),
                (usize::from(editor.cut_planned), Event::Cut { client }),
                (usize::from(editor.offline), Event::Restore { client }),
            ];
            enabled.extend(possible.into_iter().flat_map(|(turns, event)| std::iter::repeat_n(event, turns)));
        }
        if self.flushes && self.clients.iter().any(|editor| !editor.up.is_empty() || !editor.down.is_empty()) {
            enabled.push(Event::Flush);
        }
        enabled
    }

    fn perform(&mut self, event: &Event) {
        let Some(ClientId(client)) = event.client() else { return self.flush() };
        let editor = &mut self.clients[client];
        match event {
            Event::Step { step, .. } => {
                editor.done += 1;
                let edit = Message::Edit { author: client, number: *step };
                editor.seen.push(edit.clone());
                if editor.offline {
                    editor.offline_edits.push(*step);
                } else {
                    editor.up.push_back(edit);
                }
            }
            Event::Deliver { direction: Direction::ToServer, .. } => {
                if let Some(message) = editor.up.pop_front() {
                    self.arrive(client, message);
                }
            }
            Event::Deliver { direction: Direction::ToClient, .. } => editor.seen.extend(editor.down.pop_front()),
            Event::Cut { .. } => {
                (editor.cut_planned, editor.offline) = (false, true);
                editor.up.clear();
                editor.down.clear();
            }
            Event::Restore { .. } => {
                editor.offline = false;
                let edits = std::mem::take(&mut editor.offline_edits);
                editor.up.push_back(Message::Resume { author: client, edits });
            }
            Event::Reload { .. }
            | Event::Wait { .. }
            | Event::Poll { .. }
            | Event::PollAnswer { .. }
            | Event::Tab { .. }
            | Event::Join { .. }
            | Event::Flush => {}
        }
    }

    fn digest(&self) -> Digest {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}
