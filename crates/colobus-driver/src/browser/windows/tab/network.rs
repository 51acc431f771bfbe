//! Requests of a tab: what is on its way, what failed, and what is kept back so that somebody can act before it arrives.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::{State, Tab};
use colobus_world::ProblemKind;
use colobus_world::WorldError;

/// How long a request that was let through may take until the next one is.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(2);

/// What the browser calls requests of page code.
const DATA: [&str; 4] = ["XHR", "Fetch", "EventSource", "Ping"];

/// Requests that were made since somebody wants to act before they are answered, the oldest first.
pub(super) struct Hold {
    /// Whether code and all the rest is kept back as well, and not only data.
    code: bool,
    /// The document that was there when it began.
    before: Option<String>,
    requests: VecDeque<HeldRequest>,
}

struct HeldRequest {
    /// For the one who lets it through.
    id: Value,
    /// As everything else about it is called.
    request: String,
}

impl Tab {
    /// From now on no data arrives that the page asks for, and no `code` either; a new document of the tab does.
    pub async fn hold(&self, code: bool) -> Result<(), WorldError> {
        let before = self.document();
        self.state().hold = Some(Hold { code, before, requests: VecDeque::new() });
        self.call("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })).await.map(|_| ())
    }

    /// Whether it has gone where it wanted to, as far as requests are let through.
    pub fn has_arrived(&self) -> bool {
        let state = self.state();
        match &state.hold {
            Some(hold) => state.document != hold.before && is_complete(&state),
            None => is_complete(&state),
        }
    }

    /// Whether it is loaded, or will not be before its code is let through.
    pub fn is_as_loaded_as_it_gets(&self) -> bool {
        is_complete(&self.state())
    }

    pub fn is_holding(&self) -> bool {
        self.state().hold.is_some()
    }

    /// Whether something was asked for that is kept back.
    pub fn holds_something(&self) -> bool {
        self.state().hold.as_ref().is_some_and(|hold| !hold.requests.is_empty())
    }

    /// Lets the oldest request through and waits for its answer; false if there is none.
    pub async fn let_one_through(&self) -> bool {
        let oldest = self.state().hold.as_mut().and_then(|hold| hold.requests.pop_front());
        let Some(HeldRequest { id, request }) = oldest else { return false };
        drop(self.session().send("Fetch.continueRequest", json!({ "requestId": id })));
        self.arrived(&request).await;
        true
    }

    pub async fn let_all_through(&self) -> Result<(), WorldError> {
        let Some(hold) = self.state().hold.take() else { return Ok(()) };
        for held in hold.requests {
            drop(self.session().send("Fetch.continueRequest", json!({ "requestId": held.id })));
        }
        self.call("Fetch.disable", json!({})).await.map(|_| ())
    }

    /// Returns when the answer to the tab's own document is complete.
    pub async fn document_arrived(&self) {
        if let Some(document) = self.document() {
            self.arrived(&document).await;
        }
    }

    async fn arrived(&self, request: &str) {
        let Some(shared) = self.shared.upgrade() else { return };
        let done = shared.until(|_| (self.is_closed() || !self.state().requests.contains_key(request)).then_some(()));
        // A stream never ends; it has had its time.
        let _ = timeout(ARRIVAL_LIMIT, done).await;
    }

    pub(super) fn paused(&self, params: &Value) {
        let id = params["requestId"].clone();
        let mut state = self.state();
        // The main frame is called like the tab.
        let is_document = params["resourceType"] == "Document" && params["frameId"] == self.target.as_str();
        let is_data = DATA.iter().any(|kind| params["resourceType"] == *kind);
        match &mut state.hold {
            Some(hold) if is_data || hold.code && !is_document => {
                let request = params["networkId"].as_str().unwrap_or_default().to_string();
                hold.requests.push_back(HeldRequest { id, request });
            }
            _ => drop(self.session().send("Fetch.continueRequest", json!({ "requestId": id }))),
        }
    }

    pub(super) fn network(&self, method: &str, params: &Value) {
        let id = params["requestId"].as_str().unwrap_or_default().to_string();
        self.state().movement += 1;
        match method {
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap_or_default().to_string();
                let mut state = self.state();
                state.streams |= params["type"] == "EventSource";
                state.requests.insert(id, url);
            }
            "Network.webSocketCreated" => self.state().streams = true,
            "Network.responseReceived" => {
                let status = params["response"]["status"].as_u64().unwrap_or_default();
                if status >= 400 {
                    let url = params["response"]["url"].as_str().unwrap_or_default();
                    self.problem(ProblemKind::FailedRequest, &format!("{url} answered with status {status}"));
                }
            }
            "Network.loadingFinished" => {
                self.state().requests.remove(&id);
            }
            "Network.loadingFailed" => {
                let url = self.state().requests.remove(&id);
                if params["canceled"] != true {
                    let why = params["errorText"].as_str().unwrap_or_default();
                    self.problem(ProblemKind::FailedRequest, &format!("{} failed: {why}", url.unwrap_or_default()));
                }
            }
            _ => {}
        }
    }
}

/// Whether a tab is loaded, as far as it can be without what is kept back.
fn is_complete(state: &State) -> bool {
    let lacks_code = state.hold.as_ref().is_some_and(|hold| hold.code);
    lacks_code || !state.departing && state.document == state.loaded
}
