//! Browsers that run on other machines.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::bail;
use clap::Args;
use colobus_driver::{BrowserChoice, Credentials, Elsewhere, Hub, HubStatus, Listen, RemoteBrowsers};
use colobus_run::StopSignal;

use super::BrowserArgs;
use crate::stop::unless_over;

/// What a run waits for, for messages of runs that had to end before.
pub const THE_GRID_ANSWERED: &str = "the Grid answered";
/// A user may ask for more.
const MOST_WORKERS: usize = 64;

/// Which browsers a search uses, if not those of this machine.
#[derive(Debug, Args)]
pub struct RemoteArgs {
    /// Use a browser that runs already, with its DevTools at this address
    #[arg(long, value_name = "ws://…", conflicts_with = "grid")]
    pub connect: Option<String>,
    #[command(flatten)]
    pub grid: GridArgs,
}

impl RemoteArgs {
    /// Whether the browsers are started on this machine.
    pub fn is_here(&self) -> bool {
        self.connect.is_none() && self.grid.grid.is_none()
    }

    /// The browsers to use.
    pub fn choose(&self, args: &BrowserArgs, stop: &StopSignal) -> anyhow::Result<BrowserChoice> {
        self.grid.choose(args, self.connect.as_deref(), stop)
    }
}

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
    /// Encrypt the way from the Grid's browsers to those proxies, with a certificate that is made for this run
    #[arg(long)]
    pub listen_tls: bool,
}

impl GridArgs {
    /// The Grid that the user named.
    pub fn hub(&self) -> anyhow::Result<Option<Hub>> {
        let hub = self.grid.as_deref().map(|url| Hub::new(url, Credentials::from_environment()));
        Ok(hub.transpose()?)
    }

    /// How many browsers the Grid can run at the same time; at least one, because a Grid may start nodes when it is asked.
    pub fn places(&self, stop: &StopSignal) -> anyhow::Result<Option<usize>> {
        Ok(self.usable(stop)?.map(|status| status.usable_slots().clamp(1, MOST_WORKERS)))
    }

    /// What the Grid has, if any of it can be used, unless the run has to end before it says so.
    fn usable(&self, stop: &StopSignal) -> anyhow::Result<Option<HubStatus>> {
        let Some(hub) = self.hub()? else { return Ok(None) };
        Ok(Some(unless_over(stop, THE_GRID_ANSWERED, move || hub.usable())??))
    }

    /// The browsers of other machines that the user named; `running` is the address of one that runs already.
    pub fn elsewhere(&self, running: Option<&str>) -> anyhow::Result<Option<Elsewhere>> {
        let browsers = match (self.hub()?, running) {
            (None, _) if self.listen_tls => {
                bail!(
                    "--listen-tls is for the browsers of a Grid, which are started with the key of this run: add --grid URL, or leave it out"
                )
            }
            (Some(hub), _) => RemoteBrowsers::Grid { hub, arguments: self.grid_argument.clone() },
            (None, Some(address)) => RemoteBrowsers::Running(address.to_string()),
            (None, None) if self.listen.is_some() => {
                bail!(
                    "--listen is for browsers of other machines, and none are named: add --grid URL or --connect ws://…"
                )
            }
            (None, None) => return Ok(None),
        };
        let ip = self.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let listen = if self.listen_tls { Listen::encrypted(ip)? } else { Listen::plain(ip) };
        Ok(Some(Elsewhere { browsers, listen }))
    }

    /// The browsers to use.
    pub fn choose(
        &self,
        args: &BrowserArgs,
        running: Option<&str>,
        stop: &StopSignal,
    ) -> anyhow::Result<BrowserChoice> {
        // Before anything is started: a Grid that has no usable browser keeps requests for minutes.
        self.usable(stop)?;
        Ok(BrowserChoice { elsewhere: self.elsewhere(running)?, ..args.here() })
    }
}
