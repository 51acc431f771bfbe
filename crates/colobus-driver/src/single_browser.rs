//! [`SingleBrowser`]: a browser of its own for one page at a time. Consumed by the searches that look at a single page.

use std::sync::Arc;

use colobus_browser::{LaunchOptions, Page, PageListener, Policy};
use colobus_model::BrowserPlace;
use colobus_world::WorldError;

use crate::Interrupt;
use crate::browsers::{BrowserChoice, Browsers, OpenBrowser};
use crate::guarded_proxy::{GuardedProxy, PageContext};
use crate::runtime::DriverRuntime;

/// The browser, and the runtime in which it lives.
pub(crate) struct SingleBrowser {
    // The browser ends before the runtime that talks to it.
    browser: OpenBrowser,
    browsers: Browsers,
    pub runtime: Arc<DriverRuntime>,
}

impl SingleBrowser {
    pub fn open(choice: &BrowserChoice, interrupt: &Interrupt) -> Result<SingleBrowser, WorldError> {
        let browsers = Browsers::choose(choice)?;
        let runtime = Arc::new(DriverRuntime::start()?);
        let launch = LaunchOptions {
            headed: choice.headed,
            trusted: Vec::new(),
            whole_network: true,
            proxies: browsers.listen().map(|listen| listen.ip),
        };
        let browser = runtime.block_on(interrupt.or(browsers.open(&launch)))?;
        Ok(SingleBrowser { browser, browsers, runtime })
    }

    pub fn place(&self) -> BrowserPlace {
        self.browser.place()
    }

    /// An empty page with a profile of its own. It has the network of this machine, wherever its browser runs.
    pub async fn open_page(
        &self,
        policy: Policy,
        listener: Arc<dyn PageListener>,
    ) -> Result<(PageContext, Page), WorldError> {
        let proxy = match self.browsers.listen() {
            Some(listen) => Some(GuardedProxy::start(listen).await?),
            None => None,
        };
        let context = self.browser.new_context(proxy.as_ref().map(GuardedProxy::address)).await?;
        context.deny_downloads().await?;
        let page = context.open_page(policy, listener, None).await?;
        if let Some(proxy) = &proxy {
            proxy.admit(&page).await?;
        }
        Ok((PageContext::new(context, proxy), page))
    }
}
