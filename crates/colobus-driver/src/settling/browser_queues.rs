//! Requests that a browser keeps back by rules of its own until others are answered. While those answers are held, waiting for such a
//! request at the proxy would be in vain: it is held, too. Asked by [`quiesce`](super::quiesce) and the barrier.

use colobus_model::UrlParts;
use colobus_proxy::RequestInfo;

use super::page_activity::{PageActivity, PageRequest};
use crate::world::Client;

/// How many connections a browser has at most to one server, ...
const CONNECTIONS_TO_A_SERVER: usize = 6;
/// ... and to one proxy.
const CONNECTIONS_TO_A_PROXY: usize = 32;

impl PageActivity {
    /// The requests that are neither at the proxy nor answered, and do not wait inside the browser for the answer to one of `ahead`,
    /// which are at the proxy.
    pub fn missing_requests(&self, client: &Client, ahead: &[RequestInfo]) -> Vec<&PageRequest> {
        let stray = self.stray_requests(client);
        let is_missing = |request: &&&PageRequest| {
            // An answer has left the proxy and is not in the page yet: that may be the one.
            let is_under_way = client.proxy.ended(&request.url) > request.equals_answered;
            is_under_way || !waits(request, self.expected(), &stray, ahead)
        };
        stray.iter().filter(is_missing).copied().collect()
    }
}

/// Whether a request that is not at the proxy waits for the answer to one of `ahead`, which are there.
fn waits<'a>(
    request: &PageRequest,
    expected: impl Iterator<Item = &'a PageRequest>,
    stray: &[&PageRequest],
    ahead: &[RequestInfo],
) -> bool {
    let server = |url: &str| UrlParts::of(&UrlParts::without_default_port(url)).map(|parts| parts.origin().to_string());
    let to_server = ahead.iter().filter(|other| server(&other.url) == server(&request.url)).count();
    if to_server >= CONNECTIONS_TO_A_SERVER || ahead.len() >= CONNECTIONS_TO_A_PROXY {
        return true;
    }
    // Requests that a cache may answer go one after the other if they are equal. Which of the equal ones are at the proxy is not known: one
    // that goes past the cache may still be on its way, unless so many are missing that all that are left can wait.
    let equal = |other: &PageRequest| other.method == request.method && other.url == request.url;
    let stray_equals = stray.iter().filter(|other| equal(other)).count();
    let is_ahead = |other: &RequestInfo| {
        other.method == request.method
            && UrlParts::without_default_port(&other.url) == UrlParts::without_default_port(&request.url)
    };
    ahead.iter().any(is_ahead) && expected.filter(|other| other.after_equal && equal(other)).count() > stray_equals
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use colobus_proxy::ConnectionId;
    use serde_json::json;

    fn request(url: &str, after_equal: bool) -> PageRequest {
        serde_json::from_value(
            json!({ "method": "GET", "url": url, "age_ms": 500, "after_equal": after_equal, "equals_answered": 0 }),
        )
        .unwrap()
    }

    fn at_proxy(method: &str, url: &str) -> RequestInfo {
        RequestInfo {
            id: ConnectionId(1),
            method: method.into(),
            url: url.into(),
            asked_for: None,
            age: Duration::ZERO,
            streams: false,
            sent: true,
        }
    }

    /// Whether the last of these requests of a page waits, if the last `stray` of them are not at the proxy.
    fn last_waits(requests: &[PageRequest], stray: usize, ahead: &[RequestInfo]) -> bool {
        let stray: Vec<&PageRequest> = requests[requests.len() - stray..].iter().collect();
        waits(requests.last().unwrap(), requests.iter(), &stray, ahead)
    }

    #[test]
    fn equal_requests_go_one_after_the_other_unless_they_go_past_the_cache() {
        let list = |after_equal| request("http://h/list", after_equal);
        let ahead = [at_proxy("GET", "http://h:80/list")];
        assert!(last_waits(&[list(true), list(true)], 1, &ahead));
        assert!(last_waits(&[list(true), list(true), list(true)], 2, &ahead));
        assert!(!last_waits(&[list(true), list(false)], 1, &ahead), "it goes past the cache");
        assert!(!last_waits(&[list(false), list(true)], 1, &ahead), "the other one went past it");
        assert!(!last_waits(&[list(true), list(true), list(false)], 2, &ahead), "one of them is on its way");
        assert!(last_waits(&[list(true), list(true), list(false)], 1, &ahead), "it has arrived");
        assert!(!last_waits(&[list(true), request("http://h/other", true)], 1, &ahead));
        assert!(!last_waits(&[list(true), list(true)], 1, &[at_proxy("POST", "http://h/list")]));
        assert!(!last_waits(&[list(true), list(true)], 1, &[]), "nothing is held");
    }

    #[test]
    fn a_request_waits_for_a_connection_where_all_are_in_use() {
        let requests = [request("http://h/list", false)];
        let ahead: Vec<RequestInfo> = (0..6).map(|number| at_proxy("POST", &format!("http://h:80/{number}"))).collect();
        assert!(last_waits(&requests, 1, &ahead));
        assert!(!last_waits(&requests, 1, &ahead[1..]));
        let elsewhere: Vec<RequestInfo> =
            (0..31).map(|number| at_proxy("GET", &format!("http://h{number}/"))).collect();
        assert!(!last_waits(&requests, 1, &elsewhere));
        assert!(last_waits(&requests, 1, &[elsewhere, ahead].concat()));
    }
}
