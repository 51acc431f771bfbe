//! Ctrl-C: the first asks the run to end with a report of what is known, the second ends the process at once.

use std::time::{Duration, Instant};

use anyhow::Context;
use colobus_run::StopSignal;

use crate::COULD_NOT_RUN;
use crate::output::tell;

/// Signals that come closer together than this are one: the program `timeout` sends its signal to the process, and then to the group
/// that it is in. A user takes longer to press the keys again.
const ONE_SIGNAL: Duration = Duration::from_millis(500);

/// A signal that is set when the user interrupts a search.
pub fn on_interrupt() -> anyhow::Result<StopSignal> {
    on_interrupt_of("the report of what is known follows")
}

/// The same for anything else; `promise` is what comes then.
pub fn on_interrupt_of(promise: &'static str) -> anyhow::Result<StopSignal> {
    let signal = StopSignal::default();
    let set = signal.clone();
    let mut last: Option<Instant> = None;
    ctrlc::set_handler(move || {
        let is_the_same = last.replace(Instant::now()).is_some_and(|last| last.elapsed() < ONE_SIGNAL);
        if is_the_same {
            return;
        }
        if set.is_set() {
            std::process::exit(i32::from(COULD_NOT_RUN));
        }
        tell(&format!("\nstopping: {promise}; Ctrl-C again ends at once"));
        set.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(signal)
}
