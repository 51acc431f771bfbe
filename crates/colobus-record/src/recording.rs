//! [`Recording`]: a session of one or several users, in the order in which they acted.

use std::fmt;

use crate::Event;

/// The version of the format that is written, and the only one there is so far.
pub const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub viewport: Viewport,
    pub lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    pub width: u32,
    pub height: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub who: Who,
    pub event: Event,
    /// Milliseconds since the line before.
    pub after_ms: u64,
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

    /// The first address that anybody opened.
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
