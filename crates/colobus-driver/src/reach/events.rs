//! [`PageEvents`]: what the events of a page are done to. Known after crawling; needed to perform a sequence on another page.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use colobus_world::Offer;

/// The events of a page, by their names in the model.
#[derive(Clone, Debug, Default)]
pub struct PageEvents {
    pub(super) offers: BTreeMap<Arc<str>, Offer>,
    /// How long timers take, in milliseconds.
    pub(super) timers: BTreeMap<Arc<str>, u64>,
}

impl PageEvents {
    /// What an event is done to.
    pub fn offer(&self, event: &str) -> Option<&Offer> {
        self.offers.get(event)
    }

    /// How long an event takes that is a timer; nothing for other events.
    pub fn timer(&self, event: &str) -> Option<Duration> {
        self.timers.get(event).copied().map(Duration::from_millis)
    }
}
