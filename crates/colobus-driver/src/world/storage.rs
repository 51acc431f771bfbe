//! What a page keeps in its browser: cookies, local and session storage, databases, caches, service workers. A client that
//! comes to a fresh document starts without any of it, as a user with a new browser does, but for what its login left.

use colobus_browser::{Evaluated, LOAD_LIMIT, scripts};
use colobus_model::{ClientId, UrlParts};
use serde_json::Value;
use tokio::time::Instant;

use super::client::Client;
use super::visit::BLANK;
use colobus_world::WorldError;

impl Client {
    /// Empties what earlier documents kept. Leaving the present document first costs a navigation, so that is done only if it
    /// kept something: a page can write until its end.
    pub(super) async fn empty_storage(&self, client: ClientId, url: &str) -> Result<(), WorldError> {
        let (keeps, cookies) = tokio::join!(self.keeps_something(), self.has_cookies());
        if keeps || cookies { self.leave_and_empty(client, url).await } else { self.log_in(client).await }
    }

    /// Gives the client the cookies of its login. Its local storage comes with the document.
    async fn log_in(&self, client: ClientId) -> Result<(), WorldError> {
        match self.logins.of_client(client) {
            Some(login) if !login.cookies.is_empty() => self.context.set_cookies(&login.cookies).await,
            _ => Ok(()),
        }
    }

    pub(super) async fn leave_and_empty(&self, client: ClientId, url: &str) -> Result<(), WorldError> {
        if !self.is_blank() {
            // Session storage belongs to the tab, and can be reached from a page of its origin only.
            let _ = self.page.evaluate("globalThis.sessionStorage?.clear()", self.page.limit()).await;
            self.page.begin_loading();
            self.page.navigate_until(BLANK, Instant::now() + LOAD_LIMIT).await?;
        }
        if let Some(parts) = UrlParts::of(url) {
            self.page.empty_origin(parts.origin()).await?;
        }
        self.log_in(client).await
    }

    /// What cannot be asked may keep anything.
    async fn keeps_something(&self) -> bool {
        if self.is_blank() {
            return false;
        }
        let asked = self.page.evaluate(&scripts::call("leftovers.somethingNow", &[]), self.page.limit()).await;
        !matches!(asked, Ok(Evaluated::Value(Value::Bool(false))))
    }

    async fn has_cookies(&self) -> bool {
        self.context.has_cookies().await.unwrap_or(true)
    }
}
