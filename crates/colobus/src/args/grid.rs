//! Browsers that run on other machines.

use std::net::{IpAddr, Ipv4Addr};

use clap::Args;
use colobus_driver::{Credentials, Elsewhere, Hub, RemoteBrowsers};

use crate::session::BrowserChoice;

use super::BrowserArgs;

/// A user may ask for more.
const MOST_WORKERS: usize = 64;

/// Where browsers are, if not here.
#[derive(Debug, Args)]
pub struct GridArgs {
    /// Use the browsers of the Selenium Grid at this address; COLOBUS_GRID_USER holds `name:password` if it wants one
    #[arg(long, value_name = "URL")]
    pub grid: Option<String>,
    /// Start the Grid's browsers with this further argument, such as --no-sandbox; may be given several times
    #[arg(long, value_name = "ARGUMENT", requires = "grid", allow_hyphen_values = true)]
    pub grid_argument: Vec<String>,
    /// An address of this machine that those browsers can reach: the proxies of clients listen there. Loopback if it is left out
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<IpAddr>,
}

impl GridArgs {
    /// The Grid that the user named.
    pub fn hub(&self) -> anyhow::Result<Option<Hub>> {
        let hub = self.grid.as_deref().map(|url| Hub::new(url, Credentials::from_environment()));
        Ok(hub.transpose()?)
    }

    /// How many browsers the Grid can run at the same time; at least one, because a Grid may start nodes when it is asked.
    pub fn places(&self) -> anyhow::Result<Option<usize>> {
        let Some(hub) = self.hub()? else { return Ok(None) };
        Ok(Some(hub.status()?.usable_slots().clamp(1, MOST_WORKERS)))
    }

    /// The browsers to use; `running` is the address of one that runs already.
    pub fn choose(&self, args: &BrowserArgs, running: Option<&str>) -> anyhow::Result<BrowserChoice> {
        let listen = self.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let browsers = match (self.hub()?, running) {
            (Some(hub), _) => Some(RemoteBrowsers::Grid { hub, arguments: self.grid_argument.clone() }),
            (None, Some(address)) => Some(RemoteBrowsers::Running(address.to_string())),
            (None, None) => None,
        };
        let elsewhere = browsers.map(|browsers| Elsewhere { browsers, listen });
        Ok(BrowserChoice { elsewhere, ..BrowserChoice::here(args) })
    }
}
