//! [`Stepping`]: worlds that say what is about to happen before it does, and wait for a key if somebody is there to press
//! it. Everything else is left to the worlds inside.

use std::io::{self, BufRead, IsTerminal};

use colobus_model::{Caret, ClientId, Event, Message, Observation, Step};
use colobus_world::{ObserveOptions, Settled, StepOutcome, World, WorldError, WorldFactory};

use crate::output::print;

pub struct Stepping<'a> {
    inner: &'a dyn WorldFactory,
}

impl<'a> Stepping<'a> {
    pub fn new(inner: &'a dyn WorldFactory) -> Stepping<'a> {
        Stepping { inner }
    }
}

impl WorldFactory for Stepping<'_> {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(SteppingWorld { inner: self.inner.open()?, count: 0, held: false }))
    }

    fn browser(&self) -> String {
        self.inner.browser()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        self.inner.fingerprint()
    }

    fn notes(&self) -> Vec<String> {
        self.inner.notes()
    }
}

struct SteppingWorld {
    inner: Box<dyn World>,
    /// Events so far.
    count: usize,
    /// Whether what happens is part of the concurrent part.
    held: bool,
}

impl SteppingWorld {
    fn announce(&mut self, what: &str) {
        self.count += 1;
        let waits = io::stdin().is_terminal();
        let line = format!("{:>3}  {what}{}", self.count, if waits { "  [Enter]" } else { "\n" });
        // A reader that went away does not keep the replay from its end.
        let _ = print(&line);
        if waits {
            let _ = io::stdin().lock().read_line(&mut String::new());
        }
    }
}

impl World for SteppingWorld {
    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        (self.count, self.held) = (0, false);
        self.inner.begin(clients)
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        self.announce(&format!("{client} performs {}", described(step)));
        self.inner.step(client, step)
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        self.held = true;
        self.inner.hold()
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        if std::mem::take(&mut self.held) {
            self.announce("~  all messages are delivered");
        }
        self.inner.settle()
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        self.inner.deliverable()
    }

    fn waiting_message(&mut self, event: &Event) -> Option<Message> {
        self.inner.waiting_message(event)
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        let said =
            self.inner.waiting_message(event).map(|message| format!("  {}", message.preview)).unwrap_or_default();
        self.announce(&format!("{event}{said}"));
        self.inner.happen(event)
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        self.inner.caret(client)
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        self.inner.place_caret(client, caret)
    }

    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        self.inner.observe(client, wanted)
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        self.inner.observe_all(clients, wanted)
    }
}

/// A step as a configuration writes it, on one line.
fn described(step: &Step) -> String {
    serde_json::to_string(step).unwrap_or_default()
}
