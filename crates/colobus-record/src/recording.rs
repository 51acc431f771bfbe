//! [`Recording`]: a session of one or several users, in the order in which they acted.

use std::fmt;

use colobus_model::Viewport;

use crate::Event;

/// The version of the format that is written, and the only one there is so far.
pub const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub viewport: Viewport,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub who: Who,
    pub event: Event,
    /// Milliseconds since the line before.
    pub after_ms: u64,
    pub timing: Timing,
}

/// Whether replaying may change the time of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// It may: what counts is that the page is ready.
    #[default]
    Loose,
    /// It is kept at any speed. No time at all means: before data comes that the page asks for because of the line before.
    Exact,
    /// At once, before even the code of the page has come.
    Earliest,
}

impl Timing {
    pub const ALL: [Timing; 3] = [Timing::Loose, Timing::Exact, Timing::Earliest];

    /// As it is written behind the time.
    pub fn mark(self) -> &'static str {
        match self {
            Timing::Loose => "",
            Timing::Exact => "!",
            Timing::Earliest => "!!",
        }
    }
}

impl Line {
    /// With a time that replaying may shorten.
    pub fn new(who: Who, event: Event, after_ms: u64) -> Line {
        Line { who, event, after_ms, timing: Timing::Loose }
    }

    /// Whether it comes before the page is ready for it.
    pub fn is_hurried(&self) -> bool {
        self.timing != Timing::Loose && self.after_ms == 0
    }
}

/// A user and one of their tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Who {
    /// From zero; written as a letter. At most 25.
    pub client: usize,
    /// From one, in the order in which they were opened.
    pub tab: u32,
}

impl Recording {
    /// How many users take part.
    pub fn clients(&self) -> usize {
        self.lines.iter().map(|line| line.who.client + 1).max().unwrap_or(1)
    }

    /// The first address that a user opened.
    pub fn address(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| match &line.event {
            Event::Open(url) => Some(url.as_str()),
            _ => None,
        })
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = u8::try_from(self.client)
            .ok()
            .filter(|client| *client < 26)
            .map_or('?', |client| char::from(b'A' + client));
        match self.tab {
            1 => write!(f, "{letter}"),
            tab => write!(f, "{letter}.{tab}"),
        }
    }
}
