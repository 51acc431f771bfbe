//! [`OpenTabs`]: the tabs of a [`super::Windows`] and whose they are. The browser's events add and close them; recorder,
//! player and settling read them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use colobus_browser::scripts::{self, FreePageOptions};
use colobus_browser::{
    AttachedToTarget, Browser, BrowserContext, DialogAnswer, FreePolicy, ProtocolError, TargetInfo, TargetListener,
    Targets,
};
use colobus_record::Who;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::notice::{TabNotice, What, notify};
use super::tab::Tab;
use super::windows::{TAB_LIMIT, WindowOptions};
use crate::settling::limits::{IN_PAGES, TIMERS_IN_SESSIONS};
use crate::traffic::WindowProxies;
use colobus_world::WorldError;

/// Whose dialog, and its answer.
type PlannedAnswer = (Who, DialogAnswer);

/// The open tabs of all clients.
pub struct OpenTabs {
    options: WindowOptions,
    policy: FreePolicy,
    proxies: WindowProxies,
    /// The browser context of each client.
    contexts: Mutex<Vec<BrowserContext>>,
    tabs: Mutex<Vec<Arc<Tab>>>,
    dialogs: Mutex<VecDeque<PlannedAnswer>>,
    /// Clients whose pages are about to open a tab, and the address it will go to: not every tab knows who opened it.
    expected_tabs: Mutex<Vec<(usize, String)>>,
    notices: mpsc::UnboundedSender<TabNotice>,
    pub changes: watch::Sender<u64>,
}

impl OpenTabs {
    pub fn new(options: WindowOptions, proxies: WindowProxies, notices: mpsc::UnboundedSender<TabNotice>) -> OpenTabs {
        OpenTabs {
            policy: policy(&options),
            options,
            proxies,
            contexts: Mutex::default(),
            tabs: Mutex::default(),
            dialogs: Mutex::default(),
            expected_tabs: Mutex::default(),
            notices,
            changes: watch::Sender::default(),
        }
    }

    pub fn clients(&self) -> usize {
        self.options.clients
    }

    /// All that were opened, in the order of their numbers; some may be closed again.
    pub fn all(&self) -> Vec<Arc<Tab>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Tab>>> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn tell(&self, notice: TabNotice) {
        // Without a recorder there is no listener.
        let _ = self.notices.send(notice);
    }

    pub fn moved(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Returns what `look` finds as soon as it finds something; looks again whenever the browser says something.
    pub async fn until<T>(&self, look: impl Fn(&OpenTabs) -> Option<T>) -> T {
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
        let there = self.until(|tabs| tabs.all().into_iter().find(|tab| tab.who == who && !tab.page.is_closed()));
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

    pub async fn renew(&self, browser: &Browser) -> Result<(), WorldError> {
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

    pub async fn new_client(&self, browser: &Browser, client: usize) -> Result<(), WorldError> {
        let proxy = self.proxies.next().await?;
        let context = browser.new_context(proxy.as_ref().map(|proxy| proxy.address())).await?;
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner).push(context);
        self.new_tab(client).await?;
        let tab = self.tab(Who { client, tab: 1 }, TAB_LIMIT).await?;
        // From then on the tab tells all that it does.
        tab.page.catch_up().await?;
        match proxy {
            Some(proxy) => proxy.admit(&tab.page).await,
            None => Ok(()),
        }
    }

    /// A new tab, as with the button for it.
    pub async fn new_tab(&self, client: usize) -> Result<(), WorldError> {
        let context = self.contexts.lock().unwrap_or_else(PoisonError::into_inner).get(client).cloned();
        let missing = || WorldError::Interrupted(format!("there is no client {client}"));
        context.ok_or_else(missing)?.create_page(self.options.headed).await.map(|_| ())
    }

    fn attached(self: &Arc<OpenTabs>, targets: &Targets, attached: &AttachedToTarget) {
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
    let script = scripts::in_free_page(&FreePageOptions {
        redact: &options.redact,
        hides: options.traffic.is_some(),
        record: options.record,
        play: options.play,
        explore: options.explore.is_some(),
        timers: TIMERS_IN_SESSIONS,
        limits: IN_PAGES,
    });
    FreePolicy { viewport: options.viewport, headed: options.headed, play: options.play, script }
}

/// The browser's own events: tabs that come and go.
pub struct FreeTargets(pub Arc<OpenTabs>);

impl TargetListener for FreeTargets {
    fn attached(&self, targets: &Targets, attached: &AttachedToTarget) {
        self.0.attached(targets, attached);
    }

    fn detached(&self, _: &Targets, session: &str) {
        let tab = self.0.all().into_iter().find(|tab| tab.page.session_id() == session);
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
