//! [`Browser`]: one Chromium and the session with it, launched here or running elsewhere.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use colobus_world::WorldError;

use crate::launch::{LaunchOptions, Process};
use crate::page::{Page, PageListener, WebWorkers};
use crate::policy::Policy;
use crate::protocol::target::{AttachedToTarget, TargetInfo, TargetKind};
use crate::protocol::{Event, EventSink, ProtocolError, Session, browser, runtime, storage, target};
use crate::storage_state::StoredCookie;
use crate::transport::WebSocket;

/// What a browser says if a context has no window for a tab.
const NO_WINDOW: &str = "no browser is open";

/// How often a browser on another machine is asked for a sign of life, and how long it may take to give one. A busy machine takes
/// seconds.
const HEARTBEAT: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(15);

pub struct Browser {
    session: Session,
    /// Name and version, as the browser says itself.
    pub version: String,
    /// How it reaches the proxies of its clients, if it can.
    proxies: Option<ProxyWay>,
    /// Dropped last: it ends the browser.
    process: Option<Process>,
}

/// Hears of pages and workers that come and go. Called in the order of events; must not block.
pub trait TargetListener: Send + Sync {
    /// A target of a kind that was asked for exists, and waits until it is let go.
    fn attached(&self, targets: &Targets, attached: &AttachedToTarget);

    fn detached(&self, targets: &Targets, session: &str);

    /// A target exists; nothing is done to it.
    fn created(&self, targets: &Targets, info: &TargetInfo);

    /// The browser told of a target in a way that cannot be read.
    fn malformed(&self, problem: &ProtocolError);

    /// The browser is gone.
    fn ended(&self);
}

/// What a [`TargetListener`] can do with targets.
pub struct Targets {
    pub(crate) session: Session,
}

impl Targets {
    /// Closes a page without waiting for it.
    pub fn close(&self, target: &str) {
        drop(self.session.send(target::CloseTarget { target_id: target }));
    }

    /// Lets a target go without watching it.
    pub fn let_go(&self, attached: &AttachedToTarget) {
        drop(self.session.sibling(&attached.session_id).send(runtime::RunIfWaitingForDebugger {}));
    }

    /// Takes hold of a page and lets it go on. It can be navigated after [`Page::catch_up`]: a page that is told to go
    /// somewhere while it is let go may never arrive.
    pub fn welcome(
        &self,
        attached: &AttachedToTarget,
        name: &str,
        policy: Policy,
        listener: Arc<dyn PageListener>,
    ) -> Page {
        let target = &attached.target_info.target_id;
        // The commands are executed in their order: whatever is asked of the page later comes after them.
        Page::attach(&self.session, &attached.session_id, target, name, policy, listener, None).0
    }
}

/// An isolated profile: cookies, storage and network of its own. Its pages are opened with [`BrowserContext::open_page`].
#[derive(Clone)]
pub struct BrowserContext {
    session: Session,
    pub id: Arc<str>,
}

/// How a browser speaks to the proxies of its clients, whatever it asks them for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyWay {
    Plain,
    /// Over TLS, with a certificate whose key it was started with.
    Encrypted,
}

impl ProxyWay {
    fn scheme(self) -> &'static str {
        match self {
            ProxyWay::Plain => "http",
            ProxyWay::Encrypted => "https",
        }
    }
}

impl Browser {
    /// Starts a browser. Must be called inside a tokio runtime.
    pub async fn launch(path: &Path, options: &LaunchOptions) -> Result<Browser, WorldError> {
        let started = Process::start(path, options);
        let (process, transport) = started.map_err(|error| WorldError::CannotRun(error.to_string()))?;
        let advice = if options.headed {
            "is there a display?"
        } else {
            "run it by hand with --headless --dump-dom about:blank to see why"
        };
        let failed = |error: ProtocolError| {
            WorldError::Died(format!("{} was started, but does not answer ({error}); {advice}", path.display()))
        };
        Browser::greet(Session::connect(transport), Some(ProxyWay::Plain), Some(process)).await.map_err(failed)
    }

    /// Connects to a browser that is running already, through its DevTools endpoint. Only pages without a proxy can be opened in it,
    /// unless it is [said](Browser::reaching_proxies) to reach them.
    pub async fn connect(url: &str, authorization: Option<&str>) -> Result<Browser, WorldError> {
        let connected = WebSocket::connect(url, authorization).await;
        let transport = connected.map_err(|error| WorldError::CannotRun(error.to_string()))?;
        let session = Session::connect(transport);
        session.end_when_silent(HEARTBEAT, SILENCE);
        let failed = |error: ProtocolError| {
            WorldError::CannotRun(format!(
                "the browser at {url} does not answer: {error}; does its machine work, and is this the address of its DevTools?"
            ))
        };
        Browser::greet(session, None, None).await.map_err(failed)
    }

    /// The proxies of its clients listen where it can reach them. `place` says where it runs: “on a node”, “at an address”.
    pub fn reaching_proxies(self, way: ProxyWay, place: String) -> Browser {
        self.session.set_place(place);
        Browser { proxies: Some(way), ..self }
    }

    async fn greet(
        session: Session,
        proxies: Option<ProxyWay>,
        process: Option<Process>,
    ) -> Result<Browser, ProtocolError> {
        let version = session.call(browser::GetVersion {}).await?.product;
        Ok(Browser { session, version, proxies, process })
    }

    /// How many commands it was given, and how many events it told.
    pub fn message_counts(&self) -> (u64, u64) {
        self.session.message_counts()
    }

    pub fn is_gone(&self) -> bool {
        self.session.is_gone()
    }

    /// The process below which all others of the browser are; `None` if it runs elsewhere or has ended.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().and_then(Process::id)
    }

    /// From now on `listener` hears of targets; those of these kinds stop when they begin.
    pub async fn listen(
        &self,
        listener: Arc<dyn TargetListener>,
        stopped: &[TargetKind],
        discover: bool,
    ) -> Result<(), WorldError> {
        self.session.listen(Arc::new(TargetEvents { targets: Targets { session: self.session.clone() }, listener }));
        if discover {
            self.session.call(target::SetDiscoverTargets { discover }).await.map_err(died)?;
        }
        self.session.call(target::SetAutoAttach::to(stopped)).await.map_err(died).map(|_| ())
    }

    /// The pages that are open.
    pub async fn pages(&self) -> Result<Vec<TargetInfo>, WorldError> {
        let targets = self.session.call(target::GetTargets {}).await.map_err(died)?.target_infos;
        Ok(targets.into_iter().filter(|info| info.r#type == TargetKind::Page).collect())
    }

    /// Closes a page without waiting for it.
    pub fn close(&self, target: &str) {
        drop(self.session.send(target::CloseTarget { target_id: target }));
    }

    /// A profile whose traffic goes through this proxy, and no other way. Without a proxy it has the whole network.
    pub async fn new_context(&self, proxy: Option<SocketAddr>) -> Result<BrowserContext, WorldError> {
        let way = self.proxies.filter(|_| proxy.is_some());
        if proxy.is_some() && way.is_none() {
            return Err(WorldError::CannotRun(
                "a browser that runs elsewhere cannot reach the proxies on this machine's loopback: it can record and \
                 replay sessions, but not hold messages; leave the address out to start a browser here, or name an address of \
                 this machine that it can reach (--listen)"
                    .to_string(),
            ));
        }
        let create = target::CreateBrowserContext {
            dispose_on_detach: true,
            proxy_server: proxy.zip(way).map(|(address, way)| format!("{}://{address}", way.scheme())),
            // Loopback would bypass every proxy otherwise, and most applications under test are there.
            proxy_bypass_list: proxy.map(|_| "<-loopback>"),
        };
        let id = self.session.call(create).await.map_err(died)?.browser_context_id;
        Ok(BrowserContext { session: self.session.clone(), id: id.into() })
    }
}

impl BrowserContext {
    /// Opens an empty page and takes hold of it.
    pub async fn open_page(
        &self,
        policy: Policy,
        listener: Arc<dyn PageListener>,
        workers: Option<Arc<WebWorkers>>,
    ) -> Result<Page, WorldError> {
        let target_id = self.create_page(false).await?;
        let attach = target::AttachToTarget { target_id: &target_id, flatten: true };
        let session_id = self.session.call(attach).await.map_err(died)?.session_id;
        let (page, set_up) =
            Page::attach(&self.session, &session_id, &target_id, "the page", policy, listener, workers);
        set_up.done().await.map_err(died)?;
        Ok(page)
    }

    /// Creates an empty page. It is announced to the [`TargetListener`] like pages that other pages open.
    pub async fn create_page(&self, new_window: bool) -> Result<String, WorldError> {
        let create =
            |new_window| target::CreateTarget { url: "about:blank", browser_context_id: Some(&self.id), new_window };
        let created = match self.session.call(create(new_window)).await {
            // A browser with windows opens the first page of a context in a window only; one without knows no windows.
            Err(ProtocolError::Refused { message, .. }) if !new_window && message.contains(NO_WINDOW) => {
                self.session.call(create(true)).await
            }
            other => other,
        };
        Ok(created.map_err(died)?.target_id)
    }

    /// Keeps files that pages want to download off the disk.
    pub async fn deny_downloads(&self) -> Result<(), WorldError> {
        let deny = browser::SetDownloadBehavior { behavior: "deny", browser_context_id: &self.id };
        self.session.call(deny).await.map_err(died).map(|_| ())
    }

    /// Whether its pages have cookies.
    pub async fn has_cookies(&self) -> Result<bool, WorldError> {
        Ok(!self.cookies().await?.is_empty())
    }

    /// Its cookies.
    pub async fn cookies(&self) -> Result<Vec<StoredCookie>, WorldError> {
        let answer = self.session.call(storage::GetCookies { browser_context_id: &self.id }).await.map_err(died)?;
        let stored = |cookie: storage::Cookie| {
            let storage::Cookie { name, value, domain, path, expires, http_only, secure, same_site } = cookie;
            StoredCookie { name, value, domain, path, expires, http_only, secure, same_site }
        };
        Ok(answer.cookies.into_iter().map(stored).collect())
    }

    /// Gives it these cookies, beside those that it has.
    pub async fn set_cookies(&self, cookies: &[StoredCookie]) -> Result<(), WorldError> {
        let cookies = cookies.iter().map(|cookie| storage::CookieParameter {
            name: &cookie.name,
            value: &cookie.value,
            domain: &cookie.domain,
            path: &cookie.path,
            secure: cookie.secure,
            http_only: cookie.http_only,
            same_site: cookie.same_site.as_deref(),
            expires: (cookie.expires >= 0.0).then_some(cookie.expires),
        });
        let cookies = cookies.collect();
        let set = storage::SetCookies { browser_context_id: &self.id, cookies };
        let refused = |error: ProtocolError| match error {
            ProtocolError::Refused { message, .. } => {
                WorldError::CannotRun(format!("the browser refuses the cookies of a login: {message}"))
            }
            other => died(other),
        };
        self.session.call(set).await.map_err(refused).map(|_| ())
    }

    pub async fn dispose(&self) -> Result<(), WorldError> {
        self.session
            .call(target::DisposeBrowserContext { browser_context_id: &self.id })
            .await
            .map_err(died)
            .map(|_| ())
    }
}

/// Outside of an interaction a browser that does not obey is as good as dead.
pub(crate) fn died(error: ProtocolError) -> WorldError {
    WorldError::Died(format!("the browser ended or does not work: {error}"))
}

struct TargetEvents {
    targets: Targets,
    listener: Arc<dyn TargetListener>,
}

impl EventSink for TargetEvents {
    fn event(&self, event: &Event) {
        match event {
            Event::AttachedToTarget(attached) => self.listener.attached(&self.targets, attached),
            Event::DetachedFromTarget(detached) => self.listener.detached(&self.targets, &detached.session_id),
            Event::TargetCreated(created) => self.listener.created(&self.targets, &created.target_info),
            _ => {}
        }
    }

    fn malformed(&self, error: ProtocolError) {
        self.listener.malformed(&error);
    }

    fn ended(&self) {
        self.listener.ended();
    }
}
