//! [`Elsewhere`]: browsers on other machines, and the address of this machine at which they reach the proxies of their clients.
//! Chosen by the command line, used by the worlds of a run instead of browsers that they start.

use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use colobus_browser::{
    Browser, DialogAnswer, DialogOpening, LaunchOptions, Notice, Page, PageListener, Policy, ProxyLogin,
};
use colobus_grid::{GridError, GridSession, Hub};
use colobus_model::Viewport;
use colobus_proxy::{HELLO, Proxy, ProxyError, ProxyOptions, Secret};
use colobus_world::WorldError;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

/// Where browsers run that were not started here.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    pub browsers: RemoteBrowsers,
    /// An address of this machine that they can reach.
    pub listen: IpAddr,
}

#[derive(Clone, Debug)]
pub enum RemoteBrowsers {
    /// Each world has a session of this Grid, whose browser is started with these further arguments.
    Grid { hub: Hub, arguments: Vec<String> },
    /// One that is running, with its DevTools at this address.
    Running(String),
}

impl Elsewhere {
    /// A browser, and the session that ends it.
    pub(crate) async fn open(&self, launch: &LaunchOptions) -> Result<(Browser, Option<GridSession>), WorldError> {
        match &self.browsers {
            RemoteBrowsers::Running(address) => {
                let browser = Browser::connect(address, None).await?;
                Ok((browser.reaching_proxies(), None))
            }
            RemoteBrowsers::Grid { hub, arguments } => {
                let all = launch.arguments().into_iter().chain(arguments.iter().cloned()).collect::<Vec<_>>();
                let session = opened(hub.clone(), all).await?.map_err(explain)?;
                let connected = Browser::connect(&session.devtools, hub.authorization()).await;
                // The session was there a moment ago: another one may work.
                let browser = connected.map_err(|error| WorldError::Died(error.to_string()))?;
                Ok((browser.reaching_proxies(), Some(session)))
            }
        }
    }
}

/// Asks on a thread of its own, which the end of a run does not wait for: a hub without a free place takes minutes to answer. A
/// session that comes too late is given back.
async fn opened(hub: Hub, arguments: Vec<String>) -> Result<Result<GridSession, GridError>, WorldError> {
    let (tell, told) = oneshot::channel();
    thread::spawn(move || drop(tell.send(hub.open(&arguments))));
    told.await.map_err(|_| WorldError::Died("nothing came of asking the Grid for a session".to_string()))
}

/// A hub that is busy or away may have a place later; one that is no hub will not.
fn explain(error: GridError) -> WorldError {
    match error {
        GridError::Unreachable { .. } | GridError::NoSession { .. } => WorldError::Died(error.to_string()),
        other => WorldError::CannotRun(other.to_string()),
    }
}

/// What a browser elsewhere says of itself.
#[derive(Clone, Debug)]
pub struct Probe {
    pub version: String,
    /// The node of the Grid on which it runs, if the hub tells.
    pub node: Option<String>,
    /// The mean time that a command takes to be answered.
    pub round_trip: Duration,
}

/// Opens a browser, measures this many round trips, and looks whether it reaches a proxy of this machine.
pub fn probe(elsewhere: &Elsewhere, round_trips: u32) -> Result<Probe, WorldError> {
    let cannot = |error: &dyn Display| WorldError::CannotRun(error.to_string());
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| cannot(&error))?;
    let launch = LaunchOptions { headed: false, trusted: None, whole_network: false, proxies: Some(elsewhere.listen) };
    runtime.block_on(async {
        let (browser, session) = elsewhere.open(&launch).await?;
        let began = Instant::now();
        for _ in 0..round_trips {
            browser.pages().await?;
        }
        let round_trip = began.elapsed() / round_trips.max(1);
        reach_a_proxy(&browser, elsewhere.listen).await?;
        let node = session.as_ref().and_then(|session| session.node.clone());
        Ok(Probe { version: browser.version.clone(), node, round_trip })
    })
}

async fn reach_a_proxy(browser: &Browser, listen: IpAddr) -> Result<(), WorldError> {
    let cannot = |error: ProxyError| WorldError::CannotRun(error.to_string());
    let secret = Secret::new().map_err(cannot)?;
    let options = ProxyOptions { listen, secret: Some(secret.clone()), ..ProxyOptions::default() };
    let proxy = Proxy::start(options).await.map_err(cannot)?;
    let context = browser.new_context(Some(proxy.address())).await?;
    let policy = Policy::Held { viewport: Viewport { width: 400, height: 300 } };
    let page = context.open_page(policy, Arc::new(Silent), None).await?;
    let shown = log_in_at_proxy(&page, &secret, proxy.address()).await;
    context.dispose().await?;
    shown
}

/// A browser on another machine has to show a password to use a proxy, and to reach this machine at all.
pub(crate) async fn log_in_at_proxy(page: &Page, secret: &Secret, address: SocketAddr) -> Result<(), WorldError> {
    let password = secret.password().to_string();
    let login = ProxyLogin { hello: HELLO, user: Secret::USER, password };
    let unreachable = |error: WorldError| match error {
        WorldError::Interrupted(problem) => WorldError::CannotRun(format!(
            "the browser cannot reach the proxy of its client at {address} ({problem}); name an address of this machine that it can \
             reach with --listen ADDRESS, and open it in the firewall"
        )),
        other => other,
    };
    page.log_in_at_proxy(&login).await.map_err(unreachable)
}

struct Silent;

impl PageListener for Silent {
    fn dialog(&self, dialog: &DialogOpening) -> DialogAnswer {
        dialog.default_answer()
    }

    fn notice(&self, _: Notice) {}

    fn changed(&self) {}
}
