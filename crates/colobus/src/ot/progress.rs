//! Progress on the terminal while a search runs, and a word of warning before one that would never end.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::ensure;
use colobus_ot::functions::Entry;
use colobus_ot::{Options, Setting, Watch};

use super::flags::SearchFlags;
use crate::output::tell;

/// Steps per second and thread, measured on a slow machine; only for estimates.
const STEPS_PER_SECOND: u64 = 150_000_000;

/// Longer than this needs `--yes`.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// How many causal orders there are; an error if checking them would take very long and the user did not agree to it.
pub fn agreed_orders(entry: &Entry, setting: &Setting, flags: &SearchFlags) -> anyhow::Result<u64> {
    let estimate = entry.function.estimate(setting, flags.symmetry)?;
    let seconds = estimate.steps / STEPS_PER_SECOND / flags.threads() as u64;
    let least = if estimate.exact { "" } else { "at least " };
    ensure!(
        flags.yes || flags.limit.is_some() || seconds < PATIENCE.as_secs(),
        "this would take {least}about {} ({least}{} causal orders, {} evaluations); use fewer operations or \
         --positions, stop early with --limit N, or start anyway with --yes",
        span(seconds),
        estimate.orders,
        estimate.evaluations
    );
    Ok(estimate.orders)
}

/// Run a search, with its progress on standard error if that is wanted.
pub fn watched<R>(wanted: bool, unit: &str, mut options: Options, search: impl FnOnce(&Options) -> R) -> R {
    if !wanted {
        return search(&options);
    }
    let watch = Arc::new(Watch::default());
    options.watch = Some(Arc::clone(&watch));
    let (finished, waiting) = mpsc::channel::<()>();
    let started = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            let waiting = waiting;
            while waiting.recv_timeout(Duration::from_millis(500)) == Err(mpsc::RecvTimeoutError::Timeout) {
                tell(&line(&watch, unit, started.elapsed()));
            }
        });
        let result = search(&options);
        drop(finished);
        result
    })
}

fn line(watch: &Watch, unit: &str, elapsed: Duration) -> String {
    let (done, total) = (watch.done.load(Ordering::Relaxed), watch.total.load(Ordering::Relaxed));
    let per_second = done as f64 / elapsed.as_secs_f64().max(0.001);
    let rest = match total.checked_sub(done) {
        Some(rest) if total > 0 && done > 0 => {
            format!(" of {total}, {} left", span((rest as f64 / per_second) as u64))
        }
        _ => String::new(),
    };
    format!("{done} {unit}{rest} ({:.1} million per second)", per_second / 1e6)
}

/// A number of seconds as people say it.
pub fn span(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} minutes", seconds / 60),
        7200..=172_799 => format!("{} hours", seconds / 3600),
        172_800..=63_071_999 => format!("{} days", seconds / 86_400),
        _ => format!("{} years", seconds / 31_536_000),
    }
}
