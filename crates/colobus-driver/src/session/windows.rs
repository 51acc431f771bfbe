//! [`Windows`]: a browser as users have it, with as many tabs and pop-ups as they open: pop-ups stay open, and there are no
//! proxies unless traffic is recorded.
//! The recorder listens to its tabs, the player acts in them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use colobus_browser::{TargetKind, scripts};
use colobus_model::{BrowserPlace, Invariant, Png};
use colobus_record::{Viewport, Who};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::browser_source::BrowserSource;
use super::notice::TabNotice;
use super::open_tabs::{FreeTargets, OpenTabs};
use super::tab::Tab;
use crate::Interrupt;
use crate::browsers::OpenBrowser;
use crate::runtime::DriverRuntime;
use crate::settling::settle_sessions;
use crate::stage::Glance;
use crate::traffic::{TrafficLog, WindowProxies};
use colobus_proxy::{Answerer, RunAuthority};
use colobus_world::{PageSnapshot, WorldError};

/// How long a new tab may take to appear.
pub(super) const TAB_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone, Debug)]
pub struct WindowOptions {
    pub browser: BrowserSource,
    pub headed: bool,
    pub clients: usize,
    /// The size of the pages; whatever the windows have if it is left out.
    pub viewport: Option<Viewport>,
    /// Selectors of fields whose content is never told.
    pub redact: Vec<String>,
    pub record: bool,
    pub play: bool,
    /// Gets the traffic of all windows, which then goes through proxies that let everything pass.
    pub traffic: Option<TrafficLog>,
    /// Pages say what a user can do in them.
    pub explore: Option<ExploreWindows>,
}

/// What exploring asks of windows.
#[derive(Clone, Debug)]
pub struct ExploreWindows {
    /// Answers in the server's place; all other traffic goes its way.
    pub answerer: Option<Arc<dyn Answerer>>,
}

pub struct Windows {
    // Dropped in this order: the browser ends before the runtime that talks to it.
    browser: Arc<OpenBrowser>,
    pub(crate) tabs: Arc<OpenTabs>,
    notices: Mutex<Option<mpsc::UnboundedReceiver<TabNotice>>>,
    pub(super) runtime: Arc<DriverRuntime>,
    /// Ends what is waited for, if the run can be interrupted.
    interrupt: Option<Interrupt>,
}

impl Windows {
    /// Opens a window per client, each with one empty tab.
    pub fn open(options: WindowOptions) -> Result<Windows, WorldError> {
        Windows::open_heeding(options, None)
    }

    /// The same; opening, and later lines and settling, end when the interrupt is raised.
    pub(crate) fn open_heeding(options: WindowOptions, interrupt: Option<&Interrupt>) -> Result<Windows, WorldError> {
        let cannot = |error: &dyn std::fmt::Display| WorldError::CannotRun(error.to_string());
        let runtime = Arc::new(DriverRuntime::start()?);
        let opening = async {
            let answerer = options.explore.as_ref().and_then(|explore| explore.answerer.clone());
            let needs_proxies = options.traffic.is_some() || answerer.is_some();
            let authority = needs_proxies.then(|| RunAuthority::new().map(Arc::new)).transpose();
            let authority = authority.map_err(|error| cannot(&error))?;
            let trusted = authority.iter().map(|authority| authority.spki_hash().to_string()).collect();
            let browser = Arc::new(options.browser.open(options.headed, trusted).await?);
            let (is_ours, listen) =
                (matches!(options.browser, BrowserSource::Launched(_)), options.browser.listen().cloned());
            let (sender, receiver) = mpsc::unbounded_channel();
            let (log, process) = (options.traffic.clone(), browser.process_id());
            let proxies =
                WindowProxies { log, answerer, authority, browser: process, listen, ..WindowProxies::default() };
            let tabs = Arc::new(OpenTabs::new(options, proxies, sender));
            let clients = tabs.clients();
            let first = browser.pages().await?;
            browser.listen(Arc::new(FreeTargets(tabs.clone())), &[TargetKind::Page], false).await?;
            for client in 0..clients {
                tabs.new_client(&browser, client).await?;
            }
            // In a browser that was running already, the pages that are open are the user's, or keep a session of a Grid alive.
            for page in first.iter().filter(|_| is_ours) {
                browser.close(&page.target_id);
            }
            Ok::<_, WorldError>((browser, tabs, receiver))
        };
        let (browser, tabs, receiver) = match interrupt {
            Some(interrupt) => runtime.block_on(interrupt.or(opening))?,
            None => runtime.block_on(opening)?,
        };
        let interrupt = interrupt.cloned();
        Ok(Windows { browser, tabs, notices: Mutex::new(Some(receiver)), runtime, interrupt })
    }

    /// The browser, for reports.
    pub fn browser(&self) -> BrowserPlace {
        self.browser.place()
    }

    /// Fresh windows in the same browser: nothing is left of what was done in the old ones.
    pub fn renew(&self) -> Result<(), WorldError> {
        self.wait(self.tabs.renew(&self.browser))
    }

    /// What happens in the tabs, for the one recorder.
    pub(super) fn listen(&self) -> Option<mpsc::UnboundedReceiver<TabNotice>> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn wait<T>(&self, part: impl Future<Output = T>) -> T {
        self.runtime.block_on(part)
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interrupt::is_raised)
    }

    /// Waits until the part is done or the run is interrupted.
    pub(crate) fn wait_or_stop<T, E: From<WorldError>>(
        &self,
        part: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        match &self.interrupt {
            Some(interrupt) => self.wait(interrupt.or(part)),
            None => self.wait(part),
        }
    }

    /// Returns when all tabs are closed or the browser is gone, or after this time: true if so.
    pub fn ended_within(&self, limit: Duration) -> bool {
        let ended = |tabs: &OpenTabs| {
            (self.browser.is_gone() || tabs.all().iter().all(|tab| tab.page.is_closed())).then_some(())
        };
        // A limit can only be set where there is a clock: inside.
        self.wait(async { timeout(limit, self.tabs.until(ended)).await }).is_ok()
    }

    /// Waits until nothing moves in any tab.
    pub fn settle(&self, limit: Duration) -> bool {
        let settled = async { Ok::<_, WorldError>(settle_sessions(&self.tabs, limit).await) };
        self.wait_or_stop(settled).unwrap_or(false)
    }

    /// What went wrong in any page since the last call.
    pub fn problems(&self) -> Vec<colobus_world::PageProblem> {
        self.tabs.all().iter().flat_map(|tab| tab.take_problems()).collect()
    }

    /// Opens an address in the first tab of every client.
    pub fn visit(&self, url: &str) -> Result<(), WorldError> {
        self.wait(async {
            for client in 0..self.tabs.clients() {
                let tab = self.tabs.tab(Who { client, tab: 1 }, TAB_LIMIT).await?;
                tab.page.navigate(url).await.map_err(|error| WorldError::CannotRun(error.to_string()))?;
            }
            Ok(())
        })
    }

    /// What every open tab shows, as text that is equal where pages are.
    pub fn contents(&self) -> Result<Vec<(Who, String)>, WorldError> {
        let all = self.evaluate_all(&scripts::call("canonicalDom", &[json!([])]))?;
        all.into_iter().map(|(who, answer)| Ok((who, scripts::read("canonicalDom", answer)?))).collect()
    }

    /// What a tab shows; nothing if it is closed.
    pub(crate) fn look(&self, who: Who) -> Result<Option<PageSnapshot>, WorldError> {
        let Some(tab) = self.tabs.all().into_iter().find(|tab| tab.who == who && !tab.page.is_closed()) else {
            return Ok(None);
        };
        match self.wait(tab.page.value_in(None, &scripts::call("glance.look", &[]))) {
            Ok(answer) => scripts::read("glance.look", answer).map(|glance: Glance| Some(glance.into())),
            // It may be closing, or no page at all.
            Err(WorldError::Interrupted(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Runs JavaScript in every open tab.
    pub fn evaluate_all(&self, source: &str) -> Result<Vec<(Who, Value)>, WorldError> {
        let tabs = self.tabs.all();
        let mut values = Vec::new();
        for tab in tabs.iter().filter(|tab| !tab.page.is_closed()) {
            values.push((tab.who, self.wait(tab.page.value_in(None, source))?));
        }
        Ok(values)
    }

    /// The names of the invariants that do not hold in every open tab, those that throw with the reason.
    pub(crate) fn broken_invariants(&self, invariants: &[Invariant]) -> Result<Vec<String>, WorldError> {
        let mut broken: Vec<String> = Vec::new();
        for tab in self.tabs.all().iter().filter(|tab| !tab.page.is_closed()) {
            let names = match self.wait(tab.page.broken_invariants(invariants)) {
                // A page that cannot be asked keeps no promise.
                Err(WorldError::Interrupted(problem)) => {
                    invariants.iter().map(|invariant| format!("{} ({problem})", invariant.name)).collect()
                }
                answered => answered?,
            };
            for name in names {
                if !broken.contains(&name) {
                    broken.push(name);
                }
            }
        }
        Ok(broken)
    }

    /// What the last tab of the first client shows.
    pub fn screenshot(&self) -> Result<Option<Png>, WorldError> {
        let Some(tab) = self.last_tab() else { return Ok(None) };
        self.wait(tab.page.screenshot()).map(Some)
    }

    /// Asks the page of the same tab; nothing if there is none.
    pub(crate) fn ask_last<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: &[Value],
    ) -> Result<Option<T>, WorldError> {
        let Some(tab) = self.last_tab() else { return Ok(None) };
        let answer = self.wait(tab.page.value_in(None, &scripts::call(function, arguments)))?;
        scripts::read(function, answer).map(Some)
    }

    fn last_tab(&self) -> Option<Arc<Tab>> {
        self.tabs.all().into_iter().rev().find(|tab| tab.who.client == 0 && !tab.page.is_closed())
    }
}
