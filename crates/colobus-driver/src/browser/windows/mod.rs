//! [`Windows`]: a browser as users have it, with as many tabs and pop-ups as they open, and nothing in its way: no closed
//! pop-ups, and no proxies unless traffic is recorded. [`Tab`] is one of its tabs. The `recorder` listens to them, the `player` acts in them.

mod script;
mod settle;
mod tab;
mod tell;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use colobus_record::{Viewport, Who};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::client::died;
use super::launch::{LaunchOptions, Process, find_browser};
use super::protocol::{EventSink, Session};
use crate::TrafficLog;
use crate::traffic;
use colobus_proxy::{Proxy, RunAuthority};
use colobus_world::{PageSnapshot, WorldError};
pub(super) use script::OWN_PATHS;
pub use settle::Pace;
pub(super) use settle::settle;
pub(super) use tab::Tab;
pub(super) use tell::{Notice, What};

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
    /// Gets the traffic of all windows, which then goes through proxies that let everything pass.
    pub traffic: Option<TrafficLog>,
}

pub struct Windows {
    // Dropped in this order: the browser ends before the runtime that talks to it.
    _process: Process,
    pub(super) shared: Arc<Shared>,
    notices: Mutex<Option<mpsc::UnboundedReceiver<Notice>>>,
    /// Name and version, as the browser says itself.
    pub version: String,
    pub(super) runtime: Arc<Runtime>,
}

/// Whose dialog, whether it is accepted, and with which text.
type PlannedAnswer = (Who, bool, Option<String>);

/// What the browser's events need to know.
pub(super) struct Shared {
    pub browser: Session,
    pub options: WindowOptions,
    /// The browser's process, and what encrypts towards its windows, if traffic is recorded.
    process: Option<u32>,
    authority: Option<Arc<RunAuthority>>,
    proxies: Mutex<Vec<Proxy>>,
    /// The browser context of each client.
    contexts: Mutex<Vec<String>>,
    tabs: Mutex<Vec<Arc<Tab>>>,
    dialogs: Mutex<VecDeque<PlannedAnswer>>,
    /// Clients whose pages are about to open a tab, and the address it will go to: not every tab knows who opened it.
    expected_tabs: Mutex<Vec<(usize, String)>>,
    notices: mpsc::UnboundedSender<Notice>,
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
            let authority = options.traffic.as_ref().map(|_| RunAuthority::new().map(Arc::new)).transpose();
            let authority = authority.map_err(|error| cannot(&error))?;
            let trusted = authority.as_ref().map(|authority| authority.spki_hash().to_string());
            let launch = LaunchOptions { headed: options.headed, trusted, whole_network: true };
            let (process, transport) = Process::start(&path, &launch).map_err(|error| cannot(&error))?;
            let browser = Session::connect(transport);
            let (sender, receiver) = mpsc::unbounded_channel();
            let shared = Arc::new(Shared {
                browser: browser.clone(),
                options,
                process: process.id(),
                authority,
                proxies: Mutex::default(),
                contexts: Mutex::default(),
                tabs: Mutex::default(),
                dialogs: Mutex::default(),
                expected_tabs: Mutex::default(),
                notices: sender,
                changes: watch::Sender::default(),
            });
            browser.listen(Arc::new(Targets(shared.clone())));
            let version = browser.call("Browser.getVersion", json!({})).await.map_err(|error| {
                cannot(&format!("{} was started, but does not answer ({error}); is there a display?", path.display()))
            })?;
            let version = version["product"].as_str().unwrap_or("Chromium").to_string();
            let first = browser.call("Target.getTargets", json!({})).await.map_err(died)?;
            let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
                "filter": [{ "type": "page" }] });
            browser.call("Target.setAutoAttach", attach).await.map_err(died)?;
            for client in 0..shared.options.clients {
                shared.new_client(client).await?;
            }
            for target in first["targetInfos"].as_array().into_iter().flatten().filter(|info| info["type"] == "page") {
                drop(browser.send("Target.closeTarget", json!({ "targetId": target["targetId"] })));
            }
            Ok((process, shared, receiver, version))
        };
        let (process, shared, receiver, version) = runtime.block_on(opening)?;
        Ok(Windows { _process: process, shared, notices: Mutex::new(Some(receiver)), version, runtime })
    }

    /// Fresh windows in the same browser: nothing is left of what was done in the old ones.
    pub fn renew(&self) -> Result<(), WorldError> {
        self.wait(self.shared.renew())
    }

    /// What the pages tell, for the one who listens.
    pub(super) fn listen(&self) -> Option<mpsc::UnboundedReceiver<Notice>> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(super) fn wait<T>(&self, part: impl Future<Output = T>) -> T {
        self.runtime.block_on(part)
    }

    /// Returns when all tabs are closed or the browser is gone, or after this time: true if so.
    pub fn ended_within(&self, limit: Duration) -> bool {
        let ended = |shared: &Shared| {
            (shared.browser.is_gone() || shared.tabs().iter().all(|tab| tab.is_closed())).then_some(())
        };
        // A limit can only be set where there is a clock: inside.
        self.wait(async { timeout(limit, self.shared.until(ended)).await }).is_ok()
    }

    /// Waits until nothing moves in any tab.
    pub fn settle(&self, limit: Duration) -> bool {
        self.wait(settle(&self.shared, limit))
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
                tab.navigate(url).await?;
            }
            Ok(())
        })
    }

    /// What every open tab shows, as text that is equal where pages are.
    pub fn contents(&self) -> Result<Vec<(Who, String)>, WorldError> {
        self.evaluate_all(&super::scripts::call("canonicalDom", &[json!([])])).map(|all| {
            all.into_iter().map(|(who, value)| (who, value.as_str().unwrap_or_default().to_string())).collect()
        })
    }

    /// What a tab shows; nothing if it is closed.
    pub(super) fn look(&self, who: Who) -> Result<Option<PageSnapshot>, WorldError> {
        let Some(tab) = self.shared.tabs().into_iter().find(|tab| tab.who == who && !tab.is_closed()) else {
            return Ok(None);
        };
        match self.wait(tab.evaluate(&super::scripts::call("glance.look", &[]))) {
            Ok(told) => Ok(Some(super::show::snapshot(&told))),
            // It may be closing, or no page at all.
            Err(WorldError::Interrupted(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Runs JavaScript in every open tab.
    pub fn evaluate_all(&self, source: &str) -> Result<Vec<(Who, Value)>, WorldError> {
        let tabs = self.shared.tabs();
        let mut values = Vec::new();
        for tab in tabs.iter().filter(|tab| !tab.is_closed()) {
            values.push((tab.who, self.wait(tab.evaluate(source))?));
        }
        Ok(values)
    }

    /// A PNG of what the last tab of the first client shows.
    pub fn screenshot(&self) -> Result<Option<Vec<u8>>, WorldError> {
        let Some(tab) = self.last_tab() else { return Ok(None) };
        self.wait(tab.screenshot()).map(Some)
    }

    /// Asks the page of the same tab; nothing if there is none.
    pub(super) fn ask_last(&self, function: &str, arguments: &[Value]) -> Result<Value, WorldError> {
        let Some(tab) = self.last_tab() else { return Ok(Value::Null) };
        self.wait(tab.evaluate(&super::scripts::call(function, arguments)))
    }

    fn last_tab(&self) -> Option<Arc<Tab>> {
        self.shared.tabs().into_iter().rev().find(|tab| tab.who.client == 0 && !tab.is_closed())
    }
}

impl Shared {
    pub fn tabs(&self) -> Vec<Arc<Tab>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Tab>>> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn tell(&self, notice: Notice) {
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
        let there = self.until(|shared| shared.tabs().into_iter().find(|tab| tab.who == who && !tab.is_closed()));
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
    pub fn expect_dialog(&self, who: Who, accept: bool, text: Option<String>) {
        self.dialogs.lock().unwrap_or_else(PoisonError::into_inner).push_back((who, accept, text));
    }

    /// The answer to the next dialog of this tab, if one is planned.
    pub fn dialog_answer(&self, who: Who) -> Option<(bool, Option<String>)> {
        let mut dialogs = self.dialogs.lock().unwrap_or_else(PoisonError::into_inner);
        let index = dialogs.iter().position(|(planned, ..)| *planned == who)?;
        dialogs.remove(index).map(|(_, accept, text)| (accept, text))
    }

    async fn renew(&self) -> Result<(), WorldError> {
        let old = std::mem::take(&mut *self.contexts.lock().unwrap_or_else(PoisonError::into_inner));
        let tabs = std::mem::take(&mut *self.lock());
        for tab in tabs {
            tab.close();
            self.browser.detach(tab.session_id());
        }
        self.dialogs.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.expected_tabs.lock().unwrap_or_else(PoisonError::into_inner).clear();
        // A browser ends with its last window: the new ones come first.
        for client in 0..self.options.clients {
            self.new_client(client).await?;
        }
        for context in old {
            self.browser
                .call("Target.disposeBrowserContext", json!({ "browserContextId": context }))
                .await
                .map_err(died)?;
        }
        Ok(())
    }

    async fn new_client(&self, client: usize) -> Result<(), WorldError> {
        let mut context = json!({ "disposeOnDetach": true });
        if let Some(address) = self.new_proxy().await? {
            context["proxyServer"] = json!(format!("http://{address}"));
            // Loopback would bypass every proxy otherwise.
            context["proxyBypassList"] = json!("<-loopback>");
        }
        let context = self.browser.call("Target.createBrowserContext", context);
        let context = context.await.map_err(died)?["browserContextId"].as_str().unwrap_or_default().to_string();
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner).push(context);
        self.new_tab(client).await?;
        let tab = self.tab(Who { client, tab: 1 }, TAB_LIMIT).await?;
        // Commands are executed in their order: whoever has this answer has a tab that tells all it does.
        tab.call("Runtime.evaluate", json!({ "expression": "0" })).await.map(|_| ())
    }

    /// The proxy of one more client, if traffic is recorded.
    async fn new_proxy(&self) -> Result<Option<SocketAddr>, WorldError> {
        let (Some(log), Some(authority)) = (&self.options.traffic, &self.authority) else { return Ok(None) };
        let proxy = Proxy::start(traffic::of_window(authority.clone(), self.process, log.tap())).await;
        let proxy = proxy.map_err(|error| WorldError::CannotRun(error.to_string()))?;
        let address = proxy.address();
        self.proxies.lock().unwrap_or_else(PoisonError::into_inner).push(proxy);
        Ok(Some(address))
    }

    /// A new tab, as with the button for it.
    pub async fn new_tab(&self, client: usize) -> Result<(), WorldError> {
        let context = self.contexts.lock().unwrap_or_else(PoisonError::into_inner).get(client).cloned();
        let target = json!({ "url": "about:blank", "browserContextId": context, "newWindow": self.options.headed });
        self.browser.call("Target.createTarget", target).await.map_err(died).map(|_| ())
    }

    fn attached(self: &Arc<Shared>, session: &str, info: &Value) {
        let context = info["browserContextId"].as_str().unwrap_or_default();
        let client =
            self.contexts.lock().unwrap_or_else(PoisonError::into_inner).iter().position(|known| known == context);
        let Some(client) = client else {
            drop(self.browser.sibling(session).send("Runtime.runIfWaitingForDebugger", json!({})));
            return;
        };
        let mut tabs = self.lock();
        let number = tabs.iter().filter(|tab| tab.who.client == client).count() + 1;
        let who = Who { client, tab: u32::try_from(number).unwrap_or(u32::MAX) };
        let is_popup = self.is_expected(client) || info["openerId"].is_string();
        let tab = Arc::new(Tab::new(who, info, is_popup, self));
        tab.join(self.browser.attach(session, tab.clone()));
        tabs.push(tab.clone());
        drop(tabs);
        tab.set_up(&self.options);
        self.tell(Notice::new(&tab, What::Appeared));
        self.moved();
    }
}

/// The browser's own events: tabs that come and go.
struct Targets(Arc<Shared>);

impl EventSink for Targets {
    fn event(&self, method: &str, params: &Value) {
        match method {
            "Target.attachedToTarget" => {
                self.0.attached(params["sessionId"].as_str().unwrap_or_default(), &params["targetInfo"]);
            }
            "Target.detachedFromTarget" => {
                let session = params["sessionId"].as_str().unwrap_or_default();
                let tab = self.0.tabs().into_iter().find(|tab| tab.session_id() == session);
                if let Some(tab) = tab {
                    tab.close();
                    self.0.browser.detach(session);
                    self.0.tell(Notice::new(&tab, What::Closed));
                }
                self.0.moved();
            }
            _ => {}
        }
    }

    fn ended(&self) {
        self.0.moved();
    }
}
