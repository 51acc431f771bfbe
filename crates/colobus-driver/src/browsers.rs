//! [`BrowserChoice`]: which browsers a search uses; chosen by the command line. [`Browsers`] opens them, each as an
//! [`OpenBrowser`], which gives a browser of a Grid back when it is dropped.

use std::ops::Deref;
use std::path::PathBuf;

use colobus_browser::{Browser, LaunchOptions, find_browser};
use colobus_grid::GridSession;
use colobus_model::BrowserPlace;
use colobus_world::WorldError;

use crate::network_process::NetworkProcess;
use crate::{Elsewhere, Listen};

/// Which browsers are used.
#[derive(Clone, Debug, Default)]
pub struct BrowserChoice {
    /// The one to start instead of the first on PATH.
    pub path: Option<PathBuf>,
    /// Whether to show its windows.
    pub headed: bool,
    /// Those of other machines, instead of any that is started here.
    pub elsewhere: Option<Elsewhere>,
    /// Whether their pages log what they read and write.
    pub logs_accesses: bool,
}

/// Where browsers come from.
pub(crate) enum Browsers {
    /// Started here, from this file.
    Launched(PathBuf),
    Elsewhere(Elsewhere),
}

impl Browsers {
    pub fn choose(choice: &BrowserChoice) -> Result<Browsers, WorldError> {
        match &choice.elsewhere {
            Some(elsewhere) => Ok(Browsers::Elsewhere(elsewhere.clone())),
            None => {
                let found = find_browser(choice.path.as_deref(), choice.headed);
                found.map(Browsers::Launched).map_err(|error| WorldError::CannotRun(error.to_string()))
            }
        }
    }

    pub async fn open(&self, launch: &LaunchOptions) -> Result<OpenBrowser, WorldError> {
        match self {
            Browsers::Launched(path) => Ok(OpenBrowser::new(Browser::launch(path, launch).await?, None)),
            Browsers::Elsewhere(elsewhere) => elsewhere.open(launch).await,
        }
    }

    /// Where the proxies of clients have to listen, if not on loopback alone.
    pub fn listen(&self) -> Option<&Listen> {
        match self {
            Browsers::Launched(_) => None,
            Browsers::Elsewhere(elsewhere) => Some(&elsewhere.listen),
        }
    }
}

/// A browser, and the session that ends it if it is one of a Grid.
pub(crate) struct OpenBrowser {
    browser: Browser,
    session: Option<GridSession>,
    network: NetworkProcess,
}

impl OpenBrowser {
    pub fn new(browser: Browser, session: Option<GridSession>) -> OpenBrowser {
        OpenBrowser { browser, session, network: NetworkProcess::default() }
    }

    /// Whether the network of its pages was lost with a process of the browser. It is noticed once that process was
    /// [looked for](OpenBrowser::find_network), in a browser of this machine.
    pub fn has_lost_its_network(&self) -> bool {
        self.network.has_ended()
    }

    /// Looks for the process that is the network of its pages; a browser starts it when it has to do with the network.
    pub fn find_network(&self) {
        if let Some(browser) = self.browser.process_id() {
            self.network.find(browser);
        }
    }

    pub fn place(&self) -> BrowserPlace {
        let node = self.session.as_ref().map(GridSession::place);
        BrowserPlace { version: self.browser.version.clone(), node }
    }
}

impl Deref for OpenBrowser {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl Drop for OpenBrowser {
    fn drop(&mut self) {
        // Its node may answer nothing any more: the end is hardly waited for.
        if let Some(session) = self.session.as_ref().filter(|_| self.browser.is_gone()) {
            session.is_lost();
        }
    }
}
