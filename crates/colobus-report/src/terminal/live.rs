//! [`Progress`]: how far a phase is, its rate and the time that is left; as a live line, or as a plain one.

use std::time::Duration;

use colobus_model::Phase;

use super::Look;
use crate::figures::{counted, grouped, spoken};

/// Takes the live line away; lines may be written in its place.
pub(super) const CLEAR: &str = "\r\x1b[2K";
/// While the live line is drawn the terminal cuts what is too long instead of wrapping it: a wrapped line could not be
/// taken away again.
const NO_WRAP: &str = "\x1b[?7l";
const WRAP: &str = "\x1b[?7h";

const BAR: usize = 24;
const SHORTEST_REDRAW: Duration = Duration::from_millis(80);

pub(super) struct Progress {
    pub phase: Phase,
    pub done: usize,
    pub total: usize,
    /// What was done when this run began: an earlier, interrupted one may have done some, and its rate is not ours.
    done_before: usize,
    since: Duration,
    drawn: Option<Duration>,
    tenth_told: usize,
}

impl Progress {
    pub fn new(phase: Phase, done: usize, now: Duration) -> Progress {
        Progress { phase, done, total: 0, done_before: done, since: now, drawn: None, tenth_told: 0 }
    }

    /// Whether enough time has passed for eyes to follow; the last one always counts.
    pub fn redraw_is_due(&mut self, now: Duration) -> bool {
        let due =
            self.done == self.total || self.drawn.is_none_or(|drawn| now.saturating_sub(drawn) >= SHORTEST_REDRAW);
        if due {
            self.drawn = Some(now);
        }
        due
    }

    pub fn plain_line_is_due(&mut self, now: Duration, longest_silence: Duration) -> bool {
        let tenth = (self.done * 10).checked_div(self.total).unwrap_or(0);
        let silent = now.saturating_sub(self.drawn.unwrap_or(self.since)) >= longest_silence;
        let due = tenth > self.tenth_told || (silent && self.done > 0);
        if due {
            self.drawn = Some(now);
            self.tenth_told = tenth;
        }
        due
    }

    /// `phase 1: 500 of 1,000 (50 %), 12.5 per second, 40 s left`
    pub fn plain(&self, now: Duration) -> String {
        let mut line =
            format!("{}: {} of {} ({} %)", name(self.phase), grouped(self.done), grouped(self.total), self.percent());
        if let Some((rate, left)) = self.rate_and_time_left(now) {
            line.push_str(&format!(", {rate:.1} per second"));
            if self.done < self.total {
                line.push_str(&format!(", {} left", spoken(left)));
            }
        }
        line
    }

    fn percent(&self) -> usize {
        (self.done * 100).checked_div(self.total).unwrap_or(100)
    }

    fn rate_and_time_left(&self, now: Duration) -> Option<(f64, Duration)> {
        let done = self.done.checked_sub(self.done_before).filter(|done| *done > 0)?;
        let elapsed = now.saturating_sub(self.since).as_secs_f64();
        let rate = (elapsed > 0.0).then(|| done as f64 / elapsed)?;
        let left = self.total.saturating_sub(self.done) as f64 / rate;
        Some((rate, Duration::try_from_secs_f64(left).ok()?))
    }
}

/// `phase 2 ━━━━━━╸     412 of 1,120  11.2/s  1 min 3 s left  3 failed`
pub(super) fn line(progress: &Progress, now: Duration, failures: usize, look: &Look) -> String {
    let filled = (progress.done * BAR).checked_div(progress.total).unwrap_or(BAR).min(BAR);
    let bar = format!("{}{}", "━".repeat(filled), look.faint(&"─".repeat(BAR - filled)));
    let mut text = format!(
        "{} {bar} {} of {} ({} %)",
        name(progress.phase),
        grouped(progress.done),
        grouped(progress.total),
        progress.percent()
    );
    if let Some((rate, left)) = progress.rate_and_time_left(now) {
        text.push_str(&format!("  {rate:.1}/s  {} left", spoken(left)));
    }
    if failures > 0 {
        text.push_str(&format!("  {}", look.bad(&format!("{} failed", grouped(failures)))));
    }
    format!("{NO_WRAP}{text}{WRAP}")
}

pub(super) fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Explore => "phase 1",
        Phase::Search => "phase 2",
        Phase::Reduce => "reduce",
    }
}

pub(super) fn what(phase: Phase, count: usize, noun: &'static str) -> String {
    counted(
        count,
        match phase {
            Phase::Explore => "sequence",
            Phase::Search => noun,
            // A line that is reached is what was wanted.
            Phase::Reduce if noun == "line" => noun,
            Phase::Reduce => "failure",
        },
    )
}
