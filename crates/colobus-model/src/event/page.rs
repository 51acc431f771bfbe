//! [`PageEvent`]: something that happens inside one page without a step of a user: an answer, a timer, a piece of the
//! document. Its name says who asked for it, so that the same event has the same name in the next execution.

use std::fmt;
use std::sync::Arc;

/// An event of one page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageEvent {
    pub kind: PageEventKind,
    name: Arc<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageEventKind {
    /// The answer to a request.
    Response(Resource),
    /// A piece of the document, up to where its parser can be held.
    Chunk,
    /// A callback of `setTimeout`.
    Timer,
    /// A callback of `setInterval`.
    Interval,
    /// All callbacks of `requestAnimationFrame` that were registered before it.
    AnimationFrame,
    /// A callback of `requestIdleCallback`.
    Idle,
    /// A message of a port, a channel, a worker or a frame.
    Message,
    DomContentLoaded,
    Load,
}

/// What a page asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    Document,
    Frame,
    Script,
    Module,
    Style,
    Image,
    Font,
    Media,
    Fetch,
    Xhr,
    EventStream,
    Other,
}

impl Resource {
    pub const ALL: [Resource; 12] = [
        Resource::Document,
        Resource::Frame,
        Resource::Script,
        Resource::Module,
        Resource::Style,
        Resource::Image,
        Resource::Font,
        Resource::Media,
        Resource::Fetch,
        Resource::Xhr,
        Resource::EventStream,
        Resource::Other,
    ];

    /// Its name in a schedule.
    pub fn word(self) -> &'static str {
        match self {
            Resource::Document => "document",
            Resource::Frame => "iframe",
            Resource::Script => "script",
            Resource::Module => "module",
            Resource::Style => "style",
            Resource::Image => "img",
            Resource::Font => "font",
            Resource::Media => "media",
            Resource::Fetch => "fetch",
            Resource::Xhr => "xhr",
            Resource::EventStream => "events",
            Resource::Other => "other",
        }
    }
}

impl PageEventKind {
    /// All but the answers.
    pub const INSIDE: [PageEventKind; 8] = [
        PageEventKind::Chunk,
        PageEventKind::Timer,
        PageEventKind::Interval,
        PageEventKind::AnimationFrame,
        PageEventKind::Idle,
        PageEventKind::Message,
        PageEventKind::DomContentLoaded,
        PageEventKind::Load,
    ];

    /// Its name in a schedule; for an answer, that of what was asked for.
    pub fn word(self) -> &'static str {
        match self {
            PageEventKind::Response(resource) => resource.word(),
            PageEventKind::Chunk => "chunk",
            PageEventKind::Timer => "timer",
            PageEventKind::Interval => "interval",
            PageEventKind::AnimationFrame => "frame",
            PageEventKind::Idle => "idle",
            PageEventKind::Message => "message",
            PageEventKind::DomContentLoaded => "DOMContentLoaded",
            PageEventKind::Load => "load",
        }
    }
}

impl PageEvent {
    /// The name tells it from others of its kind: the last part of an address, or who set a timer and where. It is empty
    /// for what happens once in a page. White space in it becomes single spaces, so that it can stand in a line.
    pub fn new(kind: PageEventKind, name: &str) -> PageEvent {
        let words: Vec<&str> = name.split_whitespace().collect();
        PageEvent { kind, name: words.join(" ").into() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for PageEvent {
    /// Without its client: `<img:photo.png`, `:timer of click 2 @app.js:15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, name) = (self.kind.word(), super::text::written_name(&self.name));
        match self.kind {
            PageEventKind::Response(_) => write!(f, "<{word}:{name}"),
            _ if name.is_empty() => write!(f, ":{word}"),
            _ => write!(f, ":{word} {name}"),
        }
    }
}
