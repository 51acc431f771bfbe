//! [`PlainBrowser`]: pages that nothing rewrites, in which sequences are performed with trusted input. The browser's own count
//! of executed blocks says whether a line ran.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use colobus_driver::{BrowserEvent, BrowserExplorer, LATE_TIMERS, PageEvents};
use colobus_explore::coverage::executed;
use colobus_model::BrowserPlace;
use colobus_reach::line::Line;
use colobus_reach::observation::PARAMETER;
use colobus_reach::page::{Replayed, Step};
use colobus_reach_run::PlainPage;
use colobus_record::{Event, Line as RecordedLine, Timing, Who};
use colobus_world::{ExplorablePage, Offer, OfferKind, PageRun, PageStep, Recorded, Visit, WorldError};

use super::executed_lines::ExecutedLines;

/// What is entered where nothing depends on it.
const ANY_TEXT: &str = "1";

/// What events are done to, as soon as the page is crawled.
pub type KnownEvents = Arc<OnceLock<PageEvents>>;

pub struct PlainBrowser {
    pub explorer: BrowserExplorer,
    pub events: KnownEvents,
}

/// The steps as a user performs them, or which of them cannot be performed.
pub fn performed(events: &KnownEvents, steps: &[Step]) -> Result<Vec<PageStep>, String> {
    let step = |step: &Step| {
        let unknown = || format!("`{}` cannot be performed", step.event);
        let events = events.get().ok_or_else(unknown)?;
        if let Some(delay) = events.timer(&step.event) {
            return Ok(vec![waiting(delay)]);
        }
        // The page comes to rest after every step: its requests are answered then.
        if events.is_answer(&step.event) {
            return Ok(Vec::new());
        }
        if let Some(event) = events.browser(&step.event) {
            return Ok(vec![by_browser(&step.event, event)]);
        }
        let offer = events.offer(&step.event).ok_or_else(unknown)?;
        let value = step.parameters.get(PARAMETER).map(|value| value.to_text().to_string());
        let value = value.unwrap_or_else(|| usual(offer));
        let action = colobus_explore::action(offer, &value).ok_or_else(unknown)?;
        Ok(action.steps(0))
    };
    let all: Result<Vec<Vec<PageStep>>, String> = steps.iter().map(step).collect();
    Ok(all?.concat())
}

/// A step that does nothing but to let time pass: what is on the clipboard changes nothing until a user pastes.
fn waiting(delay: Duration) -> PageStep {
    let nothing = Event::Clipboard { text: String::new(), html: None };
    let after_ms = u64::try_from((delay + LATE_TIMERS).as_millis()).unwrap_or(u64::MAX);
    let line =
        RecordedLine { timing: Timing::Exact, ..RecordedLine::new(Who { client: 0, tab: 1 }, nothing, after_ms) };
    PageStep { label: format!("wait {} ms", delay.as_millis()), lines: vec![line], seed: 0 }
}

fn by_browser(label: &str, event: BrowserEvent) -> PageStep {
    let recorded = match event {
        BrowserEvent::Reload => Event::Reload,
        BrowserEvent::Back => Event::Back,
    };
    let line = RecordedLine::new(Who { client: 0, tab: 1 }, recorded, 0);
    PageStep { label: label.to_string(), lines: vec![line], seed: 0 }
}

fn usual(offer: &Offer) -> String {
    match offer.kind {
        OfferKind::Choose => offer.choices.last().cloned().unwrap_or_default(),
        OfferKind::Press => "Enter".to_string(),
        _ => ANY_TEXT.to_string(),
    }
}

impl PlainPage for PlainBrowser {
    fn browser(&self) -> BrowserPlace {
        self.explorer.browser()
    }

    fn replay(&mut self, steps: &[Step], line: &Line) -> Result<Replayed, WorldError> {
        let steps = match performed(&self.events, steps) {
            Ok(steps) => steps,
            Err(why) => return Ok(Replayed::Miss(why)),
        };
        let visit = self.explorer.run(&PageRun { steps, ..PageRun::default() })?;
        Ok(self.replayed(visit, line))
    }

    fn replay_recorded(&mut self, steps: &[Step], line: &Line) -> Result<Recorded<Replayed>, WorldError> {
        let steps = performed(&self.events, steps).map_err(WorldError::Interrupted)?;
        let Recorded { run, har } = self.explorer.run_recorded(&PageRun { steps, ..PageRun::default() })?;
        Ok(Recorded { run: self.replayed(run, line), har })
    }
}

impl PlainBrowser {
    fn replayed(&self, visit: Visit, line: &Line) -> Replayed {
        match (self.ran(&visit, line), visit.stopped) {
            (true, _) => Replayed::Hit,
            (false, Some(why)) => Replayed::Miss(why),
            (false, None) => Replayed::Miss("the line was not executed".to_string()),
        }
    }

    /// Whether some code of a line was executed.
    fn ran(&self, visit: &Visit, target: &Line) -> bool {
        let both: Vec<_> = visit.before.iter().chain(&visit.after).cloned().collect();
        let (covered, _) = executed(&both);
        let none = PageEvents::default();
        ExecutedLines::new(&visit.scripts, &covered, self.events.get().unwrap_or(&none)).has(target)
    }
}
