//! [`Probe`]: what can be said of browsers of other machines before a search uses them. Made for `colobus doctor`.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use colobus_browser::{Browser, LaunchOptions, Policy};
use colobus_model::{BrowserPlace, Viewport};
use colobus_proxy::ProxyOptions;
use colobus_world::WorldError;
use tokio::runtime::Builder;
use tokio::sync::Notify;

use crate::elsewhere::Elsewhere;
use crate::guarded_proxy::GuardedProxy;
use crate::race::Silent;

/// What a browser elsewhere says of itself.
#[derive(Clone, Debug)]
pub struct Probe {
    pub browser: BrowserPlace,
    /// The mean time that a command takes to be answered.
    pub round_trip: Duration,
    /// How long it took to open.
    pub opening: Duration,
    /// Why it does not reach the proxies of this machine, if so.
    pub unreachable: Option<String>,
}

/// Opens so many browsers at the same time, so that a Grid has to use several nodes, measures round trips in each, and looks whether it
/// reaches a proxy of this machine. `tell` hears of each as soon as it is known. `on_stop` is given what to call when the user wants it to end.
pub fn probe(
    elsewhere: &Elsewhere,
    browsers: usize,
    round_trips: u32,
    tell: &mut dyn FnMut(Probe) -> Result<(), WorldError>,
    on_stop: impl FnOnce(Box<dyn Fn() + Send>),
) -> Result<(), WorldError> {
    let stop = Arc::new(Stop::default());
    let stopped = stop.clone();
    on_stop(Box::new(move || stopped.set()));
    let cannot = |error: &dyn Display| WorldError::CannotRun(error.to_string());
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| cannot(&error))?;
    let launch =
        LaunchOptions { headed: false, trusted: Vec::new(), whole_network: false, proxies: Some(elsewhere.listen.ip) };
    let probing = async {
        let mut open = Vec::new();
        for _ in 0..browsers {
            stop.go_on()?;
            let opened = Instant::now();
            let browser = elsewhere.open(&launch).await?;
            let opening = opened.elapsed();
            stop.go_on()?;
            let began = Instant::now();
            for _ in 0..round_trips {
                browser.pages().await?;
            }
            let round_trip = began.elapsed() / round_trips.max(1);
            let unreachable = reach_a_proxy(&browser, elsewhere).await.err().map(|error| error.to_string());
            tell(Probe { browser: browser.place(), round_trip, opening, unreachable })?;
            open.push(browser);
        }
        Ok(())
    };
    runtime.block_on(async {
        tokio::select! {
            done = probing => done,
            () = stop.told.notified() => Err(WorldError::Stopped),
        }
    })
}

/// Whether the user wants it to end.
#[derive(Default)]
struct Stop {
    is_set: AtomicBool,
    told: Notify,
}

impl Stop {
    fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
        self.told.notify_one();
    }

    fn go_on(&self) -> Result<(), WorldError> {
        if self.is_set.load(Ordering::Relaxed) { Err(WorldError::Stopped) } else { Ok(()) }
    }
}

async fn reach_a_proxy(browser: &Browser, elsewhere: &Elsewhere) -> Result<(), WorldError> {
    let proxy = GuardedProxy::with(&elsewhere.listen, ProxyOptions::default()).await?;
    let context = browser.new_context(Some(proxy.address())).await?;
    let policy = Policy::Held { viewport: Viewport { width: 400, height: 300 } };
    let page = context.open_page(policy, Arc::new(Silent), None).await?;
    let shown = proxy.admit(&page).await;
    context.dispose().await?;
    shown
}
