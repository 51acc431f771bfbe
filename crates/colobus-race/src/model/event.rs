//! [`PageEvent`]: one schedulable event of a page, with what is needed to decide what must come before it.

use serde::{Deserialize, Serialize};

use super::{EventName, Site};

/// One event of one execution: something that the driver can hold and release by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageEvent {
    pub name: EventName,
    pub kind: EventKind,
    /// The event that registered it: that set the timer, sent the request, created the element. `None`: the page's start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator: Option<EventName>,
    /// How many events its creator had registered before this one.
    #[serde(default)]
    pub serial: u32,
    /// Further events that had to run first: those that created the element of a user step, for example.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<EventName>,
    /// Whether the page's `load` waits for it.
    #[serde(default)]
    pub blocks_load: bool,
    /// Milliseconds from its registration: the fixed delay of a timer or the period of an interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<u64>,
    /// Where in the source it was registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<Site>,
    /// Whether its predecessor registered it, at the place where the predecessor itself was registered ([`super::Named::is_again`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_again: bool,
}

/// What sort of event it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The answer to a request, with everything the page does because of it.
    Response {
        resource: Resource,
        method: String,
        address: String,
    },
    /// A part of the document, parsed. Chunks are numbered from 1.
    Chunk {
        number: u32,
    },
    DomContentLoaded,
    Load,
    /// `unload`, `pagehide` or `visibilitychange` on the way out.
    Unload,
    /// A single timer (`setTimeout`).
    Timer,
    /// One tick of an interval, numbered from 1. `registration` names the interval.
    Interval {
        registration: String,
        tick: u32,
    },
    /// All callbacks registered before one frame.
    AnimationFrame,
    IdleCallback,
    /// The n-th message of one socket, stream, port or channel, numbered from 1.
    Message {
        channel: Channel,
        of: String,
        number: u32,
    },
    /// What the user does, numbered from 1.
    Step {
        number: u32,
        action: String,
    },
}

/// What a response is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    Xhr,
    Fetch,
    Script(ScriptTiming),
    Module,
    Style,
    Image,
    Font,
    Frame,
}

/// When a script runs after its response has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptTiming {
    /// At once: asynchronous scripts, and those inserted by other scripts.
    Async,
    /// The parser waits for it.
    Blocking,
    /// After the last chunk, in the order of the document.
    Deferred,
}

/// Where messages come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    Socket,
    Stream,
    Port,
    Broadcast,
    Worker,
    /// What `postMessage` sends to a window.
    Window,
}

impl PageEvent {
    /// An event without further conditions.
    pub fn new(name: impl Into<EventName>, kind: EventKind) -> PageEvent {
        PageEvent {
            name: name.into(),
            kind,
            creator: None,
            serial: 0,
            needs: Vec::new(),
            blocks_load: false,
            delay: None,
            site: None,
            is_again: false,
        }
    }

    pub fn is_step(&self) -> bool {
        matches!(self.kind, EventKind::Step { .. })
    }

    /// Whether the page's own clock brings it: it comes a fixed time after its registration.
    pub fn is_timer(&self) -> bool {
        matches!(self.kind, EventKind::Timer | EventKind::Interval { .. })
    }

    /// Whether pages use it to look again until something is there: timers, frames and idle callbacks.
    pub fn is_polling(&self) -> bool {
        self.is_timer() || matches!(self.kind, EventKind::AnimationFrame | EventKind::IdleCallback)
    }

    /// Whether it is one of a row without an end: a tick of an interval, or a callback that sets itself again.
    pub fn is_periodic(&self) -> bool {
        matches!(self.kind, EventKind::Interval { .. }) || self.is_again
    }
}

impl EventKind {
    /// The queue whose events run in the order of their numbers, and the number of this one.
    pub fn queue(&self) -> Option<(String, u32)> {
        match self {
            EventKind::Chunk { number } => Some(("document".to_string(), *number)),
            EventKind::Interval { registration, tick } => Some((format!("interval {registration}"), *tick)),
            EventKind::Message { channel, of, number } => Some((format!("{} {of}", channel.word()), *number)),
            EventKind::Step { number, .. } => Some(("user".to_string(), *number)),
            _ => None,
        }
    }

    pub fn is_deferred_script(&self) -> bool {
        matches!(
            self,
            EventKind::Response { resource: Resource::Script(ScriptTiming::Deferred) | Resource::Module, .. }
        )
    }
}

impl Resource {
    /// The word for it in names of events.
    pub fn word(self) -> &'static str {
        match self {
            Resource::Xhr => "xhr",
            Resource::Fetch => "fetch",
            Resource::Script(_) => "script",
            Resource::Module => "module",
            Resource::Style => "style",
            Resource::Image => "img",
            Resource::Font => "font",
            Resource::Frame => "frame",
        }
    }

    /// Whether scripts ask for it as data. The same address is often asked for several times.
    pub fn is_data(self) -> bool {
        matches!(self, Resource::Xhr | Resource::Fetch)
    }
}

impl Channel {
    /// Whether a server or another thread brings its messages, after as much time as it takes. The browser brings the others
    /// at once.
    pub fn takes_time(self) -> bool {
        match self {
            Channel::Socket | Channel::Stream | Channel::Worker => true,
            Channel::Port | Channel::Broadcast | Channel::Window => false,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Channel::Socket => "socket",
            Channel::Stream => "stream",
            Channel::Port => "port",
            Channel::Broadcast => "broadcast",
            Channel::Worker => "worker",
            Channel::Window => "window",
        }
    }
}
