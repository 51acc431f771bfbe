//! A [`Stage`] in memory: a shop with a form and a page to confirm, and the bugs that are asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use colobus_model::BrowserPlace;
use colobus_record::{Event, Recording, Timing};
use colobus_world::{Field, PageSnapshot, Recorded, SessionRun, Stage, WorldError};
use colobus_world::{PageProblem, ProblemKind};

pub const RECORDING: &str = "colobus-recording 1
viewport 640x400
A open \"http://shop/form\" +0
A click /html/body/button[@id=\"prices\"]{label=\"Prices\"} 5,5 +1
A click /html/body/form/input[@name=\"name\"]{label=\"Name\"} 5,5 +1
A type /html/body/form/input[@name=\"name\"]{label=\"Name\"} [a,KeyA,65] +1
A type /html/body/form/input[@name=\"name\"]{label=\"Name\"} [b,KeyB,66] +1
A type /html/body/form/input[@name=\"name\"]{label=\"Name\"} [c,KeyC,67] +1
A click /html/body/form/button[@id=\"next\"]{label=\"Next\"} 5,5 +1
A arrive \"http://shop/confirm\" +1
A click /html/body/button[@id=\"buy\"]{label=\"Buy\"} 5,5 +1
";

pub fn recording() -> Recording {
    Recording::parse(RECORDING).unwrap()
}

#[derive(Clone, Default)]
pub struct Shop {
    /// An exception when prices are wanted before they are there.
    pub uninitialised: bool,
    /// Every click on the button that buys is an order.
    pub double_submit: bool,
    pub forgets_on_back: bool,
    /// An exception in every session.
    pub noisy: bool,
    /// Nobody gets in after so many sessions.
    pub closes_after: Option<usize>,
    /// Does nothing wrong while its traffic is recorded.
    pub shy: bool,
    /// How many sessions there were, in all shops that were made from this one.
    pub sessions: Arc<AtomicUsize>,
}

/// Where a session is.
#[derive(Default)]
struct Visit {
    confirming: bool,
    /// Whether the prices have come.
    ready: bool,
    name: String,
    orders: usize,
    problems: Vec<PageProblem>,
}

impl Visit {
    fn fail(&mut self, kind: ProblemKind, text: &str) {
        self.problems.push(PageProblem { kind, text: text.to_string() });
    }

    fn snapshot(&self) -> PageSnapshot {
        let (page, elements): (&str, &[&str]) = if self.confirming {
            ("confirm", &["body>h1", "body>button#buy"])
        } else {
            ("form", &["body>button#prices", "body>form", "form>input", "form>button#next"])
        };
        let field = Field { key: "name".into(), label: "Name".into(), value: self.name.clone() };
        PageSnapshot {
            url: format!("http://shop/{page}"),
            shape: elements.iter().map(ToString::to_string).collect(),
            fields: if self.confirming { Vec::new() } else { vec![field] },
            ..PageSnapshot::default()
        }
    }
}

impl Shop {
    pub fn sessions(&self) -> usize {
        self.sessions.load(Ordering::SeqCst)
    }

    fn act(&self, visit: &mut Visit, event: &Event, timing: Timing) -> Result<(), String> {
        let target = event.element().map(|element| element.hints.label.clone().unwrap_or_default());
        match (event, target.as_deref(), visit.confirming) {
            (Event::Open(_), ..) => {
                *visit = Visit { problems: std::mem::take(&mut visit.problems), ..Visit::default() }
            }
            (Event::Arrive(_), ..) => {}
            (Event::Click(..), Some("Prices"), false) => {
                if self.uninitialised && timing == Timing::Exact && !visit.ready {
                    visit.fail(ProblemKind::Uncaught, "TypeError: prices is undefined");
                }
            }
            (Event::Click(..), Some("Name"), false) => {}
            (Event::Type { key, .. }, Some("Name"), false) => visit.name.push_str(&key.key),
            (Event::Click(..), Some("Next"), false) => visit.confirming = true,
            // The page has gone by then, but the mouse does not know.
            (Event::Click(..), Some("Next"), true) if timing == Timing::Exact => {}
            (Event::Click(..), Some("Buy"), true) => {
                visit.orders += 1;
                if visit.orders > 1 && self.double_submit {
                    let text = format!("http://shop/orders/{} answered with status 409", self.sessions());
                    visit.fail(ProblemKind::FailedRequest { status: Some(409) }, &text);
                }
            }
            (Event::Back, _, true) => {
                visit.confirming = false;
                if self.forgets_on_back {
                    visit.name.clear();
                }
            }
            (Event::Forward, _, false) => visit.confirming = true,
            _ => return Err("it is not in the page".to_string()),
        }
        Ok(())
    }
}

impl Stage for Shop {
    fn perform(&mut self, recording: &Recording) -> Result<SessionRun, WorldError> {
        if self.closes_after == Some(self.sessions()) {
            return Err(WorldError::CannotRun("the shop has closed".to_string()));
        }
        self.sessions.fetch_add(1, Ordering::SeqCst);
        let mut visit = Visit::default();
        let mut performance = SessionRun { rested: true, ..SessionRun::default() };
        if self.noisy {
            visit.fail(ProblemKind::Uncaught, &format!("advertisement {} is late", self.sessions()));
        }
        for line in &recording.lines {
            if let Err(why) = self.act(&mut visit, &line.event, line.timing) {
                performance.stopped = Some(why);
                break;
            }
            visit.ready = !matches!(line.event, Event::Open(_));
            performance.snapshots.push(Some(visit.snapshot()));
        }
        performance.problems = visit.problems;
        Ok(performance)
    }

    fn perform_recorded(&mut self, recording: &Recording) -> Result<Recorded<SessionRun>, WorldError> {
        let lines = recording.lines.len();
        let shop = if self.shy { Shop { sessions: self.sessions.clone(), ..Shop::default() } } else { self.clone() };
        Ok(Recorded { run: { shop }.perform(recording)?, har: format!("traffic of {lines} lines") })
    }

    fn dry_run(&mut self, recording: &Recording) -> Result<SessionRun, WorldError> {
        self.perform(recording)
    }

    fn browser(&self) -> BrowserPlace {
        BrowserPlace::here("a fake stage")
    }
}
