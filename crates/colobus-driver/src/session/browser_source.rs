//! [`BrowserSource`]: where the browser of a session comes from. Chosen by the command line, opened by
//! [`Windows`](super::Windows).

use std::path::PathBuf;

use colobus_browser::{Browser, LaunchOptions, find_browser};
use colobus_world::WorldError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrowserSource {
    /// Started for the session: this one, or the first one on PATH.
    Launched(Option<PathBuf>),
    /// Running already, with its DevTools at this address (`ws://…`). It goes on when the session ends.
    Running(String),
}

impl Default for BrowserSource {
    fn default() -> BrowserSource {
        BrowserSource::Launched(None)
    }
}

impl BrowserSource {
    /// A running browser if an address is given.
    pub fn new(address: Option<String>, path: Option<PathBuf>) -> BrowserSource {
        address.map_or(BrowserSource::Launched(path), BrowserSource::Running)
    }

    pub(super) async fn open(&self, headed: bool, trusted: Option<String>) -> Result<Browser, WorldError> {
        match self {
            BrowserSource::Launched(path) => {
                let found = find_browser(path.as_deref(), headed);
                let path = found.map_err(|error| WorldError::CannotRun(error.to_string()))?;
                Browser::launch(&path, &LaunchOptions { headed, trusted, whole_network: true, proxies: None }).await
            }
            BrowserSource::Running(address) => Browser::connect(address, None).await,
        }
    }
}
