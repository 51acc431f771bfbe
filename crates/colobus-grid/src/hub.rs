//! [`Hub`]: the address of a Selenium Grid, and the part of the W3C WebDriver protocol that opening and ending sessions takes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use colobus_model::UrlParts;
use serde::Deserialize;
use serde_json::Value;
use tracing::debug;
use ureq::Agent;
use ureq::http::{Response, StatusCode};

use crate::{Credentials, GridError, GridSession, HubStatus, lost_answers, tls, wanted};

/// How long a hub may take to say what it has.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);
/// How long a node may take to end a browser. A busy one takes its time, and a session that is not ended keeps its place.
const END_LIMIT: Duration = Duration::from_secs(60);
/// How long a hub may keep a new session in its queue. Its own limit is five minutes unless its owner says otherwise.
const QUEUE_LIMIT: Duration = Duration::from_secs(330);
/// What the hub answers is short.
const LARGEST_ANSWER: u64 = 16 << 20;
/// What a gateway answers for a hub that it does not reach, or that does not answer in time.
const GATEWAY: [StatusCode; 3] =
    [StatusCode::BAD_GATEWAY, StatusCode::SERVICE_UNAVAILABLE, StatusCode::GATEWAY_TIMEOUT];
/// The hub refuses other ways to write it.
const JSON: &str = "application/json; charset=utf-8";

#[derive(Clone, Debug)]
pub struct Hub {
    url: String,
    credentials: Option<Credentials>,
    agent: Agent,
    /// Whether it has opened a session, or has probably done so and its answer was lost.
    pub(crate) has_opened: Arc<AtomicBool>,
}

impl Hub {
    pub fn new(url: &str, credentials: Option<Credentials>) -> Result<Hub, GridError> {
        let address = || GridError::Address(url.to_string());
        let parts = UrlParts::of(url).filter(|parts| ["http", "https"].contains(&parts.scheme)).ok_or_else(address)?;
        let host = parts.authority;
        // The old address ended with `wd/hub`, and people still write it.
        if host.contains('@') {
            return Err(GridError::PasswordInAddress);
        }
        if host.is_empty() || !["", "wd/hub"].contains(&parts.rest.trim_matches('/')) {
            return Err(address());
        }
        let mut config = Agent::config_builder().http_status_as_error(false).proxy(None);
        if parts.scheme == "https" {
            config = config.tls_config(tls::trusting_the_system());
        }
        let url = format!("{}://{host}", parts.scheme);
        Ok(Hub { url, credentials, agent: Agent::new_with_config(config.build()), has_opened: Arc::default() })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn status(&self) -> Result<HubStatus, GridError> {
        let request = self.agent.get(format!("{}/status", self.url));
        let request = self.authorized(request).config().timeout_global(Some(ANSWER_LIMIT)).build();
        let (_, value) = self.read(request.call())?;
        serde_json::from_value(value).map_err(|error| self.garbage(&error))
    }

    /// What the hub has, if any of it can be used. A Grid without nodes may start some when it is asked.
    pub fn usable(&self) -> Result<HubStatus, GridError> {
        let status = self.status()?;
        status.ensure_usable(&self.url)?;
        Ok(status)
    }

    /// Waits for a free place, and starts a browser with these arguments there.
    pub(crate) fn ask(&self, arguments: &[String]) -> Result<GridSession, GridError> {
        let name = lost_answers::session_name();
        // A hub that is away says so when it is asked for the session.
        let browsers = self.status().map(|status| status.browsers_with_devtools()).unwrap_or_default();
        let capabilities = wanted::capabilities(&name, &browsers, arguments);
        let request = self.agent.post(format!("{}/session", self.url)).header("Content-Type", JSON);
        let request = self.authorized(request).config().timeout_global(Some(QUEUE_LIMIT)).build();
        let answered = self.read(request.send(capabilities.to_string()));
        let (status, value) = answered.inspect_err(|error| self.give_back_if_opened(name, error))?;
        if status != StatusCode::OK {
            let problem = refusal(&value);
            return Err(GridError::NoSession { url: self.url.clone(), problem });
        }
        let created: Created = serde_json::from_value(value).map_err(|error| self.garbage(&error))?;
        let Capabilities { devtools, browser_version } = created.capabilities;
        let node =
            self.status().ok().and_then(|status| status.node_of(&created.session_id).map(|node| node.uri.clone()));
        debug!(target: "grid", session = created.session_id, node, "opened");
        let endpoint = devtools.as_deref().map(|address| self.endpoint(address)).unwrap_or_default();
        let version = browser_version.unwrap_or_default();
        let session = GridSession::new(self.clone(), created.session_id, endpoint, version, node.clone());
        match devtools {
            Some(_) => Ok(session),
            None => Err(GridError::NoDevTools { url: self.url.clone(), node }),
        }
    }

    /// A session's DevTools are reached through the hub. Hubs in containers name themselves by an address that only they know.
    fn endpoint(&self, devtools: &str) -> String {
        let path = UrlParts::of(devtools).map_or("", |parts| parts.rest);
        // `http` becomes `ws`, and `https` becomes `wss`.
        format!("{}{path}", self.url.replacen("http", "ws", 1))
    }

    pub(crate) fn delete_session(&self, id: &str) -> Result<(), GridError> {
        let request = self.authorized(self.agent.delete(format!("{}/session/{id}", self.url)));
        let request = request.config().timeout_global(Some(END_LIMIT)).build();
        self.read(request.call()).map(|_| ())
    }

    /// The header that DevTools connections through the hub need as well.
    pub fn authorization(&self) -> Option<&str> {
        self.credentials.as_ref().map(Credentials::header)
    }

    fn authorized<Body>(&self, request: ureq::RequestBuilder<Body>) -> ureq::RequestBuilder<Body> {
        match self.authorization() {
            Some(header) => request.header("Authorization", header),
            None => request,
        }
    }

    /// The status of an answer, and the `value` in it.
    fn read(&self, answer: Result<Response<ureq::Body>, ureq::Error>) -> Result<(StatusCode, Value), GridError> {
        let unreachable =
            |error: ureq::Error| GridError::Unreachable { url: self.url.clone(), problem: error.to_string() };
        let mut answer = answer.map_err(unreachable)?;
        let status = answer.status();
        if status == StatusCode::UNAUTHORIZED || status == StatusCode::FORBIDDEN {
            let url = self.url.clone();
            return Err(match self.credentials {
                Some(_) => GridError::Refused { url },
                None => GridError::Unauthorized { url },
            });
        }
        let text = answer.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string().map_err(unreachable)?;
        let answered: Answer = match serde_json::from_str(&text) {
            // What stands before the hub answers in its place while the hub is away.
            Err(_) if GATEWAY.contains(&status) => {
                let problem = format!("what stands before the hub answers {status}");
                return Err(GridError::Unreachable { url: self.url.clone(), problem });
            }
            answered => answered.map_err(|error| self.garbage(&error))?,
        };
        Ok((status, answered.value))
    }

    fn garbage(&self, error: &serde_json::Error) -> GridError {
        GridError::Garbage { url: self.url.clone(), problem: error.to_string() }
    }
}

/// What a refusal says, in one line.
fn refusal(value: &Value) -> String {
    let message = value["message"].as_str().or(value["error"].as_str()).unwrap_or("it does not say why");
    message.lines().next().unwrap_or_default().trim().to_string()
}

#[derive(Deserialize)]
struct Answer {
    value: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    session_id: String,
    capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Capabilities {
    #[serde(rename = "se:cdp")]
    devtools: Option<String>,
    browser_version: Option<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_of_hubs() {
        for (written, means) in [
            ("http://hub:4444", "http://hub:4444"),
            ("http://hub:4444/", "http://hub:4444"),
            ("http://127.0.0.1:4444/wd/hub", "http://127.0.0.1:4444"),
            ("https://grid.example/", "https://grid.example"),
        ] {
            assert_eq!(Hub::new(written, None).unwrap().url(), means);
        }
        for wrong in ["hub:4444", "http://", "ws://hub", "http://hub/session"] {
            assert!(matches!(Hub::new(wrong, None), Err(GridError::Address(_))), "{wrong}");
        }
        let refused = Hub::new("http://name:word@hub", None).unwrap_err().to_string();
        assert!(refused.contains("COLOBUS_GRID_USER") && !refused.contains("word@"), "{refused}");
    }

    #[test]
    fn devtools_are_reached_through_the_hub() {
        let hub = Hub::new("http://grid.example:4444", None).unwrap();
        assert_eq!(hub.endpoint("ws://172.17.0.2:4444/session/a1/se/cdp"), "ws://grid.example:4444/session/a1/se/cdp");
        let hub = Hub::new("https://grid.example", None).unwrap();
        assert_eq!(hub.endpoint("ws://172.17.0.2:4444/session/a1/se/cdp"), "wss://grid.example/session/a1/se/cdp");
    }

    #[test]
    fn refusals_are_one_line() {
        let value =
            json!({ "error": "session not created", "message": "Could not start a new session.\nHost info: x" });
        assert_eq!(refusal(&value), "Could not start a new session.");
        assert_eq!(refusal(&json!({})), "it does not say why");
    }
}
