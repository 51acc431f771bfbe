//! Ctrl-C: the first asks the run to end with a report of what is known, the second ends the process at once. What takes long before a run
//! has begun is waited for until then.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use colobus_run::StopSignal;

use crate::output::tell;
use crate::{COULD_NOT_RUN, verdict};

/// Signals that come closer together than this are one: the program `timeout` sends its signal to the process, and then to the group
/// that it is in. A user takes longer to press the keys again.
const ONE_SIGNAL: Duration = Duration::from_millis(500);

/// Which signals count: one that comes shortly after another that counted is that one, sent again.
#[derive(Default)]
struct Signals {
    counted: Option<Instant>,
}

impl Signals {
    /// Whether a signal that comes now counts. One that does not is not measured from: a user who presses quickly is heard.
    fn counts(&mut self, now: Instant) -> bool {
        let is_the_same = self.counted.is_some_and(|counted| now.duration_since(counted) < ONE_SIGNAL);
        if !is_the_same {
            self.counted = Some(now);
        }
        !is_the_same
    }
}

/// A signal that is set when the user interrupts a search.
pub fn on_interrupt() -> anyhow::Result<StopSignal> {
    on_interrupt_of("the report of what is known follows")
}

/// The same for a run that has this long: its time begins now, before anything is read, started or opened.
pub fn on_interrupt_within(limit: Option<Duration>) -> anyhow::Result<StopSignal> {
    let signal = on_interrupt()?;
    limit.into_iter().for_each(|time| signal.limit(time));
    Ok(signal)
}

/// The same for anything else; `promise` is what comes then.
pub fn on_interrupt_of(promise: &'static str) -> anyhow::Result<StopSignal> {
    let signal = StopSignal::default();
    let set = signal.clone();
    let mut signals = Signals::default();
    ctrlc::set_handler(move || {
        if !signals.counts(Instant::now()) {
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

/// The answer to a question that may take long, unless the run has to end before; then the question is left to itself. `before` says what
/// the run waited for.
pub fn unless_over<T: Send + 'static>(
    stop: &StopSignal,
    before: &str,
    ask: impl FnOnce() -> T + Send + 'static,
) -> anyhow::Result<T> {
    let (tell, told) = mpsc::channel();
    let end = tell.clone();
    stop.on_set(move || drop(end.send(None)));
    thread::spawn(move || drop(tell.send(Some(ask()))));
    let answer = told.recv().context("the answer is missing")?;
    answer.ok_or_else(|| verdict::ended_early(stop, before).unwrap_or_else(|| anyhow!("the run is over")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_does_not_come_is_waited_for_until_the_run_is_over() {
        let stop = StopSignal::default();
        assert_eq!(unless_over(&stop, "it answered", || 7).unwrap(), 7);
        let (_open, never) = mpsc::channel::<()>();
        let wait =
            || unless_over(&stop, "it answered", move || never.recv().is_ok()).map_err(|error| error.to_string());
        let over = "it was interrupted, before it answered: nothing was searched".to_string();
        thread::scope(|scope| {
            let waits = scope.spawn(wait);
            stop.stop();
            assert_eq!(waits.join().unwrap(), Err(over.clone()));
        });
        let late =
            unless_over(&stop, "it answered", || thread::sleep(Duration::MAX)).map_err(|error| error.to_string());
        assert_eq!(late, Err(over));
    }

    /// Which of these moments, in milliseconds, count.
    fn counted(moments: &[u64]) -> Vec<u64> {
        let (mut signals, begun) = (Signals::default(), Instant::now());
        let counts = |moment: &u64| signals.counts(begun + Duration::from_millis(*moment));
        moments.iter().copied().filter(counts).collect()
    }

    #[test]
    fn a_user_who_presses_quickly_is_heard() {
        assert_eq!(counted(&[0, 300, 600, 900, 1200]), [0, 600, 1200]);
        assert_eq!(counted(&[0, 50, 100, 150, 450, 499, 500]), [0, 500]);
    }

    /// As the program `timeout` does.
    #[test]
    fn a_signal_that_is_sent_to_the_process_and_to_its_group_is_one() {
        assert_eq!(counted(&[0, 1]), [0]);
        assert_eq!(counted(&[0, 1, 700, 701]), [0, 700]);
    }
}
