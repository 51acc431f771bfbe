//! Limits on one call. Time is counted in steps, not seconds: the verdict on a slow machine is the same.

use std::cell::Cell;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Function calls and loop turns that one call may take, to the next ten thousand.
    pub steps: u64,
    pub mebibytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 2_000_000, mebibytes: 64 }
    }
}

/// QuickJS asks after this many calls and backward jumps whether to go on.
const STEPS_PER_TICK: u64 = 10_000;

#[derive(Default)]
pub(super) struct Meter {
    left: Cell<u64>,
    empty: Cell<bool>,
}

impl Meter {
    pub fn refill(&self, steps: u64) {
        self.left.set(steps.div_ceil(STEPS_PER_TICK));
        self.empty.set(false);
    }

    /// Whether the running call must stop.
    pub fn tick(&self) -> bool {
        match self.left.get() {
            0 => self.empty.set(true),
            left => self.left.set(left - 1),
        }
        self.empty.get()
    }

    pub fn is_empty(&self) -> bool {
        self.empty.get()
    }
}
