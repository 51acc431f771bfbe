//! Ctrl-C: the first asks the run to end with a report of what is known, the second ends the process at once.

use anyhow::Context;
use colobus_run::StopSignal;

use crate::COULD_NOT_RUN;
use crate::output::tell;

/// A signal that is set when the user interrupts a search.
pub fn on_interrupt() -> anyhow::Result<StopSignal> {
    on_interrupt_of("the report of what is known follows")
}

/// The same for anything else; `promise` is what comes then.
pub fn on_interrupt_of(promise: &'static str) -> anyhow::Result<StopSignal> {
    let signal = StopSignal::default();
    let set = signal.clone();
    ctrlc::set_handler(move || {
        if set.is_set() {
            std::process::exit(i32::from(COULD_NOT_RUN));
        }
        tell(&format!("\nstopping: {promise}; Ctrl-C again ends at once"));
        set.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(signal)
}
