//! [`GuardedProxy`]: a proxy for a browser on another machine, which has to show a password. Used for pages of searches that have no
//! proxy at all when their browser runs here: the application is reached from this machine, and not from that of the browser.

use std::net::SocketAddr;

use colobus_browser::{BrowserContext, Page, ProxyLogin};
use colobus_proxy::{AllowList, HELLO, Proxy, ProxyError, ProxyOptions, Secret};
use colobus_world::WorldError;

use crate::Listen;

/// A proxy, and the password for it.
pub(crate) struct GuardedProxy {
    proxy: Proxy,
    secret: Secret,
}

impl GuardedProxy {
    /// Goes wherever pages go whose browser runs here, and leaves encryption as it is.
    pub async fn start(listen: &Listen) -> Result<GuardedProxy, WorldError> {
        GuardedProxy::with(listen, ProxyOptions { allow: AllowList::everywhere(), ..ProxyOptions::default() }).await
    }

    pub async fn with(listen: &Listen, options: ProxyOptions) -> Result<GuardedProxy, WorldError> {
        let cannot = |error: ProxyError| WorldError::CannotRun(error.to_string());
        let secret = Secret::new().map_err(cannot)?;
        let proxy = Proxy::start(listen.options(secret.clone(), options)).await.map_err(cannot)?;
        Ok(GuardedProxy { proxy, secret })
    }

    pub fn address(&self) -> SocketAddr {
        self.proxy.address()
    }

    /// Shows the password with a page of the browser context that uses this proxy.
    pub async fn admit(&self, page: &Page) -> Result<(), WorldError> {
        log_in_at_proxy(page, &self.secret, self.address()).await
    }
}

/// A browser context, and the proxy that its pages use if its browser runs elsewhere.
pub(crate) struct PageContext {
    context: BrowserContext,
    /// Ends with the context.
    _proxy: Option<GuardedProxy>,
}

impl PageContext {
    pub fn new(context: BrowserContext, proxy: Option<GuardedProxy>) -> PageContext {
        PageContext { context, _proxy: proxy }
    }

    pub async fn dispose(&self) -> Result<(), WorldError> {
        self.context.dispose().await
    }
}

/// A browser on another machine has to show a password to use a proxy, and to reach this machine at all. One that does not may have
/// lost its network: another may do better.
pub(crate) async fn log_in_at_proxy(page: &Page, secret: &Secret, address: SocketAddr) -> Result<(), WorldError> {
    let password = secret.password().to_string();
    let login = ProxyLogin { hello: HELLO, user: Secret::USER, password };
    let place = page.browser_place().unwrap_or("of this machine");
    let unreachable = |error: WorldError| match error {
        WorldError::Interrupted(problem) => WorldError::Died(format!(
            "the browser {place} cannot reach the proxy of its client at {address} ({problem}); name an address of this machine that it can \
             reach with --listen ADDRESS, and open it in the firewall"
        )),
        other => other,
    };
    page.log_in_at_proxy(&login).await.map_err(unreachable)
}
