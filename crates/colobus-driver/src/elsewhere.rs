//! [`Elsewhere`]: browsers on other machines, and where they reach the proxies of their clients.
//! Chosen by the command line, used by the worlds of a run instead of browsers that they start.

use std::thread;

use colobus_browser::{Browser, LaunchOptions};
use colobus_grid::{GridError, GridSession, Hub, UnderWay};
use colobus_world::WorldError;
use tokio::sync::oneshot;

use crate::Listen;
use crate::browsers::OpenBrowser;

/// Where browsers run that were not started here.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    pub browsers: RemoteBrowsers,
    pub listen: Listen,
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
    pub(crate) async fn open(&self, launch: &LaunchOptions) -> Result<OpenBrowser, WorldError> {
        match &self.browsers {
            RemoteBrowsers::Running(address) => {
                let browser = Browser::connect(address, None).await?;
                Ok(OpenBrowser::new(browser.reaching_proxies(self.listen.way(), format!("at {address}")), None))
            }
            RemoteBrowsers::Grid { hub, arguments } => {
                let trusted = launch.trusted.iter().cloned().chain(self.listen.key()).collect();
                let launch = LaunchOptions { trusted, ..launch.clone() };
                let all = launch.arguments().into_iter().chain(arguments.iter().cloned()).collect::<Vec<_>>();
                let session = opened(hub.clone(), all).await?.map_err(explain)?;
                let connected = Browser::connect(&session.devtools, hub.authorization()).await;
                // The session was there a moment ago: another one may work.
                let browser = connected.map_err(|error| WorldError::Died(error.to_string()))?;
                let place = format!("on {}", session.place());
                Ok(OpenBrowser::new(browser.reaching_proxies(self.listen.way(), place), Some(session)))
            }
        }
    }
}

/// Asks on a thread of its own, which the end of a run does not wait for: a hub without a free place takes minutes to answer. A
/// session that comes too late is given back, and counts as under way until then.
async fn opened(hub: Hub, arguments: Vec<String>) -> Result<Result<GridSession, GridError>, WorldError> {
    let (tell, told) = oneshot::channel();
    let under_way = UnderWay::begin();
    thread::spawn(move || {
        let session = hub.open_while(&arguments, &|| !tell.is_closed());
        drop(tell.send(session));
        drop(under_way);
    });
    told.await.map_err(|_| WorldError::Died("nothing came of asking the Grid for a session".to_string()))
}

/// A hub that is busy or away may have a place later; one that is no hub will not.
fn explain(error: GridError) -> WorldError {
    match error {
        GridError::Unreachable { .. } | GridError::NoSession { .. } => WorldError::Died(error.to_string()),
        other => WorldError::CannotRun(other.to_string()),
    }
}
