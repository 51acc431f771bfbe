//! What a page keeps in its browser: cookies, local and session storage, databases, caches, service workers. A client that
//! comes to a fresh document starts without any of it, as a user with a new browser does.

use serde_json::{Value, json};
use tokio::time::Instant;

use super::client::{Client, Evaluated};
use super::load::{BLANK, LOAD_LIMIT};
use super::scripts;
use colobus_world::WorldError;

/// Everything but the HTTP cache, which only saves time.
const KINDS: &str = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage,storage_buckets";

impl Client {
    /// Empties what earlier documents kept. Leaving the present document first costs a navigation, so that is done only if it
    /// kept something: a page can write until its end.
    pub(super) async fn empty_storage(&self, url: &str) -> Result<(), WorldError> {
        let (keeps, cookies) = tokio::join!(self.keeps_something(), self.has_cookies());
        if keeps || cookies { self.leave_and_empty(url).await } else { Ok(()) }
    }

    /// Whether the document found something that another one left behind in its last moment.
    pub(super) async fn found_leftovers(&self) -> Result<bool, WorldError> {
        let found = self.evaluate(&scripts::value("kept.atStart"), self.limit()).await?;
        Ok(matches!(found, Evaluated::Value(Value::Bool(true))))
    }

    pub(super) async fn leave_and_empty(&self, url: &str) -> Result<(), WorldError> {
        if !self.is_parked() {
            // Session storage belongs to the tab, and can be reached from a page of its origin only.
            let _ = self.evaluate("globalThis.sessionStorage?.clear()", self.limit()).await;
            self.record.begin_loading();
            self.navigate(BLANK, Instant::now() + LOAD_LIMIT).await?;
        }
        let Some(origin) = origin(url) else { return Ok(()) };
        let empty = json!({ "origin": origin, "storageTypes": KINDS });
        self.call("Storage.clearDataForOrigin", empty).await.map(|_| ())
    }

    /// What cannot be asked may keep anything.
    async fn keeps_something(&self) -> bool {
        if self.is_parked() {
            return false;
        }
        let asked = self.evaluate(&scripts::call("kept.somethingNow", &[]), self.limit()).await;
        !matches!(asked, Ok(Evaluated::Value(Value::Bool(false))))
    }

    async fn has_cookies(&self) -> bool {
        match self.cookies().await {
            Ok(answer) => answer["cookies"].as_array().is_none_or(|cookies| !cookies.is_empty()),
            Err(_) => true,
        }
    }
}

fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |path| host + path);
    Some(&url[..end])
}

#[cfg(test)]
mod tests {
    use super::origin;

    #[test]
    fn an_origin_ends_where_the_path_begins() {
        assert_eq!(origin("http://127.0.0.1:80/a/b?c#d"), Some("http://127.0.0.1:80"));
        assert_eq!(origin("https://example.test?doc=x"), Some("https://example.test"));
        assert_eq!(origin("http://localhost:8080"), Some("http://localhost:8080"));
        assert_eq!(origin("about:blank"), None);
    }
}
