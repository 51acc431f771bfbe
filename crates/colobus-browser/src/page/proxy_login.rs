//! [`ProxyLogin`]: how a page shows the proxy of its client who it is, once for its whole browser context. Used for browsers on other
//! machines, whose proxies have a password.

use colobus_world::WorldError;
use tokio::time::Instant;

use super::page_events::PageEvents;
use super::{LOAD_LIMIT, Page};
use crate::protocol::fetch;

/// Who a page is, for the proxy of its client.
#[derive(Clone)]
pub struct ProxyLogin {
    /// An address that the proxy itself replies to.
    pub hello: &'static str,
    pub user: &'static str,
    pub password: String,
}

impl Page {
    /// Where its browser runs, for people, if not on this machine.
    pub fn browser_place(&self) -> Option<&str> {
        self.session.place()
    }

    /// Goes to an address that the proxy itself replies to, answers its challenge, and comes back to an empty page. The browser keeps
    /// the password for all pages and workers of the context: from then on it shows it with every connection, and nothing stops any more.
    pub async fn log_in_at_proxy(&self, login: &ProxyLogin) -> Result<(), WorldError> {
        self.events.state().proxy_login = Some(login.clone());
        let patterns = vec![fetch::Pattern { url_pattern: "*" }];
        self.call(fetch::Enable { patterns, handle_auth_requests: true }).await?;
        self.begin_loading();
        let greeted = self.navigate_until(login.hello, Instant::now() + LOAD_LIMIT).await;
        self.call(fetch::Disable {}).await?;
        greeted?;
        self.navigate("about:blank").await?;
        self.end_loading();
        Ok(())
    }
}

impl PageEvents {
    /// A password that is refused is not shown twice.
    pub(super) fn challenged(&self, challenge: &fetch::AuthRequired) {
        let is_proxy = challenge.auth_challenge.source.as_deref() == Some("Proxy");
        let login = if is_proxy { self.state().proxy_login.take() } else { None };
        let auth_challenge_response = match &login {
            Some(ProxyLogin { user, password, .. }) => fetch::AuthChallengeResponse {
                response: "ProvideCredentials",
                username: Some(user),
                password: Some(password),
            },
            None => fetch::AuthChallengeResponse { response: "CancelAuth", username: None, password: None },
        };
        if let Some(session) = self.session() {
            let request_id = &challenge.request_id;
            drop(session.send(fetch::ContinueWithAuth { request_id, auth_challenge_response }));
        }
    }
}
