//! [`PlainBrowser`]: pages that nothing rewrites, in which sequences are performed with trusted input. The browser's own count
//! of executed blocks says whether a line ran.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use colobus_driver::{BrowserExplorer, LATE_TIMERS, PageEvents, file_of};
use colobus_explore::coverage::{executed, lines};
use colobus_model::BrowserPlace;
use colobus_reach::line::Line;
use colobus_reach::observation::PARAMETER;
use colobus_reach::page::{Replayed, Step};
use colobus_reach_run::PlainPage;
use colobus_record::{Event, Line as RecordedLine, Timing, Who};
use colobus_world::{ExplorablePage, Offer, OfferKind, PageRun, PageStep, Recorded, Visit, WorldError};

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

fn usual(offer: &Offer) -> String {
    match offer.kind {
        OfferKind::Choose => offer.choices.last().cloned().unwrap_or_default(),
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
        Ok(replayed(visit, line))
    }

    fn replay_recorded(&mut self, steps: &[Step], line: &Line) -> Result<Recorded<Replayed>, WorldError> {
        let steps = performed(&self.events, steps).map_err(WorldError::Interrupted)?;
        let Recorded { run, har } = self.explorer.run_recorded(&PageRun { steps, ..PageRun::default() })?;
        Ok(Recorded { run: replayed(run, line), har })
    }
}

fn replayed(visit: Visit, line: &Line) -> Replayed {
    match (ran(&visit, line), visit.stopped) {
        (true, _) => Replayed::Hit,
        (false, Some(why)) => Replayed::Miss(why),
        (false, None) => Replayed::Miss("the line was not executed".to_string()),
    }
}

/// Whether some code of a line was executed.
fn ran(visit: &Visit, target: &Line) -> bool {
    let both: Vec<_> = visit.before.iter().chain(&visit.after).cloned().collect();
    let (covered, _) = executed(&both);
    visit.scripts.iter().filter(|script| file_of(&script.name.url) == *target.file).any(|script| {
        let number = |line: usize| script.line as usize + line + 1;
        let all = lines(&script.source, covered.of(&script.name));
        all.iter().any(|line| number(line.line) == target.number as usize && line.covered)
    })
}
