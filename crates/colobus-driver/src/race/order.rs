//! In which order events are released: as they come by themselves while recording, as a plan says afterwards.

use colobus_race::model::{EventKind, EventName};
use colobus_race::recorded::UserStep;
use colobus_world::WorldError;

use super::explorer::Explorer;
use super::registry::Waiting;
use super::run::Run;
use crate::settling::limits::REST_OF_RACED_PAGES_MS;

/// As in the thesis: a recording ends after so many events, or when the user has had this long.
pub const MOST_EVENTS: usize = 250;
pub const SESSION_MS: u64 = 15_000;
/// More events than these after the end of a plan are not run.
const LONGEST_TAIL: usize = 100;

impl Run<'_> {
    /// Releases everything in its natural order. True if nothing was left in the end.
    pub async fn record(&mut self, mut explorer: Option<Explorer>) -> Result<bool, WorldError> {
        let mut blocked = false;
        let mut last_step = 0.0_f64;
        while self.ran.len() < MOST_EVENTS && self.left_for.is_none() {
            if let (Some(explorer), true, false) = (&mut explorer, self.is_complete(), self.has_step())
                && let Some(step) = explorer.next(self.page, self.now).await?
            {
                self.steps.push(step);
            }
            let event = self.registry.earliest();
            let due = event.map(|index| self.registry.waiting[index].due);
            let step = self.steps.get(self.steps_done).map(|step| step.at as f64);
            let comes_first = |step: f64| !blocked && due.is_none_or(|due| step <= due.max(self.now));
            if step.is_some_and(comes_first) {
                match self.step(true).await? {
                    Ok(()) => last_step = self.now,
                    Err(problem) if event.is_none() => {
                        let step = &self.steps[self.steps_done];
                        self.notes.insert(format!("step {} was left out: {problem}", step.step));
                        self.steps.remove(self.steps_done);
                    }
                    Err(_) => blocked = true,
                }
                continue;
            }
            blocked = false;
            let Some(index) = event else {
                if self.hears_more().await? || self.goes_on().await? {
                    continue;
                }
                break;
            };
            let waiting = &self.registry.waiting[index];
            if !self.has_step() && waiting.event.is_periodic() && waiting.due > last_step + REST_OF_RACED_PAGES_MS {
                break;
            }
            self.release(index, true).await?;
        }
        self.steps.truncate(self.steps_done);
        Ok(self.registry.waiting.is_empty())
    }

    /// Whether the page is loaded and has what it asked for. Only then an explorer acts: a slow machine would otherwise record
    /// another order than a fast one.
    fn is_complete(&self) -> bool {
        let is_due = |waiting: &Waiting| waiting.due <= self.now + REST_OF_RACED_PAGES_MS;
        let is_answer = |waiting: &Waiting| matches!(waiting.event.kind, EventKind::Response { .. });
        self.loaded && !self.registry.waiting.iter().any(|waiting| is_answer(waiting) && is_due(waiting))
    }

    fn has_step(&self) -> bool {
        self.steps_done < self.steps.len()
    }

    /// Releases events in this order. What is not enabled in its turn is skipped; what is left in the end comes in its
    /// natural order.
    pub async fn follow(&mut self, order: &[EventName]) -> Result<(), WorldError> {
        for name in order {
            let is_late = self.left_for.is_none() && self.registry.position(name).is_none();
            if is_late && self.step_number(name).is_none() {
                self.goes_on().await?;
            }
            if self.left_for.is_some() {
                self.skipped.push(name.clone());
            } else if let Some(index) = self.registry.position(name) {
                self.release(index, true).await?;
            } else if let Some(number) = self.step_number(name) {
                // Steps before it that the order leaves out do not happen.
                self.steps_done = number;
                if self.step(true).await?.is_err() {
                    self.skipped.push(name.clone());
                    self.steps_done = number + 1;
                }
            } else {
                self.skipped.push(name.clone());
            }
        }
        let end = self.recorded.map_or(0.0, |recorded| recorded.end() as f64);
        let is_settled = self.recorded.is_none_or(|recorded| recorded.is_settled);
        for _ in 0..LONGEST_TAIL {
            if self.left_for.is_some() {
                break;
            }
            let Some(index) = self.registry.earliest() else {
                if self.goes_on().await? {
                    continue;
                }
                break;
            };
            let waiting = &self.registry.waiting[index];
            if !is_settled && waiting.event.is_periodic() && waiting.due > end {
                break;
            }
            self.release(index, false).await?;
        }
        Ok(())
    }

    /// Whether something waits once the browser has drawn: what observers of sizes and places set off belongs to the last event.
    async fn goes_on(&mut self) -> Result<bool, WorldError> {
        let before = self.registry.waiting.len();
        let Some(executed) = self.ran.pop() else { return Ok(false) };
        self.page.ask("held.drawn", &[]).await?;
        self.settle().await?;
        self.finish(executed).await?;
        Ok(self.registry.waiting.len() > before)
    }

    /// Which of the steps an event is.
    fn step_number(&self, name: &EventName) -> Option<usize> {
        let recorded = self.recorded?;
        let event = recorded.execution.events().find(|event| event.name == *name)?;
        match event.kind {
            EventKind::Step { number, .. } => usize::try_from(number).ok()?.checked_sub(1),
            _ => None,
        }
    }
}

/// The time between two steps of an explorer.
pub const BETWEEN_STEPS_MS: u64 = 500;

/// A step that comes so long after the one before it.
pub fn after(steps: &[UserStep], now: f64) -> u64 {
    let last = steps.last().map_or(0, |step| step.at + BETWEEN_STEPS_MS);
    last.max(now.max(0.0).ceil() as u64 + BETWEEN_STEPS_MS)
}
