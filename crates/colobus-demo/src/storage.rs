//! Where edits are written before anyone hears of them. The demo keeps nothing on disk; what it keeps is the time that
//! a write takes, because that time is what makes users' edits meet.

use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Storage {
    latency: Duration,
}

impl Storage {
    pub(crate) fn new(latency: Duration) -> Storage {
        Storage { latency }
    }

    pub(crate) fn save_edit(&self) {
        std::thread::sleep(self.latency);
    }

    /// All of a document takes longer than one edit of it.
    pub(crate) fn save_document(&self) {
        std::thread::sleep(self.latency * 4);
    }
}
