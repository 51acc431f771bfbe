//! [`Listen`]: where and how the proxies of browsers on other machines are reached. Chosen by the command line, used wherever such a proxy is
//! started.

use std::net::IpAddr;
use std::sync::Arc;

use colobus_browser::ProxyWay;
use colobus_proxy::{ProxyOptions, RunAuthority, Secret};
use colobus_world::WorldError;

/// An address of this machine that those browsers can reach.
#[derive(Clone, Debug)]
pub struct Listen {
    pub ip: IpAddr,
    /// Whose certificates the proxies show, if the way to them is encrypted.
    authority: Option<Arc<RunAuthority>>,
}

impl Listen {
    /// Others on the way can read what pages say.
    pub fn plain(ip: IpAddr) -> Listen {
        Listen { ip, authority: None }
    }

    /// With a key that is made for this run, and kept nowhere else.
    pub fn encrypted(ip: IpAddr) -> Result<Listen, WorldError> {
        let authority = RunAuthority::new().map_err(|error| WorldError::CannotRun(error.to_string()))?;
        Ok(Listen { ip, authority: Some(Arc::new(authority)) })
    }

    /// The key that browsers have to be told of.
    pub(crate) fn key(&self) -> Option<String> {
        self.authority.as_ref().map(|authority| authority.spki_hash().to_string())
    }

    pub(crate) fn way(&self) -> ProxyWay {
        if self.authority.is_some() { ProxyWay::Encrypted } else { ProxyWay::Plain }
    }

    /// A proxy there, for a browser that knows the secret.
    pub(crate) fn options(&self, secret: Secret, others: ProxyOptions) -> ProxyOptions {
        ProxyOptions { listen: self.ip, listen_tls: self.authority.clone(), secret: Some(secret), ..others }
    }
}
