//! [`BusyLoops`]: what keeps the machine busy beside a search.

use std::process::{Child, Command};

use anyhow::Context;

/// Four processes that do nothing but count.
pub struct BusyLoops(Vec<Child>);

impl BusyLoops {
    pub fn start() -> anyhow::Result<BusyLoops> {
        let start = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().context("cannot start sh");
        let mut loops = BusyLoops(vec![]);
        for _ in 0..4 {
            loops.0.push(start()?);
        }
        Ok(loops)
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
