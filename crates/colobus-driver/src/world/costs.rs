//! [`Costs`]: what the executions of all worlds took, as numbers that do not depend on the machine. Counted by worlds and the
//! barrier, read by tests and benches: a new round trip shows.

use std::sync::atomic::{AtomicU64, Ordering};

/// What was needed so far. Messages count when an execution is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Commands to browsers.
    pub commands: u64,
    /// Events that browsers told.
    pub events: u64,
    pub settlings: u64,
    /// How often pages and proxies were compared in all settlings.
    pub passes: u64,
    /// How often a look was the last frame of settling, too.
    pub frames_of_looks: u64,
}

impl Costs {
    /// What was needed since then.
    pub fn since(self, earlier: Costs) -> Costs {
        Costs {
            commands: self.commands - earlier.commands,
            events: self.events - earlier.events,
            settlings: self.settlings - earlier.settlings,
            passes: self.passes - earlier.passes,
            frames_of_looks: self.frames_of_looks - earlier.frames_of_looks,
        }
    }
}

/// Shared by all worlds of a run.
#[derive(Debug, Default)]
pub struct CostCounters {
    commands: AtomicU64,
    events: AtomicU64,
    settlings: AtomicU64,
    passes: AtomicU64,
    frames_of_looks: AtomicU64,
}

impl CostCounters {
    pub fn add_messages(&self, commands: u64, events: u64) {
        self.commands.fetch_add(commands, Ordering::Relaxed);
        self.events.fetch_add(events, Ordering::Relaxed);
    }

    pub fn add_settling(&self) {
        self.settlings.fetch_add(1, Ordering::Relaxed);
    }

    pub fn add_pass(&self) {
        self.passes.fetch_add(1, Ordering::Relaxed);
    }

    pub fn add_frame_of_look(&self) {
        self.frames_of_looks.fetch_add(1, Ordering::Relaxed);
    }

    pub fn read(&self) -> Costs {
        Costs {
            commands: self.commands.load(Ordering::Relaxed),
            events: self.events.load(Ordering::Relaxed),
            settlings: self.settlings.load(Ordering::Relaxed),
            passes: self.passes.load(Ordering::Relaxed),
            frames_of_looks: self.frames_of_looks.load(Ordering::Relaxed),
        }
    }
}
