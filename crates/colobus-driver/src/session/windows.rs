//! [`Windows`]: a browser as users have it, with as many tabs and pop-ups as they open: no proxies, and pop-ups stay open.
//! The recorder listens to its tabs, the player acts in them.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use colobus_browser::scripts::{self, FreePageOptions};
use colobus_browser::{
    AttachedToTarget, Browser, BrowserContext, DialogAnswer, FreePolicy, LaunchOptions, ProtocolError, TargetInfo,
    TargetListener, Targets, find_browser,
};
use colobus_model::{Invariant, Png};
use colobus_record::{Viewport, Who};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::notice::{TabNotice, What, notify};
use super::tab::Tab;
use crate::settling::limits::{IN_PAGES, TIMERS_IN_SESSIONS};
use crate::settling::settle_sessions;
use crate::stage::snapshot;
use colobus_world::{PageSnapshot, WorldError};

/// How long a new tab may take to appear.
const TAB_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone, Debug)]
pub struct WindowOptions {
    /// The browser to use instead of the first one on PATH.
    pub browser: Option<PathBuf>,
    pub headed: bool,
    pub clients: usize,
    /// The size of the pages; whatever the windows have if it is left out.
    pub viewport: Option<Viewport>,
    /// Selectors of fields whose content is never told.
    pub redact: Vec<String>,
    pub record: bool,
    pub play: bool,
}

pub struct Windows {
    // Dropped in this order: the browser ends before the runtime that talks to it.
    browser: Arc<Browser>,
    pub(super) shared: Arc<Shared>,
    notices: Mutex<Option<mpsc::UnboundedReceiver<TabNotice>>>,
    /// Name and version, as the browser says itself.
    pub version: String,
    pub(super) runtime: Arc<Runtime>,
}

/// Whose dialog, and its answer.
type PlannedAnswer = (Who, DialogAnswer);

/// What the browser's events need to know.
pub struct Shared {
    options: WindowOptions,
    policy: FreePolicy,
    /// The browser context of each client.
    contexts: Mutex<Vec<BrowserContext>>,
    tabs: Mutex<Vec<Arc<Tab>>>,
    dialogs: Mutex<VecDeque<PlannedAnswer>>,
    /// Clients whose pages are about to open a tab, and the address it will go to: not every tab knows who opened it.
    expected_tabs: Mutex<Vec<(usize, String)>>,
    notices: mpsc::UnboundedSender<TabNotice>,
    pub changes: watch::Sender<u64>,
}

impl Windows {
    /// Opens a window per client, each with one empty tab.
    pub fn open(options: WindowOptions) -> Result<Windows, WorldError> {
        let cannot = |error: &dyn std::fmt::Display| WorldError::CannotRun(error.to_string());
        let path = find_browser(options.browser.as_deref(), options.headed).map_err(|error| cannot(&error))?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = Arc::new(runtime.map_err(|error| cannot(&error))?);
        let opening = async {
            let launch = LaunchOptions { headed: options.headed, trusted: None, whole_network: true };
            let browser = Arc::new(Browser::launch(&path, &launch).await?);
            let (sender, receiver) = mpsc::unbounded_channel();
            let shared = Arc::new(Shared {
                policy: policy(&options),
                options,
                contexts: Mutex::default(),
                tabs: Mutex::default(),
                dialogs: Mutex::default(),
                expected_tabs: Mutex::default(),
                notices: sender,
                changes: watch::Sender::default(),
            });
            let first = browser.pages().await?;
            browser.listen(Arc::new(FreeTargets(shared.clone())), &["page"], false).await?;
            for client in 0..shared.options.clients {
                shared.new_client(&browser, client).await?;
            }
            for page in first {
                browser.close(&page.target_id);
            }
            Ok::<_, WorldError>((browser, shared, receiver))
        };
        let (browser, shared, receiver) = runtime.block_on(opening)?;
        let version = browser.version.clone();
        Ok(Windows { browser, shared, notices: Mutex::new(Some(receiver)), version, runtime })
    }

    /// Fresh windows in the same browser: nothing is left of what was done in the old ones.
    pub fn renew(&self) -> Result<(), WorldError> {
        self.wait(self.shared.renew(&self.browser))
    }

    /// What happens in the tabs, for the one recorder.
    pub(super) fn listen(&self) -> Option<mpsc::UnboundedReceiver<TabNotice>> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn wait<T>(&self, part: impl Future<Output = T>) -> T {
        self.runtime.block_on(part)
    }

    /// Returns when all tabs are closed or the browser is gone, or after this time: true if so.
    pub fn ended_within(&self, limit: Duration) -> bool {
        let ended = |shared: &Shared| {
            (self.browser.is_gone() || shared.tabs().iter().all(|tab| tab.page.is_closed())).then_some(())
        };
        // A limit can only be set where there is a clock: inside.
        self.wait(async { timeout(limit, self.shared.until(ended)).await }).is_ok()
    }

    /// Waits until nothing moves in any tab.
    pub fn settle(&self, limit: Duration) -> bool {
        self.wait(settle_sessions(&self.shared, limit))
    }

    /// What went wrong in any page since the last call.
    pub fn problems(&self) -> Vec<colobus_world::PageProblem> {
        self.shared.tabs().iter().flat_map(|tab| tab.take_problems()).collect()
    }

    /// Opens an address in the first tab of every client.
    pub fn visit(&self, url: &str) -> Result<(), WorldError> {
        self.wait(async {
            for client in 0..self.shared.options.clients {
                let tab = self.shared.tab(Who { client, tab: 1 }, TAB_LIMIT).await?;
                tab.page.navigate(url).await.map_err(|error| WorldError::CannotRun(error.to_string()))?;
            }
            Ok(())
        })
    }

    /// What every open tab shows, as text that is equal where pages are.
    pub fn contents(&self) -> Result<Vec<(Who, String)>, WorldError> {
        self.evaluate_all(&scripts::call("canonicalDom", &[json!([])])).map(|all| {
            all.into_iter().map(|(who, value)| (who, value.as_str().unwrap_or_default().to_string())).collect()
        })
    }

    /// What a tab shows; nothing if it is closed.
    pub(crate) fn look(&self, who: Who) -> Result<Option<PageSnapshot>, WorldError> {
        let Some(tab) = self.shared.tabs().into_iter().find(|tab| tab.who == who && !tab.page.is_closed()) else {
            return Ok(None);
        };
        match self.wait(tab.page.value_in(None, &scripts::call("glance.look", &[]))) {
            Ok(told) => Ok(Some(snapshot(&told))),
            // It may be closing, or no page at all.
            Err(WorldError::Interrupted(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Runs JavaScript in every open tab.
    pub fn evaluate_all(&self, source: &str) -> Result<Vec<(Who, Value)>, WorldError> {
        let tabs = self.shared.tabs();
        let mut values = Vec::new();
        for tab in tabs.iter().filter(|tab| !tab.page.is_closed()) {
            values.push((tab.who, self.wait(tab.page.value_in(None, source))?));
        }
        Ok(values)
    }

    /// The names of the invariants that do not hold in every open tab, those that throw with the reason.
    pub(crate) fn broken_invariants(&self, invariants: &[Invariant]) -> Result<Vec<String>, WorldError> {
        let mut broken: Vec<String> = Vec::new();
        for tab in self.shared.tabs().iter().filter(|tab| !tab.page.is_closed()) {
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
    pub(crate) fn ask_last(&self, function: &str, arguments: &[Value]) -> Result<Value, WorldError> {
        let Some(tab) = self.last_tab() else { return Ok(Value::Null) };
        self.wait(tab.page.value_in(None, &scripts::call(function, arguments)))
    }

    fn last_tab(&self) -> Option<Arc<Tab>> {
        self.shared.tabs().into_iter().rev().find(|tab| tab.who.client == 0 && !tab.page.is_closed())
    }
}

impl Shared {
    pub fn tabs(&self) -> Vec<Arc<Tab>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Tab>>> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn tell(&self, notice: TabNotice) {
        // Nobody listens where nothing is recorded.
        let _ = self.notices.send(notice);
    }

    pub fn moved(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Returns what `look` finds as soon as it finds something; looks again whenever the browser says something.
    pub async fn until<T>(&self, look: impl Fn(&Shared) -> Option<T>) -> T {
        let mut changes = self.changes.subscribe();
        loop {
            changes.borrow_and_update();
            if let Some(found) = look(self) {
                return found;
            }
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The tab with this number, as soon as it is there.
    pub async fn tab(&self, who: Who, limit: Duration) -> Result<Arc<Tab>, WorldError> {
        let there = self.until(|shared| shared.tabs().into_iter().find(|tab| tab.who == who && !tab.page.is_closed()));
        timeout(limit, there).await.map_err(|_| WorldError::Interrupted(format!("tab {who} was not opened")))
    }

    /// A page opens a tab. The browser may say so twice.
    pub fn expect_tab(&self, client: usize, url: &str) {
        let mut expected = self.expected_tabs.lock().unwrap_or_else(PoisonError::into_inner);
        let tab = (client, url.to_string());
        if !expected.contains(&tab) {
            expected.push(tab);
        }
    }

    fn is_expected(&self, client: usize) -> bool {
        let mut expected = self.expected_tabs.lock().unwrap_or_else(PoisonError::into_inner);
        let index = expected.iter().position(|(known, _)| *known == client);
        index.map(|index| expected.remove(index)).is_some()
    }

    /// How a dialog will be answered, in a tab that may not be there yet.
    pub fn expect_dialog(&self, who: Who, answer: DialogAnswer) {
        self.dialogs.lock().unwrap_or_else(PoisonError::into_inner).push_back((who, answer));
    }

    /// The answer to the next dialog of this tab, if one is planned.
    pub fn dialog_answer(&self, who: Who) -> Option<DialogAnswer> {
        let mut dialogs = self.dialogs.lock().unwrap_or_else(PoisonError::into_inner);
        let index = dialogs.iter().position(|(planned, _)| *planned == who)?;
        dialogs.remove(index).map(|(_, answer)| answer)
    }

    async fn renew(&self, browser: &Browser) -> Result<(), WorldError> {
        let old = std::mem::take(&mut *self.contexts.lock().unwrap_or_else(PoisonError::into_inner));
        let tabs = std::mem::take(&mut *self.lock());
        for tab in tabs {
            tab.page.abandon();
        }
        self.dialogs.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.expected_tabs.lock().unwrap_or_else(PoisonError::into_inner).clear();
        // A browser ends with its last window: the new ones come first.
        for client in 0..self.options.clients {
            self.new_client(browser, client).await?;
        }
        for context in old {
            context.dispose().await?;
        }
        Ok(())
    }

    async fn new_client(&self, browser: &Browser, client: usize) -> Result<(), WorldError> {
        let context = browser.new_context(None).await?;
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner).push(context);
        self.new_tab(client).await?;
        let tab = self.tab(Who { client, tab: 1 }, TAB_LIMIT).await?;
        // From then on the tab tells all that it does.
        tab.page.catch_up().await
    }

    /// A new tab, as with the button for it.
    pub async fn new_tab(&self, client: usize) -> Result<(), WorldError> {
        let context = self.contexts.lock().unwrap_or_else(PoisonError::into_inner).get(client).cloned();
        let missing = || WorldError::Interrupted(format!("there is no client {client}"));
        context.ok_or_else(missing)?.create_page(self.options.headed).await.map(|_| ())
    }

    fn attached(self: &Arc<Shared>, targets: &Targets, attached: &AttachedToTarget) {
        let info = &attached.target_info;
        let context = info.browser_context_id.as_deref().unwrap_or_default();
        let client =
            self.contexts.lock().unwrap_or_else(PoisonError::into_inner).iter().position(|known| &*known.id == context);
        let Some(client) = client else {
            return targets.let_go(attached);
        };
        let mut tabs = self.lock();
        let number = tabs.iter().filter(|tab| tab.who.client == client).count() + 1;
        let who = Who { client, tab: u32::try_from(number).unwrap_or(u32::MAX) };
        let is_popup = self.is_expected(client) || info.opener_id.is_some();
        tabs.push(Tab::welcome(targets, attached, who, is_popup, self.policy.clone(), self));
        drop(tabs);
        self.moved();
    }
}

fn policy(options: &WindowOptions) -> FreePolicy {
    let viewport = options.viewport.map(|Viewport { width, height }| colobus_model::Viewport { width, height });
    let script = scripts::in_free_page(&FreePageOptions {
        redact: &options.redact,
        record: options.record,
        play: options.play,
        timers: TIMERS_IN_SESSIONS,
        limits: IN_PAGES,
    });
    FreePolicy { viewport, headed: options.headed, play: options.play, script }
}

/// The browser's own events: tabs that come and go.
struct FreeTargets(Arc<Shared>);

impl TargetListener for FreeTargets {
    fn attached(&self, targets: &Targets, attached: &AttachedToTarget) {
        self.0.attached(targets, attached);
    }

    fn detached(&self, _: &Targets, session: &str) {
        let tab = self.0.tabs().into_iter().find(|tab| tab.page.session_id() == session);
        if let Some(tab) = tab {
            tab.page.abandon();
            notify(&self.0, &tab, What::Closed);
        }
        self.0.moved();
    }

    fn created(&self, _: &Targets, _: &TargetInfo) {}

    fn malformed(&self, _: &ProtocolError) {
        // The tab that it tells of does not appear, and the wait for it says so.
    }

    fn ended(&self) {
        self.0.moved();
    }
}
