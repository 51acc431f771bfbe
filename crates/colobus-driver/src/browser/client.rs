//! [`Client`]: one user's isolated browser session with one page, and the proxy through which it talks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use colobus_model::{Application, Viewport};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::chromium::Chromium;
use super::factory::Shared;
use super::notes::Notes;
use super::protocol::{ProtocolError, Session};
use super::record::Record;
use super::scripts::{self, ClientSlot};
use super::workers::{WebWorkers, announce};
use crate::traffic;
use colobus_proxy::Proxy;
use colobus_world::WorldError;

/// How long the browser may take to tell where a page went whose document is gone.
const DEPARTURE: Duration = Duration::from_secs(1);

pub struct Client {
    pub(super) session: Session,
    pub(super) record: Arc<Record>,
    /// Shared by all tabs of the session: a browser has one network.
    pub(super) proxy: Arc<Proxy>,
    pub(super) application: Arc<Application>,
    pub(super) workers: Arc<WebWorkers>,
    notes: Arc<Notes>,
    browser: Session,
    context: String,
    target: String,
    /// Further pages of the same session on the same document.
    pub(super) tabs: Vec<Client>,
    /// How often the present document was loaded, in any tab.
    loads: Arc<AtomicU64>,
    /// The name that the browser gave to the script of the present load.
    script: Mutex<Option<String>>,
    /// The window does not have the size that the configuration gives it.
    resized: AtomicBool,
    /// On no document.
    pub(super) parked: AtomicBool,
    /// The page did not answer: nothing can be done with it any more.
    hung: AtomicBool,
}

/// What came of JavaScript in the page.
pub enum Evaluated {
    Value(Value),
    /// It threw, and what.
    Threw(String),
}

impl Client {
    pub async fn open(chromium: &Chromium, shared: &Shared) -> Result<Client, WorldError> {
        let browser = &chromium.session;
        let application = shared.application.clone();
        let (tls, tap) = (shared.authority.clone(), shared.tap());
        let proxy = Proxy::start(traffic::of_client(&application, tls, chromium.process_id(), tap)?)
            .await
            .map_err(|error| WorldError::CannotRun(error.to_string()))?;
        let context = browser.call(
            "Target.createBrowserContext",
            json!({
                "disposeOnDetach": true,
                "proxyServer": format!("http://{}", proxy.address()),
                // Loopback would bypass every proxy otherwise, and most applications under test are there.
                "proxyBypassList": "<-loopback>",
            }),
        );
        let context = text(&context.await.map_err(died)?, "browserContextId");
        let workers = WebWorkers::new(application.clone());
        chromium.shared_workers.belong(&context, &workers);
        Client::open_page(browser, shared, Arc::new(proxy), context, workers, Arc::default()).await
    }

    /// Another page of this client's session.
    pub async fn open_tab(&self, shared: &Shared) -> Result<Client, WorldError> {
        let (proxy, context, loads) = (self.proxy.clone(), self.context.clone(), self.loads.clone());
        let workers = WebWorkers::new(self.application.clone());
        Client::open_page(&self.browser, shared, proxy, context, workers, loads).await
    }

    async fn open_page(
        browser: &Session,
        shared: &Shared,
        proxy: Arc<Proxy>,
        context: String,
        workers: Arc<WebWorkers>,
        loads: Arc<AtomicU64>,
    ) -> Result<Client, WorldError> {
        let target = json!({ "url": "about:blank", "browserContextId": context });
        let target = browser.call("Target.createTarget", target).await.map_err(died)?;
        let target = text(&target, "targetId");
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach).await.map_err(died)?;
        let record = Arc::new(Record::new(shared.notes.clone(), workers.clone()));
        let session = browser.attach(&text(&attached, "sessionId"), record.clone());
        record.answer_through(session.clone());
        let browser = browser.clone();
        let client = Client {
            session,
            record,
            proxy,
            application: shared.application.clone(),
            workers,
            notes: shared.notes.clone(),
            browser,
            context,
            target,
            tabs: Vec::new(),
            loads,
            script: Mutex::default(),
            resized: AtomicBool::new(false),
            parked: AtomicBool::new(true),
            hung: AtomicBool::new(false),
        };
        client.set_up().await.map_err(died)?;
        Ok(client)
    }

    async fn set_up(&self) -> Result<(), ProtocolError> {
        let viewport = self.application.viewport;
        let downloads = json!({ "behavior": "deny", "browserContextId": self.context });
        let deny = self.browser.send("Browser.setDownloadBehavior", downloads);
        let replies = [
            ("Page.enable", json!({})),
            ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
            ("Page.setBypassCSP", json!({ "enabled": true })),
            ("Page.setInterceptFileChooserDialog", json!({ "enabled": true })),
            ("Runtime.enable", json!({})),
            ("Log.enable", json!({})),
            ("Network.enable", json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 })),
            ("Network.setBypassServiceWorker", json!({ "bypass": true })),
            ("Emulation.setDeviceMetricsOverride", metrics(viewport)),
            ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
            ("Inspector.enable", json!({})),
            ("Target.setAutoAttach", announce(&["worker"])),
        ]
        .map(|(method, params)| self.session.send(method, params));
        for reply in replies {
            reply.done().await?;
        }
        deny.done().await.map(|_| ())
    }

    /// Gives the window another size.
    pub(super) async fn resize(&self, size: Viewport) -> Result<(), WorldError> {
        self.resized.store(size != self.application.viewport, Ordering::Relaxed);
        self.call("Emulation.setDeviceMetricsOverride", metrics(size)).await.map(|_| ())
    }

    /// The next document is one that nobody has seen before.
    pub fn expect_fresh_document(&self) {
        self.loads.store(0, Ordering::Relaxed);
    }

    /// The cookies of the session, as the browser tells them.
    pub(super) async fn cookies(&self) -> Result<Value, ProtocolError> {
        self.browser.call("Storage.getCookies", json!({ "browserContextId": self.context })).await
    }

    /// Whether no page of this client has shown the document yet.
    pub(super) fn is_first_load(&self) -> bool {
        self.loads.load(Ordering::Relaxed) == 0
    }

    /// Prepares the script for the next load, as the client with this number.
    pub(super) async fn prepare_script(&self, client: usize) -> Result<(), WorldError> {
        if self.record.is_crashed() {
            return Err(crashed());
        }
        // An interaction may have ended before a window had its size back.
        if self.resized.load(Ordering::Relaxed) {
            self.resize(self.application.viewport).await?;
        }
        let slot = ClientSlot { client, load: self.loads.fetch_add(1, Ordering::Relaxed) };
        self.workers.belong_to(slot);
        let source = scripts::on_new_document(&self.application, slot);
        let last = self.script.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(last) = last {
            drop(self.session.send("Page.removeScriptToEvaluateOnNewDocument", json!({ "identifier": last })));
        }
        let added = self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await?;
        *self.script.lock().unwrap_or_else(PoisonError::into_inner) = Some(text(&added, "identifier"));
        Ok(())
    }

    pub fn is_parked(&self) -> bool {
        self.parked.load(Ordering::Relaxed)
    }

    pub fn is_hung(&self) -> bool {
        self.hung.load(Ordering::Relaxed)
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
        for tab in self.tabs.drain(..) {
            // What hangs or is gone already is not missed.
            let _ = tab.browser.call("Target.closeTarget", json!({ "targetId": tab.target })).await;
        }
    }

    /// Ends the session with everything in it.
    pub async fn close(self) {
        // A target that hangs or is gone already is disposed of with its context.
        let _ = self.browser.call("Target.closeTarget", json!({ "targetId": self.target })).await;
        let context = json!({ "browserContextId": self.context });
        let _ = self.browser.call("Target.disposeBrowserContext", context).await;
    }

    /// Runs JavaScript; a promise is awaited. The value comes as JSON.
    pub async fn evaluate(&self, source: &str, limit: Duration) -> Result<Evaluated, WorldError> {
        let params = json!({
            "expression": source, "awaitPromise": true, "returnByValue": true, "userGesture": true,
        });
        let answer = self.session.send("Runtime.evaluate", params).within(limit).await;
        if let Err(ProtocolError::Refused { .. }) = answer {
            // The document is gone, and the browser is about to say where the page went.
            let _ = timeout(DEPARTURE, self.record.departure()).await;
        }
        let answer = answer.map_err(|error| self.explain(error))?;
        Ok(evaluated(answer))
    }

    /// Calls one of our own functions in the page.
    pub async fn ask(&self, function: &str, arguments: &[Value]) -> Result<Value, WorldError> {
        match self.evaluate(&scripts::call(function, arguments), self.limit()).await? {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Threw(message) => Err(self
                .navigation_error()
                .unwrap_or(WorldError::Interrupted(format!("asking the page for {function} failed: {message}")))),
        }
    }

    pub async fn call(&self, method: &str, params: Value) -> Result<Value, WorldError> {
        self.session.call(method, params).await.map_err(|error| self.explain(error))
    }

    /// How long anything inside the page may take.
    pub fn limit(&self) -> Duration {
        Duration::from_millis(self.application.settle.limit_ms.max(1))
    }

    /// Why the page is not the one it should be, if it is not.
    pub fn navigation_error(&self) -> Option<WorldError> {
        if self.session.is_gone() {
            return Some(died(ProtocolError::Gone));
        }
        if self.record.is_crashed() {
            return Some(crashed());
        }
        let url = self.record.went_to()?;
        Some(WorldError::Interrupted(format!("the page navigated away, to {url}")))
    }

    pub fn explain(&self, error: ProtocolError) -> WorldError {
        self.navigation_error().unwrap_or_else(|| match error {
            ProtocolError::Gone => died(ProtocolError::Gone),
            ProtocolError::TimedOut { limit, .. } => {
                self.hung.store(true, Ordering::Relaxed);
                let limit = limit.as_millis();
                WorldError::Interrupted(format!("the page did not answer within {limit} ms: it hangs"))
            }
            refused => WorldError::Interrupted(refused.to_string()),
        })
    }
}

fn metrics(size: Viewport) -> Value {
    json!({ "width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": false })
}

pub fn evaluated(answer: Value) -> Evaluated {
    match answer.get("exceptionDetails") {
        None => Evaluated::Value(answer["result"]["value"].clone()),
        Some(details) => {
            let described = details["exception"]["description"].as_str();
            let described = described.or(details["text"].as_str()).unwrap_or("an exception");
            Evaluated::Threw(described.lines().next().unwrap_or_default().to_string())
        }
    }
}

/// Outside of an interaction a browser that does not obey is as good as dead.
pub fn died(error: ProtocolError) -> WorldError {
    WorldError::Died(format!("the browser ended or does not work: {error}"))
}

fn crashed() -> WorldError {
    WorldError::Died("a tab of the browser crashed".to_string())
}

fn text(answer: &Value, field: &str) -> String {
    answer[field].as_str().unwrap_or_default().to_string()
}

impl Drop for Client {
    fn drop(&mut self) {
        self.note_refusals();
    }
}
