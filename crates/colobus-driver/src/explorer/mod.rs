//! [`BrowserExplorer`]: a page to explore, in a real browser. Every run gets fresh windows; events are performed by the
//! [`Player`] with trusted input; the browser counts what runs, and the page says what can be done next.

mod marks;
mod offers;
mod server;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use colobus_browser::{LogEntry, scripts};
use colobus_har::Redaction;
use colobus_model::{BrowserPlace, Reset};
use colobus_record::{Event, Line, Origin, Reach, Recording, Viewport, Who};
use colobus_world::{
    ExplorablePage, PageRun, PageStep, Recorded, Script, ScriptName, ScriptRun, SeenProblem, Visit, WorldError,
};
use serde_json::Value;

use crate::session::{
    BrowserSource, ExploreWindows, PlayOptions, Played, Player, Tab, WindowOptions, Windows, ensure_present, problem,
};
use crate::settling::Pace;
use crate::settling::limits::{ELEMENT_IN_EXPLORED_PAGES, REST_OF_EXPLORED_PAGES};
use crate::traffic::TrafficLog;
use crate::world::reset;
use crate::{BrowserChoice, Interrupt};
use marks::marks;
pub(crate) use offers::PageOffer;
use offers::offers;
pub use server::ServerStandIn;

/// The tab that is explored; pop-ups are not.
const TAB: Who = Who { client: 0, tab: 1 };

#[derive(Clone, Debug)]
pub struct ExplorerOptions {
    pub browsers: BrowserChoice,
    pub url: String,
    pub viewport: Viewport,
    /// How the application forgets what was done before.
    pub reset: Option<Reset>,
    /// Answers in the server's place.
    pub server: Option<Arc<dyn ServerStandIn>>,
    /// Ends whatever a run waits for.
    pub interrupt: Interrupt,
}

pub struct BrowserExplorer {
    options: ExplorerOptions,
    /// Nothing after a page that hangs: its browser is not used again.
    windows: Option<Windows>,
    browser: BrowserPlace,
    sources: BTreeMap<ScriptName, Script>,
}

impl BrowserExplorer {
    pub fn open(options: ExplorerOptions) -> Result<BrowserExplorer, WorldError> {
        let windows = open(&options, None)?;
        Ok(BrowserExplorer { browser: windows.browser(), windows: Some(windows), options, sources: BTreeMap::new() })
    }

    fn fresh_windows(&mut self) -> Result<Windows, WorldError> {
        match self.windows.take().map(|windows| windows.renew().map(|()| windows)) {
            Some(Ok(windows)) => Ok(windows),
            _ => {
                let windows = open(&self.options, None)?;
                self.browser = windows.browser();
                Ok(windows)
            }
        }
    }

    /// Sources of all scripts of which something ran. Those that the page has lost meanwhile are left out.
    fn scripts(&mut self, windows: &Windows, tab: &Tab, runs: &[ScriptRun]) -> Vec<Script> {
        let mut found: BTreeMap<&ScriptName, Script> = BTreeMap::new();
        for ScriptRun { script, .. } in runs {
            if !self.sources.contains_key(script)
                && let Ok(Some(read)) = windows.wait(tab.page.script(script))
            {
                self.sources.insert(script.clone(), read);
            }
            if let Some(known) = self.sources.get(script) {
                found.insert(script, known.clone());
            }
        }
        found.into_values().collect()
    }

    fn answers(&self) -> usize {
        self.options.server.as_ref().map_or(0, |server| server.given().len())
    }
}

impl BrowserExplorer {
    fn run_in(&mut self, windows: &Windows, run: &PageRun) -> Result<Visit, WorldError> {
        if let Some(way) = &self.options.reset {
            windows.wait_or_stop(reset(way))?;
        }
        if let Some(server) = &self.options.server {
            server.begin(&run.answers);
        }
        let tab = windows.wait_or_stop(windows.tabs.tab(TAB, REST_OF_EXPLORED_PAGES))?;
        windows.wait_or_stop(tab.page.begin_coverage())?;
        let mut visit = Visit { rested: true, ..Visit::default() };
        let opening = [Line::new(TAB, Event::Open(self.options.url.clone()), 0)];
        let is_open = self.perform(windows, &opening, &mut visit)?;
        visit.answered_last = self.answers() > 0;
        if is_open {
            let (prefix, rest) = run.steps.split_at(run.prefix.min(run.steps.len()));
            if self.perform_steps(windows, prefix, &mut visit)? && !rest.is_empty() {
                visit.before = windows.wait_or_stop(tab.page.take_coverage())?;
                self.perform_steps(windows, rest, &mut visit)?;
            }
        }
        self.look(windows, &tab, visit)
    }

    /// Whether all steps were performed; the visit says why not.
    fn perform_steps(&self, windows: &Windows, steps: &[PageStep], visit: &mut Visit) -> Result<bool, WorldError> {
        for step in steps {
            let answers = self.answers();
            if let Some(server) = &self.options.server {
                server.step(step.seed);
            }
            if !self.perform(windows, &step.lines, visit)? {
                return Ok(false);
            }
            visit.performed += 1;
            visit.answered_last = self.answers() > answers;
        }
        Ok(true)
    }

    /// What is to be seen after the steps of a visit.
    fn look(&mut self, windows: &Windows, tab: &Tab, mut visit: Visit) -> Result<Visit, WorldError> {
        visit.answers = self.options.server.as_ref().map(|server| server.given()).unwrap_or_default();
        visit.problems = tab.page.take_log_entries().iter().filter_map(seen_problem).collect();
        ensure_present(visit.problems.iter().map(|seen| &seen.problem), &self.options.url)?;
        if !visit.rested {
            // A page that hangs answers nothing any more.
            return Ok(visit);
        }
        visit.after = windows.wait_or_stop(tab.page.take_coverage())?;
        let both: Vec<ScriptRun> = visit.before.iter().chain(&visit.after).cloned().collect();
        visit.scripts = self.scripts(windows, tab, &both);
        if Origin::of(&tab.page.url()) == Origin::of(&self.options.url) {
            visit.document = match windows.wait_or_stop(tab.page.sent_document()) {
                // The page is leaving: its next document is looked at when it is there.
                Err(WorldError::Interrupted(_)) => None,
                sent => sent?,
            };
            visit.offers = told(windows, tab, "offers")?.map_or(Ok(Vec::new()), offers)?;
            if self.options.server.is_some() {
                visit.marks = told(windows, tab, "marks")?.map_or(Ok(Vec::new()), marks)?;
            }
        }
        if !visit.problems.is_empty() || !visit.marks.is_empty() {
            visit.screenshot = windows.screenshot().ok().flatten();
        }
        Ok(visit)
    }

    /// Performs lines, and waits until the page has come to rest. False if it cannot go on; the visit says why.
    fn perform(&self, windows: &Windows, lines: &[Line], visit: &mut Visit) -> Result<bool, WorldError> {
        let recording = Recording { viewport: self.options.viewport, lines: lines.to_vec() };
        let mut player = Player::new(windows, &recording, play_options(&self.options));
        for index in 0..lines.len() {
            match player.play_within(index, REST_OF_EXPLORED_PAGES)? {
                Some(Played::Done | Played::Relaxed(_)) => {}
                Some(Played::Impossible(why)) => {
                    visit.stopped = Some(why);
                    return Ok(false);
                }
                None => {
                    visit.rested = false;
                    visit.stopped = Some(format!("it does not answer within {} s", REST_OF_EXPLORED_PAGES.as_secs()));
                    return Ok(false);
                }
            }
        }
        let settled = windows.settle(REST_OF_EXPLORED_PAGES);
        if windows.is_interrupted() {
            return Err(WorldError::Stopped);
        }
        if !settled {
            visit.rested = false;
            visit.stopped = Some(format!("it does not come to rest within {} s", REST_OF_EXPLORED_PAGES.as_secs()));
        }
        Ok(settled)
    }
}

impl ExplorablePage for BrowserExplorer {
    fn run(&mut self, run: &PageRun) -> Result<Visit, WorldError> {
        let windows = self.fresh_windows()?;
        let visit = self.run_in(&windows, run)?;
        if visit.rested {
            self.windows = Some(windows);
        }
        Ok(visit)
    }

    fn go_on(&mut self, steps: &[PageStep]) -> Result<Visit, WorldError> {
        let closed = || WorldError::Interrupted("the page is closed already".to_string());
        let windows = self.windows.take().ok_or_else(closed)?;
        let tab = windows.wait_or_stop(windows.tabs.tab(TAB, REST_OF_EXPLORED_PAGES))?;
        let mut visit = Visit { rested: true, ..Visit::default() };
        self.perform_steps(&windows, steps, &mut visit)?;
        let visit = self.look(&windows, &tab, visit)?;
        if visit.rested {
            self.windows = Some(windows);
        }
        Ok(visit)
    }

    fn run_recorded(&mut self, run: &PageRun) -> Result<Recorded<Visit>, WorldError> {
        let traffic = TrafficLog::default();
        if self.options.browsers.elsewhere.is_some() {
            // A Grid may have no place for a second browser.
            self.windows = None;
        }
        let windows = open(&self.options, Some(traffic.clone()))?;
        let run = self.run_in(&windows, run)?;
        // What is still under way is told when the browser ends.
        drop(windows);
        Ok(Recorded { run, har: traffic.take_har(&Redaction::standard()) })
    }

    fn browser(&self) -> BrowserPlace {
        self.browser.clone()
    }
}

fn open(options: &ExplorerOptions, traffic: Option<TrafficLog>) -> Result<Windows, WorldError> {
    let answerer = options.server.clone().map(|server| server as Arc<dyn colobus_proxy::Answerer>);
    let wanted = WindowOptions {
        browser: BrowserSource::of(&options.browsers),
        headed: options.browsers.headed,
        clients: 1,
        viewport: Some(options.viewport),
        redact: Vec::new(),
        record: false,
        play: true,
        traffic,
        explore: Some(ExploreWindows { answerer }),
    };
    Windows::open_heeding(wanted, Some(&options.interrupt))
}

/// Nothing is done outside of the application.
fn play_options(options: &ExplorerOptions) -> PlayOptions {
    PlayOptions {
        pace: Pace::None,
        strict: false,
        patience: ELEMENT_IN_EXPLORED_PAGES,
        secrets: Vec::new(),
        files: PathBuf::new(),
        reach: Reach::Only(Origin::of(&options.url).into_iter().collect()),
    }
}

/// What a function of ours answers in the page; nothing if the page is leaving, and offers nothing yet.
fn told(windows: &Windows, tab: &Tab, function: &str) -> Result<Option<Value>, WorldError> {
    match windows.wait_or_stop(tab.page.value_in(None, &scripts::call(function, &[]))) {
        Err(WorldError::Interrupted(_)) => Ok(None),
        answered => answered.map(Some),
    }
}

fn seen_problem(entry: &LogEntry) -> Option<SeenProblem> {
    Some(SeenProblem { problem: problem(entry)?, place: entry.place.clone() })
}
