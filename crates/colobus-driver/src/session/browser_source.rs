//! [`BrowserSource`]: where the browser of a session comes from. Chosen by the command line, opened by
//! [`Windows`](super::Windows).

use std::path::PathBuf;

use colobus_browser::{Browser, LaunchOptions};
use colobus_world::WorldError;

use crate::Listen;
use crate::browsers::{BrowserChoice, Browsers, OpenBrowser};
use crate::elsewhere::Elsewhere;

#[derive(Clone, Debug)]
pub enum BrowserSource {
    /// Started for the session: this one, or the first one on PATH.
    Launched(Option<PathBuf>),
    /// Running already, with its DevTools at this address (`ws://…`). It goes on when the session ends, and has the network of its
    /// machine.
    Running(String),
    /// On another machine, with the network of this one.
    Elsewhere(Elsewhere),
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

    /// Those that a search was told to use.
    pub fn of(choice: &BrowserChoice) -> BrowserSource {
        let launched = || BrowserSource::Launched(choice.path.clone());
        choice.elsewhere.clone().map_or_else(launched, BrowserSource::Elsewhere)
    }

    /// Where its proxies have to listen, if it can reach no others.
    pub(super) fn listen(&self) -> Option<&Listen> {
        match self {
            BrowserSource::Elsewhere(elsewhere) => Some(&elsewhere.listen),
            BrowserSource::Launched(_) | BrowserSource::Running(_) => None,
        }
    }

    pub(super) async fn open(&self, headed: bool, trusted: Vec<String>) -> Result<OpenBrowser, WorldError> {
        let choice = match self {
            BrowserSource::Launched(path) => BrowserChoice { path: path.clone(), headed, ..BrowserChoice::default() },
            BrowserSource::Elsewhere(elsewhere) => {
                BrowserChoice { headed, elsewhere: Some(elsewhere.clone()), ..BrowserChoice::default() }
            }
            BrowserSource::Running(address) => {
                return Ok(OpenBrowser::new(Browser::connect(address, None).await?, None));
            }
        };
        let proxies = self.listen().map(|listen| listen.ip);
        let launch = LaunchOptions { headed, trusted, whole_network: true, proxies };
        Browsers::choose(&choice)?.open(&launch).await
    }
}
