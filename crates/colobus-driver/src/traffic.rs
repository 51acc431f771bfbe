//! [`TrafficLog`]: the traffic of clients while it is recorded, and how the proxies of clients are set up. Filled by the
//! proxies of worlds and windows, turned into HAR files by the commands.

use std::net::SocketAddr;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use colobus_browser::Page;
use colobus_har::{Capture, ClientTraffic, Redaction, har};
use colobus_model::{Application, ClientId};
use colobus_proxy::{
    AllowList, Answerer, Collector, ProcessTree, Proxy, ProxyError, ProxyOptions, Rewriter, RunAuthority, Tap,
};
use colobus_world::WorldError;

use crate::Listen;
use crate::guarded_proxy::GuardedProxy;

/// Bytes of one body or message: scripts of applications stay below.
const LARGEST_BODY: usize = 4 << 20;
/// Bytes of all contents of one client.
const LARGEST_CAPTURE: usize = 64 << 20;

/// What the clients that were opened since then said and heard, each with a collector of its own.
#[derive(Clone, Debug, Default)]
pub struct TrafficLog {
    collectors: Arc<Mutex<Vec<Arc<Collector>>>>,
}

impl TrafficLog {
    /// The tap of one more client.
    pub(crate) fn tap(&self) -> Arc<dyn Tap> {
        let collector = Arc::new(Collector::new(LARGEST_BODY, LARGEST_CAPTURE));
        self.lock().push(collector.clone());
        collector
    }

    /// All that was said so far, as the text of a HAR file; a client per page, named in the order in which they were opened.
    /// Nothing of it is kept.
    pub fn take_har(&self, redaction: &Redaction) -> String {
        let captures: Vec<Capture> = self.lock().iter().map(|collector| collector.take()).collect();
        let names: Vec<String> = (0..captures.len()).map(|client| ClientId(client).to_string()).collect();
        let clients = names.iter().zip(&captures);
        let clients: Vec<ClientTraffic> = clients.map(|(name, capture)| ClientTraffic { name, capture }).collect();
        har(&clients, redaction, env!("CARGO_PKG_VERSION"))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Collector>>> {
        self.collectors.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What sees the traffic of a client, what answers it in the server's place, and what changes it.
pub(crate) struct Seams {
    pub tap: Option<Arc<dyn Tap>>,
    pub answerer: Option<Arc<dyn Answerer>>,
    /// What changes its scripts.
    pub rewriter: Option<Arc<dyn Rewriter>>,
}

/// The proxy of a client of a search: it reaches the application alone, and serves this browser alone.
pub(crate) fn of_client(
    application: &Application,
    tls: Option<Arc<RunAuthority>>,
    browser: Option<u32>,
    Seams { tap, answerer, rewriter }: Seams,
) -> Result<ProxyOptions, WorldError> {
    let cannot = |error: ProxyError| WorldError::CannotRun(error.to_string());
    let mut allow = AllowList::nothing().allow_url(&application.url).map_err(cannot)?;
    for host in &application.hosts {
        allow = allow.allow(host).map_err(cannot)?;
    }
    if application.launch.is_some() {
        // An application that we started may listen on more ports than its URL has.
        allow = allow.allow_listeners_of(ProcessTree::below(process::id()));
    }
    let owner = browser.map(ProcessTree::of);
    Ok(ProxyOptions { allow, tls, owner, tap, answerer, rewriter, ..ProxyOptions::default() })
}

/// The proxies of windows: for traffic that is recorded or answered, and for browsers of other machines. Without any of these there
/// are none.
#[derive(Default)]
pub(crate) struct WindowProxies {
    pub log: Option<TrafficLog>,
    pub answerer: Option<Arc<dyn Answerer>>,
    /// Opens TLS; there is one if traffic is recorded or answered.
    pub authority: Option<Arc<RunAuthority>>,
    /// The browser, if it runs here.
    pub browser: Option<u32>,
    /// Where a browser of another machine reaches this one.
    pub listen: Option<Listen>,
    pub proxies: Mutex<Vec<Arc<WindowProxy>>>,
}

/// The proxy of a window.
pub(crate) enum WindowProxy {
    Here(Proxy),
    Guarded(GuardedProxy),
}

impl WindowProxy {
    pub fn address(&self) -> SocketAddr {
        match self {
            WindowProxy::Here(proxy) => proxy.address(),
            WindowProxy::Guarded(proxy) => proxy.address(),
        }
    }

    /// Lets the browser context of this page use it.
    pub async fn admit(&self, page: &Page) -> Result<(), WorldError> {
        match self {
            WindowProxy::Here(_) => Ok(()),
            WindowProxy::Guarded(proxy) => proxy.admit(page).await,
        }
    }
}

impl WindowProxies {
    /// The proxy of one more client.
    pub async fn next(&self) -> Result<Option<Arc<WindowProxy>>, WorldError> {
        if self.authority.is_none() && self.listen.is_none() {
            return Ok(None);
        }
        // Without a log all clients share one proxy: their traffic need not be told apart.
        let known = self.lock().first().cloned();
        if let (None, Some(known)) = (&self.log, known) {
            return Ok(Some(known));
        }
        let options = self.options();
        let proxy = Arc::new(match &self.listen {
            Some(listen) => WindowProxy::Guarded(GuardedProxy::with(listen, options).await?),
            None => {
                let started = Proxy::start(options).await;
                WindowProxy::Here(started.map_err(|error| WorldError::CannotRun(error.to_string()))?)
            }
        });
        self.lock().push(proxy.clone());
        Ok(Some(proxy))
    }

    /// The proxy of a window that a person uses goes everywhere and holds nothing.
    fn options(&self) -> ProxyOptions {
        ProxyOptions {
            allow: AllowList::everywhere(),
            owner: self.browser.map(ProcessTree::of),
            tls: self.authority.clone(),
            tap: self.log.as_ref().map(TrafficLog::tap),
            answerer: self.answerer.clone(),
            ..ProxyOptions::default()
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<WindowProxy>>> {
        self.proxies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
