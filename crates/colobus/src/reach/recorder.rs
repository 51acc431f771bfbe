//! What a server answers to requests that change something, seen on a page as users have it. Asked by crawling, which lets no request
//! of a handler leave.

use std::sync::{Arc, OnceLock};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use colobus_driver::{AnswerRecorder, BrowserExplorer, ExplorerOptions, RecordedAnswer};
use colobus_world::{ExplorablePage, PageRun, WorldError};
use serde::Deserialize;

use super::plain_page::performed;

/// Performs steps in a browser of its own, and reads its traffic.
pub fn recorder(options: ExplorerOptions) -> AnswerRecorder {
    Box::new(move |steps, events| {
        let known = Arc::new(OnceLock::from(events.clone()));
        let steps = performed(&known, steps).map_err(WorldError::Interrupted)?;
        // Opened for each: crawling has a browser already, and a Grid may have no place for two all the time.
        let mut explorer = BrowserExplorer::open(options.clone())?;
        let recorded = explorer.run_recorded(&PageRun { steps, ..PageRun::default() })?;
        answers(&recorded.har).map_err(|error| WorldError::Interrupted(error.to_string()))
    })
}

#[derive(Deserialize)]
struct Har {
    log: Log,
}

#[derive(Deserialize)]
struct Log {
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    request: Request,
    response: Response,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    method: String,
    url: String,
    post_data: Option<Content>,
}

#[derive(Deserialize)]
struct Response {
    status: u16,
    headers: Vec<Header>,
    content: Content,
}

#[derive(Deserialize)]
struct Header {
    name: String,
    value: String,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    text: String,
    #[serde(default)]
    encoding: Option<String>,
}

/// Headers that describe the bytes as they were sent.
const LEFT_OUT: [&str; 3] = ["content-encoding", "content-length", "transfer-encoding"];

fn answers(har: &str) -> serde_json::Result<Vec<RecordedAnswer>> {
    let Har { log } = serde_json::from_str(har)?;
    let answer = |Entry { request, response }: Entry| {
        let Content { text, encoding } = response.content;
        let decoded = encoding.is_some_and(|it| it == "base64").then(|| BASE64.decode(&text).ok()).flatten();
        let headers = response.headers.into_iter().map(|it| (it.name, it.value));
        let headers = headers.filter(|(name, _)| !LEFT_OUT.iter().any(|other| name.eq_ignore_ascii_case(other)));
        RecordedAnswer {
            method: request.method,
            url: request.url,
            sent: request.post_data.map(|it| it.text).unwrap_or_default(),
            status: response.status,
            headers: headers.collect(),
            body: decoded.unwrap_or_else(|| text.into_bytes()),
        }
    };
    // A status of 0 is no answer.
    Ok(log.entries.into_iter().map(answer).filter(|it| it.status >= 200).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_with_what_was_sent() {
        let har = r#"{"log": {"entries": [
            {"request": {"method": "POST", "url": "http://h/items", "postData": {"mimeType": "", "text": "{\"a\":1}"}},
             "response": {"status": 201, "headers": [{"name": "Content-Length", "value": "2"}, {"name": "X", "value": "y"}],
                          "content": {"size": 2, "text": "b2s=", "encoding": "base64"}}},
            {"request": {"method": "GET", "url": "http://h/"}, "response": {"status": 0, "headers": [], "content": {}}}]}}"#;
        let found = answers(har).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].sent.as_str(), found[0].status, &found[0].body[..]), ("{\"a\":1}", 201, &b"ok"[..]));
        assert_eq!(found[0].headers, [("X".to_string(), "y".to_string())]);
    }
}
