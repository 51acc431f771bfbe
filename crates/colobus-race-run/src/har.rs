//! [`har_of`]: what the servers of a recorded page answered, as a HAR file. Written beside each finding, whose orders get these answers.

use std::time::Duration;

use colobus_har::{
    Body, Capture, ClientTraffic, Exchange, ExchangeId, Header, Moment, Redaction, Request, Responder, Response,
    Timings, har,
};
use colobus_race::recorded::{RecordedAnswer, RecordedPage};

/// The one user of the page.
const CLIENT: &str = "A";
/// Requests and responses were seen in the browser, which does not say it.
const VERSION: &str = "HTTP/1.1";

/// The text of the file. Moments count from 1970, because the page has a clock of its own, and requests follow each other in the
/// order of their answers. What a request sent is not kept by a recording, and what sockets and streams brought is not in it.
pub fn har_of(recorded: &RecordedPage) -> String {
    let mut started = Duration::ZERO;
    let mut exchanges = Vec::new();
    for (index, answer) in recorded.answers.iter().enumerate() {
        exchanges.push(exchange(index, answer, started));
        started += Duration::from_millis(answer.latency.max(1));
    }
    let capture = Capture { exchanges, ..Capture::default() };
    let client = ClientTraffic { name: CLIENT, capture: &capture };
    har(&[client], &Redaction::standard(), env!("CARGO_PKG_VERSION"))
}

fn exchange(index: usize, answer: &RecordedAnswer, started: Duration) -> Exchange {
    let latency = Duration::from_millis(answer.latency);
    let headers = answer.headers.iter().map(|(name, value)| Header::new(name, value)).collect();
    let transferred = answer.body.len() as u64;
    let body = Body { content: answer.body.clone(), transferred, ..Body::default() };
    let version = VERSION.to_string();
    Exchange {
        id: ExchangeId(index as u64),
        started: Moment(started),
        request: Request {
            method: answer.method.clone(),
            url: answer.url.clone(),
            version: version.clone(),
            ..Request::default()
        },
        response: Some(Response { status: answer.status, version, headers, body, ..Response::default() }),
        responder: Responder::Server,
        failure: None,
        timings: Timings { sent: Some(Duration::ZERO), responded: Some(latency), delivered: Some(latency) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::Viewport;
    use colobus_race::model::Execution;
    use serde_json::Value;

    #[test]
    fn answers_are_entries_and_cookies_are_left_out() {
        let answer = |url: &str, latency, headers: &[(&str, &str)], body: &str| RecordedAnswer {
            method: "GET".into(),
            url: url.into(),
            sent: 0,
            status: 200,
            headers: headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            body: body.as_bytes().to_vec(),
            latency,
        };
        let recorded = RecordedPage {
            url: "http://h/".into(),
            viewport: Viewport { width: 1, height: 1 },
            seed: 1,
            steps: Vec::new(),
            answers: vec![
                answer("http://h/", 20, &[("Content-Type", "text/html"), ("Set-Cookie", "id=1234567890abcdef")], "<p>"),
                answer("http://h/data", 5, &[("Content-Type", "application/json")], "[1]"),
            ],
            messages: Vec::new(),
            execution: Execution::default(),
            is_settled: true,
            live: false,
            invariants: Vec::new(),
        };
        let text = har_of(&recorded);
        assert!(!text.contains("1234567890abcdef"), "{text}");
        let har: Value = serde_json::from_str(&text).unwrap();
        let entries = har["log"]["entries"].as_array().unwrap();
        let told = |entry: &Value| (entry["request"]["url"].clone(), entry["response"]["content"]["text"].clone());
        assert_eq!(told(&entries[0]), ("http://h/".into(), "<p>".into()));
        assert_eq!(told(&entries[1]), ("http://h/data".into(), "[1]".into()));
        assert_eq!(entries.len(), 2);
    }
}
