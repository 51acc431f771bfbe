//! [`RecordedWorlds`]: worlds whose clients tell a log of their own what they say and hear. The findings of a search are run again in
//! them, several at a time, each with a log of its own.

use colobus_model::LearnedSettling;
use colobus_world::{World, WorldError, WorldFactory};

use super::BrowserFactory;
use crate::TrafficLog;

pub struct RecordedWorlds<'a> {
    browsers: &'a BrowserFactory,
    log: TrafficLog,
}

impl<'a> RecordedWorlds<'a> {
    pub(super) fn new(browsers: &'a BrowserFactory) -> RecordedWorlds<'a> {
        RecordedWorlds { browsers, log: TrafficLog::default() }
    }

    /// All that was said so far, as the text of a HAR file, without secrets. Nothing of it is kept.
    pub fn take_har(&self) -> String {
        self.log.take_har(&self.browsers.redaction())
    }
}

impl WorldFactory for RecordedWorlds<'_> {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(self.browsers.open_recorded(&self.log)?))
    }

    fn browser(&self) -> String {
        self.browsers.browser()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        self.browsers.fingerprint()
    }

    fn notes(&self) -> Vec<String> {
        self.browsers.notes()
    }

    fn script_errors(&self) -> Vec<String> {
        self.browsers.script_errors()
    }

    fn learned(&self) -> LearnedSettling {
        self.browsers.learned()
    }

    fn recall(&self, earlier: LearnedSettling) {
        self.browsers.recall(earlier);
    }
}
