//! [`PageEvents`]: what the events of a page are done to. Known after crawling; needed to perform a sequence on another page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use colobus_reach::line::Line;
use colobus_script::Position;
use colobus_world::Offer;
use serde::Deserialize;

use super::sources::Places;

/// The events of a page, by their names in the model.
#[derive(Clone, Debug, Default)]
pub struct PageEvents {
    pub(super) offers: BTreeMap<Arc<str>, Offer>,
    /// How long timers take, in milliseconds.
    pub(super) timers: BTreeMap<Arc<str>, u64>,
    pub(super) browser: BTreeMap<Arc<str>, BrowserEvent>,
    /// Answers of servers.
    pub(super) answers: BTreeSet<Arc<str>>,
    pub(super) places: Places,
}

/// What a user does with the whole page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BrowserEvent {
    Reload,
    /// In the history, within the same document.
    Back,
}

impl BrowserEvent {
    pub(super) fn name(self) -> &'static str {
        match self {
            BrowserEvent::Reload => "reload the page",
            BrowserEvent::Back => "go back",
        }
    }
}

impl PageEvents {
    /// What an event is done to.
    pub fn offer(&self, event: &str) -> Option<&Offer> {
        self.offers.get(event)
    }

    /// Where the statements of a line stand in the files that the server sends, if the line is one of a source map.
    pub fn places(&self, line: &Line) -> Option<&[(Arc<str>, Position)]> {
        self.places.get(line).map(Vec::as_slice)
    }

    /// Whether an event comes by itself after what sent its request.
    pub fn is_answer(&self, event: &str) -> bool {
        self.answers.contains(event)
    }

    /// What the browser does for an event; nothing for other events.
    pub fn browser(&self, event: &str) -> Option<BrowserEvent> {
        self.browser.get(event).copied()
    }

    /// How long an event takes that is a timer; nothing for other events.
    pub fn timer(&self, event: &str) -> Option<Duration> {
        self.timers.get(event).copied().map(Duration::from_millis)
    }
}
