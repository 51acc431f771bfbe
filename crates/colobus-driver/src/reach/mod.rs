//! [`ReachBrowser`]: throw-away pages in which handlers run concolically. The code of a page is instrumented on its way
//! from the server (`sources`); each run opens the page afresh, sets its state, performs one event by script, and tells what
//! `page/concolic/` has seen (`run`). Nothing that a handler sends leaves the page: `answers` says what servers answer.

mod answers;
mod events;
mod run;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use colobus_browser::{Page, Policy, scripts};
use colobus_reach::concolic::{HandlerError, Run};
use colobus_reach::crawl::{InstrumentedPage, Move, Offered, Visited};
use colobus_reach::line::Line;
use colobus_reach::observation::Observation;
use colobus_reach::symbolic::expr::Expr;
use colobus_record::Viewport;
use colobus_world::WorldError;
use serde_json::{Value, json};

use crate::guarded_proxy::PageContext;
use crate::race::Silent;
use crate::settling::limits::HANDLER_LIMIT;
use crate::single_browser::SingleBrowser;
use crate::{BrowserChoice, Interrupt};
pub use answers::{AnswerRecorder, RecordedAnswer};
pub use events::{BrowserEvent, PageEvents};
pub use sources::{Places, file_of};

use answers::Answers;
use run::{Names, PageOffers, PageStart, RELOAD, ToldEvent};
use sources::Sources;

#[derive(Clone, Debug)]
pub struct ReachOptions {
    pub url: String,
    pub viewport: Viewport,
    pub browsers: BrowserChoice,
    /// Ends whatever a page is waited for.
    pub interrupt: Interrupt,
}

pub struct ReachBrowser {
    options: ReachOptions,
    /// Nothing while no page is needed: a Grid may have no place for it.
    browser: Option<SingleBrowser>,
    sources: Sources,
    names: Names,
    script: String,
    /// The page of the last run, if it left nothing behind.
    kept: Option<OpenPage>,
    /// Requests that handlers wanted to send.
    refused: BTreeSet<String>,
    answers: Answers,
}

/// A page in a profile of its own.
struct OpenPage {
    context: PageContext,
    page: Page,
}

/// What can be reached: the lines of files that have statements.
pub type Reachable = BTreeMap<Arc<str>, BTreeSet<u32>>;

impl ReachBrowser {
    pub fn open(options: ReachOptions) -> Result<ReachBrowser, WorldError> {
        let browser = SingleBrowser::open(&options.browsers, &options.interrupt)?;
        Ok(ReachBrowser {
            options,
            browser: Some(browser),
            sources: Sources::default(),
            names: Names::default(),
            script: scripts::in_instrumented_page(&colobus_script::concolic_runtime()),
            kept: None,
            refused: BTreeSet::new(),
            answers: Answers::default(),
        })
    }

    /// Lets a page as users have it say what the server answers to requests that change something.
    pub fn record_answers_by(&mut self, recorder: AnswerRecorder) {
        self.answers.recorder = Some(recorder);
    }

    /// What events are done to, and where lines are; known after crawling.
    pub fn events(&self) -> PageEvents {
        PageEvents { places: self.sources.places.clone(), ..self.names.events.clone() }
    }

    /// The line that a developer wrote, for a line of a file that the server sends.
    pub fn original(&self, sent: &Line) -> Option<Line> {
        self.sources.original_of(sent)
    }

    /// The lines that have statements.
    pub fn reachable(&self) -> &Reachable {
        &self.sources.lines
    }

    /// The lines that branches begin with.
    pub fn heads(&self) -> &Reachable {
        &self.sources.heads
    }

    /// Where the branches of these lines begin in the files that the server sends.
    pub fn head_places(&self) -> &Places {
        &self.sources.head_places
    }

    /// The code of each file that is followed, as the server sent it.
    pub fn texts(&self) -> &BTreeMap<Arc<str>, String> {
        &self.sources.texts
    }

    /// Files that are libraries by their path: their code runs as it is.
    pub fn libraries(&self) -> &BTreeSet<Arc<str>> {
        &self.sources.libraries
    }

    /// What is not followed at all: scripts that run as they are, and requests that did not leave.
    pub fn limits(&self) -> Vec<String> {
        let refused = self
            .refused
            .iter()
            .map(|request| format!("{request} has no known answer: it fails where handlers are run"));
        self.sources.unparsed.iter().cloned().chain(refused).collect()
    }

    /// Opens the page afresh, and does something in it.
    fn with_page<T>(
        &mut self,
        event: &str,
        work: impl AsyncFnOnce(&mut Self, &Page) -> Result<T, WorldError>,
    ) -> Result<T, HandlerError> {
        let failed = |error: WorldError| HandlerError { event: event.to_string(), reason: error.to_string() };
        let interrupt = self.options.interrupt.clone();
        let browser = match self.browser.take() {
            Some(browser) => browser,
            None => SingleBrowser::open(&self.options.browsers, &interrupt).map_err(failed)?,
        };
        let done = browser.runtime.block_on(interrupt.or(async {
            let open = match self.kept.take() {
                Some(open) => open,
                None => self.new_page(&browser).await?,
            };
            let done = match self.load(&open.page).await {
                Ok(()) => work(self, &open.page).await,
                Err(error) => Err(error),
            };
            // Opening it again takes a third of the time of another profile. A page that hangs is closed with its context.
            let is_clean = done.is_ok() && open.page.ask("reach.isClean", &[]).await.is_ok_and(|told| told == true);
            match is_clean {
                true => self.kept = Some(open),
                false => open.context.dispose().await?,
            }
            done
        }));
        // One that died is replaced for the next page.
        if !matches!(done, Err(WorldError::Died(_))) {
            self.browser = Some(browser);
        }
        done.map_err(failed)
    }

    /// Ends the browser; another one is opened if a page is needed again.
    pub fn close(&mut self) {
        (self.kept, self.browser) = (None, None);
    }

    async fn new_page(&self, browser: &SingleBrowser) -> Result<OpenPage, WorldError> {
        let policy = Policy::Raced { viewport: self.options.viewport, script: self.script.clone() };
        let (context, mut page) = browser.open_page(policy, Arc::new(Silent)).await?;
        page.set_limit(HANDLER_LIMIT);
        page.intercept_requests().await?;
        Ok(OpenPage { context, page })
    }

    fn visited(&mut self, told: Value) -> Result<Visited, WorldError> {
        let PageOffers { offers, sent } = scripts::read("reach.perform", told.clone())?;
        self.names.learn_sent(sent);
        let offers = self.offered(offers);
        let sources = &self.sources;
        let observation: Observation = scripts::read("reach.perform", told)?;
        let handler = observation.handler.and_then(|site| sources.line(site));
        self.names.learn(&observation);
        let initial = observation.initial.clone();
        Ok(Visited { run: observation.run(&|site| sources.line(site)), handler, initial, offers })
    }

    fn offered(&mut self, told: Vec<ToldEvent>) -> Vec<Offered> {
        let Self { names, sources, .. } = self;
        let sites = |site: u32| sources.line(site);
        told.into_iter().filter_map(|event| names.offered(event, &sites)).collect()
    }
}

impl InstrumentedPage for ReachBrowser {
    fn open(&mut self) -> Result<Visited, HandlerError> {
        let told = self.with_page("start", async |_, page| page.ask("reach.start", &[]).await)?;
        let unreadable = |reason: String| HandlerError { event: "start".to_string(), reason };
        let start = scripts::read("reach.start", told);
        let PageStart { state, log, offers } = start.map_err(|error| unreadable(error.to_string()))?;
        let offers = self.offered(offers);
        self.names.learn_state(&state);
        let lines = log.into_iter().filter_map(|site| self.sources.line(site));
        let log = lines.map(|line: Line| (line, 0)).collect();
        let writes = state.into_iter().map(|(name, value)| (name, Expr::Constant(value))).collect();
        let run = Run { writes, log, ..Run::default() };
        Ok(Visited { run, handler: None, initial: BTreeMap::new(), offers })
    }

    fn perform(&mut self, way: &[Move], last: &Move) -> Result<Visited, HandlerError> {
        let moves: Vec<(Value, bool)> = way
            .iter()
            .map(|step| (step, false))
            .chain([(last, true)])
            .map(|(step, is_last)| (self.names.arguments(step), is_last))
            .collect();
        let event = last.event.clone();
        let mut told = self.perform_all(&event, &moves)?;
        let all: Vec<&Move> = way.iter().chain([last]).collect();
        let events = self.events();
        if self.answers.record(&all, &told, &events) {
            told = self.perform_all(&event, &moves)?;
        }
        self.refused.extend(self.answers.take_unknown());
        let visited = self.visited(told.pop().unwrap_or_default());
        let visited = visited.map_err(|error| HandlerError { event: event.to_string(), reason: error.to_string() })?;
        self.answers.learn(&event, &visited.run.writes);
        Ok(visited)
    }
}

impl ReachBrowser {
    /// Opens the page and performs moves; what each of them tells.
    fn perform_all(&mut self, event: &str, moves: &[(Value, bool)]) -> Result<Vec<Value>, HandlerError> {
        self.with_page(event, async |this, page| {
            let mut told = Vec::new();
            for (arguments, is_last) in moves {
                told.push(this.perform_one(page, &arguments["key"], &arguments["options"], *is_last).await?);
            }
            Ok(told)
        })
    }

    async fn perform_one(
        &mut self,
        page: &Page,
        key: &Value,
        options: &Value,
        is_last: bool,
    ) -> Result<Value, WorldError> {
        let told = match key.as_str() {
            Some(RELOAD) => {
                page.ask("reach.beforeReload", std::slice::from_ref(options)).await?;
                self.reload(page).await?;
                page.ask("reach.reloaded", &[]).await?
            }
            _ => {
                let arguments = [key.clone(), options.clone(), json!(true)];
                let mut performing = std::pin::pin!(page.ask("reach.perform", &arguments));
                loop {
                    tokio::select! {
                        told = &mut performing => break told?,
                        () = page.until_stopped() => self.answer_asked(page).await?,
                    }
                }
            }
        };
        for request in page.take_stopped() {
            if is_last {
                self.refused.insert(format!("{} {}", request.method, request.url));
            }
            page.refuse(&request.id);
        }
        match told["missing"] == true || !is_last && told["absent"] == true {
            true => Err(WorldError::Interrupted("its element is not there any more".to_string())),
            false => Ok(told),
        }
    }
}
