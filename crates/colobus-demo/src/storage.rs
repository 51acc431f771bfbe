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

    pub(crate) fn save(&self) {
        std::thread::sleep(self.latency);
    }
}
