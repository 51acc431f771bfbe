//! HAR files, mutated: each is read or refused.

use serde_json::json;

#[test]
fn captures() {
    let entry = |method: &str, url: &str, answer: &str| {
        json!({
            "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1,
            "request": {"method": method, "url": url, "httpVersion": "HTTP/1.1", "headers": [{"name": "A", "value": "b"}],
                "queryString": [{"name": "q", "value": "1"}], "cookies": [], "headersSize": -1, "bodySize": -1,
                "postData": {"mimeType": "application/json", "text": "{\"a\": 1}"}},
            "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [],
                "content": {"size": 2, "mimeType": "application/json", "text": answer, "encoding": "base64"},
                "redirectURL": "", "headersSize": -1, "bodySize": -1},
            "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0},
            "_webSocketMessages": [{"type": "send", "time": 1.5, "opcode": 1, "data": "x"}]
        })
    };
    let entries = [entry("GET", "http://h/a?q=1", "e30="), entry("POST", "http://h/a/2", "W10=")];
    let sample =
        json!({"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": entries}}).to_string();
    let read = |bytes: &[u8]| colobus_learn::har::read(bytes).ok();
    assert!(read(sample.as_bytes()).is_some(), "the sample is a HAR file");
    colobus_mutate::each(&[sample.as_bytes()], |input| drop(read(input)));
}
