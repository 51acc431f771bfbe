//! [`PlainPage`]: a page that nothing rewrites, in which sequences are performed with trusted input. The browser's own count
//! of executed blocks says whether a line ran.

use std::time::Duration;

use colobus_driver::{BrowserExplorer, ReachBrowser, file_of};
use colobus_explore::coverage::{executed, lines};
use colobus_reach::line::Line;
use colobus_reach::observation::PARAMETER;
use colobus_reach::page::{Page, PageError, Replayed, Step};
use colobus_record::{Event, Line as RecordedLine, Timing, Who};
use colobus_world::{ExplorablePage, Offer, OfferKind, PageRun, PageStep, Visit};

/// How much later than it should a timer may be.
const GRACE: Duration = Duration::from_millis(50);
/// What is entered where nothing depends on it.
const ANY_TEXT: &str = "1";

pub struct PlainPage<'a> {
    pub page: &'a mut BrowserExplorer,
    /// Knows what events are done to.
    pub instrumented: &'a ReachBrowser,
    /// What must run. The search knows statements only, and a line may be inside of one.
    pub line: &'a Line,
}

impl PlainPage<'_> {
    /// The steps as a user performs them.
    pub fn steps(instrumented: &ReachBrowser, steps: &[Step]) -> Result<Vec<PageStep>, PageError> {
        let step = |step: &Step| {
            let unknown = || PageError(format!("`{}` cannot be performed", step.event));
            if let Some(delay) = instrumented.timer(&step.event) {
                return Ok(vec![waiting(delay)]);
            }
            let offer = instrumented.offer(&step.event).ok_or_else(unknown)?;
            let value = step.parameters.get(PARAMETER).map(|value| value.to_text().to_string());
            let value = value.unwrap_or_else(|| usual(offer));
            let action = colobus_explore::action(offer, &value).ok_or_else(unknown)?;
            Ok(action.steps(0))
        };
        let all: Result<Vec<Vec<PageStep>>, PageError> = steps.iter().map(step).collect();
        Ok(all?.concat())
    }

    pub fn perform(&mut self, steps: &[Step]) -> Result<Visit, PageError> {
        let steps = PlainPage::steps(self.instrumented, steps)?;
        self.page.run(&PageRun { steps, ..PageRun::default() }).map_err(|error| PageError(error.to_string()))
    }
}

/// A step that does nothing but to let time pass: what is on the clipboard changes nothing until a user pastes.
fn waiting(delay: Duration) -> PageStep {
    let nothing = Event::Clipboard { text: String::new(), html: None };
    let after_ms = u64::try_from((delay + GRACE).as_millis()).unwrap_or(u64::MAX);
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

impl Page for PlainPage<'_> {
    fn replay(&mut self, steps: &[Step], _: &Line) -> Result<Replayed, PageError> {
        let visit = self.perform(steps)?;
        Ok(match (ran(&visit, self.line), visit.stopped) {
            (true, _) => Replayed::Hit,
            (false, Some(why)) => Replayed::Miss(why),
            (false, None) => Replayed::Miss("the line was not executed".to_string()),
        })
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
