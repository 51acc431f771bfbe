//! [`Registry`]: the events of one execution: named when they are registered, waiting until they are released.

use std::collections::HashMap;

use colobus_race::model::{EventKind, EventName, Execution, Matcher, Named, Namer, PageEvent, Site};

/// The client in front of every name.
const CLIENT: &str = "A";

pub struct Registry {
    namer: Namer,
    /// Finds recorded events; none while recording.
    matcher: Option<Matcher>,
    serials: HashMap<Option<EventName>, u32>,
    pub waiting: Vec<Waiting>,
    /// How events were found to be recorded ones although their names differ.
    pub inexact: Vec<String>,
}

/// An event that can be released.
#[derive(Clone, Debug)]
pub struct Waiting {
    pub event: PageEvent,
    pub release: Release,
    /// When it would come by itself, in milliseconds of the page's clock.
    pub due: f64,
}

/// How an event is released.
#[derive(Clone, Debug)]
pub enum Release {
    /// A request is answered.
    Answer(HeldAnswer),
    /// A callback is run.
    Callback { id: u64 },
    /// The picture that `load` waits for is answered.
    Load { request: String, network_id: String },
}

/// An answer that is ready.
#[derive(Clone, Debug)]
pub struct HeldAnswer {
    pub request: String,
    pub network_id: String,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: std::sync::Arc<[u8]>,
    /// Whether the parser may wait for it.
    pub blocks_parser: bool,
    /// The address of a script that runs as soon as it is there.
    pub script: Option<String>,
}

/// What is known of an event when it is registered.
pub struct Registration {
    pub kind: EventKind,
    pub creator: Option<EventName>,
    pub site: Option<Site>,
    pub delay: Option<u64>,
    pub blocks_load: bool,
    pub needs: Vec<EventName>,
}

impl Registration {
    pub fn new(kind: EventKind, creator: Option<EventName>) -> Registration {
        Registration { kind, creator, site: None, delay: None, blocks_load: false, needs: Vec::new() }
    }
}

impl Registry {
    /// `recorded` is the execution whose names count; none while recording.
    pub fn new(recorded: Option<&Execution>) -> Registry {
        let mut namer = Namer::new(CLIENT);
        recorded.into_iter().flat_map(Execution::events).for_each(|event| namer.remember(event));
        Registry {
            namer,
            matcher: recorded.map(|execution| Matcher::new(execution.events().cloned())),
            serials: HashMap::new(),
            waiting: Vec::new(),
            inexact: Vec::new(),
        }
    }

    /// The event, with the name by which the recording knows it.
    pub fn register(&mut self, registration: Registration) -> PageEvent {
        let Registration { kind, creator, site, delay, blocks_load, needs } = registration;
        let serial = self.serials.entry(creator.clone()).or_insert(0);
        let Named { name, is_again } = self.namer.name(&kind, creator.as_ref(), site.as_ref());
        let mut event = PageEvent {
            creator,
            serial: *serial,
            needs,
            blocks_load,
            delay,
            site,
            is_again,
            ..PageEvent::new(name, kind)
        };
        *serial += 1;
        if let Some(found) = self.matcher.as_mut().and_then(|matcher| matcher.find(&event)) {
            event.name = found.name;
            self.inexact.extend(found.inexact);
        }
        event
    }

    pub fn wait(&mut self, event: PageEvent, release: Release, due: f64) {
        self.waiting.push(Waiting { event, release, due });
    }

    /// Whether the event can be released now. `load` waits for what blocks it.
    pub fn is_enabled(&self, waiting: &Waiting) -> bool {
        !matches!(waiting.release, Release::Load { .. }) || !self.waiting.iter().any(|other| other.event.blocks_load)
    }

    /// The event that comes next by itself.
    pub fn earliest(&self) -> Option<usize> {
        let enabled = (0..self.waiting.len()).filter(|index| self.is_enabled(&self.waiting[*index]));
        enabled.min_by(|a, b| self.waiting[*a].due.total_cmp(&self.waiting[*b].due))
    }

    pub fn position(&self, name: &EventName) -> Option<usize> {
        self.waiting.iter().position(|waiting| waiting.event.name == *name && self.is_enabled(waiting))
    }

    /// Whether the parser may be waiting for an answer that is held.
    pub fn blocks_parser(&self) -> bool {
        let blocks = |waiting: &Waiting| matches!(&waiting.release, Release::Answer(answer) if answer.blocks_parser);
        self.waiting.iter().any(blocks)
    }

    pub fn callback(&self, id: u64) -> Option<usize> {
        let is_it = |waiting: &Waiting| matches!(waiting.release, Release::Callback { id: other } if other == id);
        self.waiting.iter().position(is_it)
    }
}
