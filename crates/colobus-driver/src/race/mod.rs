//! [`RaceBrowser`]: a browser in which the events of one page are released one by one, so that they come in any order that
//! the page allows. `run` is one execution, with `page_report` (what the page says), `requests` (what it asks for), `registry` (what
//! waits), `order` (what comes next), `outcome` (what it came to), `needed_elements` and `explorer` (the user), `rewriting`, `sources`, `accesses`, `sharing` and `alike` (what each event
//! touches, and where). `plain` runs the page as it is, with delays alone.

mod accesses;
mod alike;
mod explorer;
mod needed_elements;
mod order;
mod outcome;
mod page_report;
mod plain;
mod registry;
mod requests;
mod rewriting;
mod run;
mod sharing;
mod sources;

use std::sync::{Arc, Mutex, PoisonError};

use colobus_browser::scripts::Raced;
use colobus_browser::{DialogAnswer, DialogOpening, Notice, Page, PageListener, Policy, scripts};
use colobus_model::{BrowserPlace, Invariant, Png, Viewport};
use colobus_race::happens_before::Delays;
use colobus_race::model::{EventName, Execution, FinalState};
use colobus_race::recorded::{RecordedPage, UserStep};
use colobus_record::Reach;
use colobus_world::{RacePage, WorldError};
use serde_json::json;
use tracing::debug;

use crate::guarded_proxy::PageContext;
use crate::settling::limits::IN_RACED_PAGES;
use crate::single_browser::SingleBrowser;
use crate::{BrowserChoice, Interrupt};
pub(crate) use accesses::AccessNames;
use explorer::Explorer;
pub(crate) use needed_elements::needed_elements;
pub(crate) use rewriting::{Rewriter, Source};
use run::Run;
pub(crate) use sources::Sources as MappedScripts;

/// The name of the first event: the document.
const DOCUMENT: &str = "A<html:1";
/// What the picture is called that `load` waits for.
const SENTINEL: &str = "colobus-load";
/// Where the page has code rewritten that it makes itself.
const REWRITING: &str = "colobus-rewrite";

#[derive(Clone, Debug)]
pub struct RaceOptions {
    pub url: String,
    pub viewport: Viewport,
    pub seed: u64,
    /// What the user does; an explorer acts if it is left out.
    pub steps: Option<Vec<UserStep>>,
    /// Whether executions ask the servers again, instead of using the recorded answers.
    pub live: bool,
    /// What has to be true at the end of every execution.
    pub invariants: Vec<Invariant>,
    /// Patterns for the addresses of scripts that are not looked into; `*` stands for anything.
    pub libraries: Vec<String>,
    pub browsers: BrowserChoice,
}

pub struct RaceBrowser {
    options: RaceOptions,
    browser: SingleBrowser,
    rewriter: Arc<Mutex<Rewriter>>,
    picture: Option<Png>,
    interrupt: Interrupt,
    /// Where requests may go that were not recorded.
    reach: Reach,
}

impl RaceBrowser {
    /// A browser whose executions end when this is raised.
    pub fn open(options: RaceOptions, interrupt: &Interrupt) -> Result<RaceBrowser, WorldError> {
        let browser = SingleBrowser::open(&options.browsers, interrupt)?;
        let rewriter = Arc::new(Mutex::new(Rewriter::with_libraries(&options.libraries)));
        let interrupt = interrupt.clone();
        Ok(RaceBrowser { options, browser, rewriter, picture: None, interrupt, reach: Reach::Anywhere })
    }

    /// The same browser, in which requests that were not recorded go to these places only.
    pub fn within(self, reach: Reach) -> RaceBrowser {
        RaceBrowser { reach, ..self }
    }

    /// Waits for an asynchronous part, unless the run is stopped.
    fn wait<T>(&self, part: impl Future<Output = Result<T, WorldError>>) -> Result<T, WorldError> {
        self.browser.runtime.block_on(self.interrupt.or(part))
    }

    /// The same browser for another page or session.
    pub fn turn_to(&mut self, options: RaceOptions) {
        if options.libraries != self.options.libraries {
            self.rewriter = Arc::new(Mutex::new(Rewriter::with_libraries(&options.libraries)));
        }
        self.options = options;
    }

    /// An empty page of its own in which this script runs first, and whose requests stop.
    async fn open_page(&self, viewport: Viewport, script: String) -> Result<(PageContext, Page), WorldError> {
        let policy = Policy::Raced { viewport, script };
        let (context, page) = self.browser.open_page(policy, Arc::new(Silent)).await?;
        page.intercept_requests().await?;
        Ok((context, page))
    }

    async fn record_page(&self) -> Result<RecordedPage, WorldError> {
        let RaceOptions { url, viewport, seed, steps, .. } = &self.options;
        let (sentinel, rewriting) = (own_address(url, SENTINEL), own_address(url, REWRITING));
        let script = scripts::in_raced_page(Raced {
            seed: *seed,
            event: DOCUMENT,
            sentinel: &sentinel,
            rewriting: &rewriting,
            messages: None,
            limits: IN_RACED_PAGES,
            logging: None,
        });
        let (context, page) = self.open_page(*viewport, script).await?;
        let mut run = Run::new(&page, url, sentinel, None, None);
        run.invariants = &self.options.invariants;
        run.steps = steps.clone().unwrap_or_default();
        let explorer = steps.is_none().then(|| Explorer::new(*seed));
        run.start().await?;
        let is_settled = run.record(explorer).await?;
        let execution = run.outcome().await?;
        let (steps, answers) = (run.steps.clone(), std::mem::take(&mut run.fresh));
        let messages = std::mem::take(&mut run.messages);
        context.dispose().await?;
        let (url, viewport, seed, live) = (url.clone(), *viewport, *seed, self.options.live);
        let invariants = self.options.invariants.clone();
        Ok(RecordedPage { url, viewport, seed, steps, answers, messages, execution, is_settled, live, invariants })
    }

    async fn execute(
        &self,
        recorded: &RecordedPage,
        order: &[EventName],
    ) -> Result<(Execution, Option<Png>), WorldError> {
        let url = &recorded.url;
        let (sentinel, rewriting) = (own_address(url, SENTINEL), own_address(url, REWRITING));
        let script = scripts::in_raced_page(Raced {
            seed: recorded.seed,
            event: DOCUMENT,
            sentinel: &sentinel,
            rewriting: &rewriting,
            messages: Some(json!(recorded.messages)),
            limits: IN_RACED_PAGES,
            logging: Some(&colobus_script::runtime()),
        });
        let begun = std::time::Instant::now();
        let (context, page) = self.open_page(recorded.viewport, script).await?;
        let rewriter = self.rewriter.clone();
        let reply = move |asked: &str| {
            let mut rewriter = rewriter.lock().unwrap_or_else(PoisonError::into_inner);
            rewriter.rewritten_at_once(asked).map(String::into_bytes)
        };
        page.answer_at_once(&rewriting, Arc::new(reply));
        let mut run = Run::new(&page, &recorded.url, sentinel, Some(recorded), Some(&self.rewriter));
        run.reach = self.reach.clone();
        run.start().await?;
        run.follow(order).await?;
        let execution = run.outcome().await?;
        let accesses: usize = execution.ran.iter().map(|ran| ran.accesses.len()).sum();
        let milliseconds = begun.elapsed().as_millis();
        debug!(target: "settling", milliseconds, events = execution.ran.len(), accesses, "an order was executed");
        // A picture is a courtesy: an execution counts without one.
        let picture = page.screenshot().await.ok();
        context.dispose().await?;
        Ok((execution, picture))
    }
}

impl RacePage for RaceBrowser {
    fn record(&mut self) -> Result<RecordedPage, WorldError> {
        self.wait(self.record_page())
    }

    fn run(&mut self, recorded: &RecordedPage, order: &[EventName]) -> Result<Execution, WorldError> {
        let (execution, picture) = self.wait(self.execute(recorded, order))?;
        self.picture = picture;
        Ok(execution)
    }

    fn picture(&mut self) -> Option<Png> {
        self.picture.take()
    }

    fn run_delayed(
        &mut self,
        recorded: &RecordedPage,
        delays: &Delays,
        left_out: &[EventName],
    ) -> Result<FinalState, WorldError> {
        self.wait(self.run_plain(recorded, delays, left_out))
    }

    fn browser(&self) -> BrowserPlace {
        self.browser.place()
    }
}

/// An address of the page's own server that the page never asks for itself.
fn own_address(url: &str, name: &str) -> String {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    format!("{}/{name}", &url[..end])
}

/// Dismisses dialogs.
pub(crate) struct Silent;

impl PageListener for Silent {
    fn dialog(&self, dialog: &DialogOpening) -> DialogAnswer {
        dialog.default_answer()
    }

    fn notice(&self, _: Notice) {}

    fn changed(&self) {}
}
