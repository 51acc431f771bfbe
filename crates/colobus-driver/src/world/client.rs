//! [`Client`]: one user of a world: an isolated browser session with one page or several, and the proxy through which they
//! talk. `visit` brings it to a document, `steps` makes it act, `observe` looks at it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use colobus_browser::scripts::{self, ClientSlot};
use colobus_browser::{
    Browser, BrowserContext, DialogAnswer, DialogOpening, Notice, Page, PageListener, Policy, WebWorkers,
};
use colobus_model::{Application, ClientId, Step, Viewport};

use super::factory::Shared;
use super::logged_pages::LoggedPages;
use super::login::Logins;
use super::notes::Notes;
use super::targets::HeldTargets;
use crate::guarded_proxy::log_in_at_proxy;
use crate::race::AccessNames;
use crate::settling::limits::IN_PAGES;
use crate::traffic::{self, Seams};
use colobus_proxy::{Proxy, ProxyError, Secret};
use colobus_world::{Touched, Traffic, WorldError};

pub struct Client {
    pub page: Page,
    /// Shared by all tabs of the session: a browser has one network.
    pub proxy: Arc<Proxy>,
    pub application: Arc<Application>,
    pub workers: Arc<WebWorkers>,
    notes: Arc<Notes>,
    pub(super) logins: Arc<Logins>,
    pub(super) script_errors: Arc<Notes>,
    pub(super) context: BrowserContext,
    /// Further pages of the same session on the same document.
    pub tabs: Vec<Client>,
    /// How often the present document was loaded, in any tab.
    loads: Arc<AtomicU64>,
    /// The script of the present load, and the name that the browser gave to it.
    script: Mutex<Option<Script>>,
    /// The window does not have the size that the configuration gives it.
    resized: AtomicBool,
    /// On no document.
    pub(super) is_blank: AtomicBool,
    /// Connections that the network had broken before the present execution.
    broken_before: AtomicU64,
    /// Rewrites the page's scripts, if it logs what it reads and writes; what the places in that log are called.
    logged: Option<Arc<LoggedPages>>,
    places: Mutex<AccessNames>,
}

struct Script {
    name: String,
    source: String,
}

impl Client {
    pub async fn open(
        browser: &Browser,
        targets: &HeldTargets,
        shared: &Shared,
        seams: Seams,
    ) -> Result<Client, WorldError> {
        let (application, tls) = (&shared.application, shared.authority.clone());
        let cannot = |error: ProxyError| WorldError::CannotRun(error.to_string());
        let mut options = traffic::of_client(application, tls, browser.process_id(), seams)?;
        if let Some(listen) = shared.browsers.listen() {
            options = listen.options(Secret::new().map_err(cannot)?, options);
        }
        let secret = options.secret.clone();
        let proxy = Proxy::start(options).await.map_err(cannot)?;
        let address = proxy.address();
        let context = browser.new_context(Some(address)).await?;
        context.deny_downloads().await?;
        let workers = WebWorkers::new(application.clone(), IN_PAGES);
        targets.shared_workers.belong(&context.id, &workers);
        let client = Client::open_page(shared, Arc::new(proxy), context, workers, Arc::default()).await?;
        if let Some(secret) = secret {
            log_in_at_proxy(&client.page, &secret, address).await?;
        }
        Ok(client)
    }

    /// Another page of this client's session.
    pub async fn open_tab(&self, shared: &Shared) -> Result<Client, WorldError> {
        let (proxy, context, loads) = (self.proxy.clone(), self.context.clone(), self.loads.clone());
        let workers = WebWorkers::new(self.application.clone(), IN_PAGES);
        let tab = Client::open_page(shared, proxy, context, workers, loads).await?;
        // A service worker of one page is one of all of them.
        if self.page.is_network_watched() {
            tab.page.watch_network().await?;
        }
        Ok(tab)
    }

    async fn open_page(
        shared: &Shared,
        proxy: Arc<Proxy>,
        context: BrowserContext,
        workers: Arc<WebWorkers>,
        loads: Arc<AtomicU64>,
    ) -> Result<Client, WorldError> {
        let application = shared.application.clone();
        let policy = Policy::Held { viewport: application.viewport };
        let listener = Arc::new(HeldPage { notes: shared.notes.clone() });
        let mut page = context.open_page(policy, listener, Some(workers.clone())).await?;
        page.set_limit(Duration::from_millis(application.settle.limit_ms.max(1)));
        Ok(Client {
            page,
            proxy,
            application,
            workers,
            notes: shared.notes.clone(),
            logins: shared.logins.clone(),
            script_errors: shared.script_errors.clone(),
            context,
            tabs: Vec::new(),
            loads,
            script: Mutex::default(),
            resized: AtomicBool::new(false),
            is_blank: AtomicBool::new(true),
            broken_before: AtomicU64::new(0),
            logged: shared.logged.clone(),
            places: Mutex::default(),
        })
    }

    /// Whether the network between its browser and its proxy has broken a connection in this execution: messages may be lost, and pages
    /// show what they show to users with a bad network.
    pub fn has_lost_a_connection(&self) -> bool {
        self.proxy.counts().broken > self.broken_before.load(Ordering::Relaxed)
    }

    /// What the network broke so far does not concern the present execution.
    pub fn forget_lost_connections(&self) {
        self.broken_before.store(self.proxy.counts().broken, Ordering::Relaxed);
    }

    /// What the page has sent and received. Messages that wait at the gate are sent.
    pub fn traffic(&self) -> Traffic {
        let counts = self.proxy.counts();
        let held: u64 = self.proxy.sockets().iter().map(|socket| socket.to_server.held).sum();
        Traffic {
            sent: counts.to_server.messages + counts.to_server.opaque_bytes + held + counts.exchanges_started,
            received: counts.to_client.messages + counts.to_client.opaque_bytes + counts.exchanges_ended,
        }
    }

    /// What the page has read and written since it was asked last; `None` if it does not log that. Another tab of the session
    /// may have changed what they share.
    pub async fn touched(&self, step: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        let Some(logged) = self.logged.as_ref().filter(|_| self.tabs.is_empty()) else { return Ok(None) };
        logged.touched((&self.page, &self.proxy), &self.places, step).await.map(Some)
    }

    /// Gives the window another size.
    pub(super) async fn resize(&self, size: Viewport) -> Result<(), WorldError> {
        self.note_size(size);
        self.page.resize(size).await?;
        self.expect_frame();
        Ok(())
    }

    /// The window is about to have another size.
    pub(super) fn note_size(&self, size: Viewport) {
        self.resized.store(size != self.application.viewport, Ordering::Relaxed);
    }

    /// Something was done to the page that is not among what it counts itself: its next frame is waited for.
    pub(super) fn expect_frame(&self) {
        self.page.start(&scripts::call("activity.happened", &[]));
    }

    /// The next document is one that no client has seen before.
    pub fn expect_fresh_document(&self) {
        self.loads.store(0, Ordering::Relaxed);
    }

    /// Whether no page of this client has shown the document yet.
    pub(super) fn is_first_load(&self) -> bool {
        self.loads.load(Ordering::Relaxed) == 0
    }

    /// Prepares the script for the next load, as the client with this number. A script that has not changed stays.
    pub(super) async fn prepare_script(&self, id: ClientId) -> Result<(), WorldError> {
        if let Some(error @ WorldError::Died(_)) = self.page.navigation_error() {
            return Err(error);
        }
        // An interaction may have ended before a window had its size back.
        if self.resized.load(Ordering::Relaxed) {
            self.resize(self.application.viewport).await?;
        }
        // What a login leaves is there when the document is loaded first; afterwards it is the application's to change.
        let login = self.logins.of_client(id).filter(|_| self.is_first_load());
        let slot = ClientSlot { client: id.0, load: self.loads.fetch_add(1, Ordering::Relaxed) };
        self.workers.belong_to(slot);
        let logging = self.logged.as_ref().map(|_| colobus_script::runtime_between_clients());
        let source = scripts::in_held_page(&self.application, slot, IN_PAGES, (login.as_deref(), logging.as_deref()));
        let last = self.script.lock().unwrap_or_else(PoisonError::into_inner).take();
        let name = match &last {
            Some(last) if last.source == source => last.name.clone(),
            _ => self.page.replace_script(last.as_ref().map(|last| last.name.as_str()), &source).await?,
        };
        *self.script.lock().unwrap_or_else(PoisonError::into_inner) = Some(Script { name, source });
        Ok(())
    }

    pub fn is_blank(&self) -> bool {
        self.is_blank.load(Ordering::Relaxed)
    }

    /// Tells the user which hosts the page asked for in vain, and whether the proxy is protected.
    pub fn note_refusals(&self) {
        for refusal in self.proxy.refused() {
            self.notes.add(format!(
                "requests to {0} were refused: add `{0}` to `hosts` if it belongs to the application",
                refusal.authority
            ));
        }
        if let Some(why) = self.proxy.owner_unknown() {
            self.notes.add(format!("other processes of this machine can use the proxies of this run: {why}"));
        }
    }

    /// Closes all pages but the first.
    pub async fn close_tabs(&mut self) {
        if !self.tabs.is_empty() {
            self.proxy.leave_document();
        }
        for tab in self.tabs.drain(..) {
            // A tab that hangs or is gone already is not missed.
            let _ = tab.page.close().await;
        }
    }

    /// Ends the session with everything in it.
    pub async fn close(self) {
        // A page that hangs or is gone already is disposed of with its context.
        let _ = self.page.close().await;
        let _ = self.context.dispose().await;
    }
}

/// Dismisses the dialogs of a held page, and tells the user.
struct HeldPage {
    notes: Arc<Notes>,
}

impl PageListener for HeldPage {
    fn dialog(&self, dialog: &DialogOpening) -> DialogAnswer {
        let answer = dialog.default_answer();
        if !answer.accept {
            let DialogOpening { kind, message } = dialog;
            self.notes.add(format!("a page opened a dialog ({kind}), which was dismissed: {message}"));
        }
        answer
    }

    fn notice(&self, notice: Notice) {
        if let Notice::TookTheFirst { locator } = notice {
            self.notes.add(format!("`{locator}` matches several elements: the first that is visible was taken"));
        }
    }

    fn changed(&self) {}
}

impl Drop for Client {
    fn drop(&mut self) {
        self.note_refusals();
    }
}
