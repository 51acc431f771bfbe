use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Event, EventSink, ProtocolError, Session, browser, page, runtime, target};
use crate::transport::{Messages, Transport};

/// A browser that says what the test wants.
struct Scripted {
    heard: mpsc::UnboundedSender<String>,
    says: mpsc::UnboundedReceiver<String>,
}

impl Transport for Scripted {
    fn start(self) -> Messages {
        Messages { outgoing: self.heard, incoming: self.says }
    }
}

struct Browser {
    session: Session,
    hears: mpsc::UnboundedReceiver<String>,
    says: mpsc::UnboundedSender<String>,
}

impl Browser {
    fn new() -> Browser {
        let (heard, hears) = mpsc::unbounded_channel();
        let (says, said) = mpsc::unbounded_channel();
        Browser { session: Session::connect(Scripted { heard, says: said }), hears, says }
    }

    async fn next(&mut self) -> Value {
        serde_json::from_str(&self.hears.recv().await.unwrap()).unwrap()
    }

    fn say(&self, message: Value) {
        self.says.send(message.to_string()).unwrap();
    }
}

#[derive(Default)]
struct Sink {
    seen: Mutex<Vec<String>>,
}

impl EventSink for Sink {
    fn event(&self, event: &Event) {
        self.seen.lock().unwrap().push(format!("{event:?}"));
    }

    fn malformed(&self, error: ProtocolError) {
        self.seen.lock().unwrap().push(error.to_string());
    }

    fn ended(&self) {
        self.seen.lock().unwrap().push("ended".to_string());
    }
}

#[tokio::test]
async fn parameters_that_are_left_out_are_not_sent() {
    let mut browser = Browser::new();
    let reply = browser.session.sibling("S").send(runtime::Evaluate::handle("1", None));
    let sent = browser.next().await;
    assert_eq!(sent["sessionId"], "S");
    assert_eq!(
        sent["params"],
        json!({ "expression": "1", "awaitPromise": false, "returnByValue": false, "userGesture": false })
    );
    browser
        .say(json!({ "id": sent["id"], "sessionId": "S", "result": { "result": { "type": "number", "value": 1 } } }));
    assert_eq!(reply.done().await.unwrap().result.value, Some(json!(1)));
}

#[tokio::test]
async fn a_reply_that_lacks_a_field_names_method_and_field() {
    let mut browser = Browser::new();
    let reply = browser.session.send(browser_version());
    let id = browser.next().await["id"].clone();
    browser.say(json!({ "id": id, "result": { "protocolVersion": "1.3" } }));
    let error = reply.done().await.unwrap_err().to_string();
    assert!(error.contains("Browser.getVersion") && error.contains("`product`"), "{error}");
}

fn browser_version() -> browser::GetVersion {
    browser::GetVersion {}
}

#[tokio::test]
async fn a_refusal_is_told_with_its_reason() {
    let mut browser = Browser::new();
    let reply = browser.session.send(page::Navigate { url: "x" });
    let id = browser.next().await["id"].clone();
    browser.say(json!({ "id": id, "error": { "code": -32000, "message": "Cannot navigate to invalid URL" } }));
    let error = reply.done().await.unwrap_err().to_string();
    assert_eq!(error, "the browser refused Page.navigate: Cannot navigate to invalid URL");
}

#[tokio::test]
async fn events_come_before_later_answers_and_bad_ones_are_named() {
    let mut browser = Browser::new();
    let sink = Arc::new(Sink::default());
    browser.session.listen(sink.clone());
    let reply = browser.session.send(target::SetDiscoverTargets { discover: true });
    let id = browser.next().await["id"].clone();
    browser.say(json!({ "method": "Page.windowOpen", "params": { "url": "u", "windowName": "" } }));
    browser.say(json!({ "method": "Page.windowOpen", "params": {} }));
    browser.say(json!({ "method": "Page.unknown", "params": {} }));
    browser.say(json!({ "id": id, "result": {} }));
    reply.done().await.unwrap();
    let seen = sink.seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(seen[0].contains("WindowOpen") && seen[0].contains("\"u\""), "{seen:?}");
    assert!(seen[1].contains("Page.windowOpen") && seen[1].contains("`url`"), "{seen:?}");
}

/// A page that cuts an emoji in two logs, shows and answers what Rust's strings cannot hold.
#[tokio::test]
async fn half_an_emoji_does_not_end_the_browser() {
    let mut browser = Browser::new();
    let sink = Arc::new(Sink::default());
    browser.session.listen(sink.clone());
    let reply = browser.session.send(target::SetDiscoverTargets { discover: true });
    let id = browser.next().await["id"].clone();
    let event = r#"{"method": "Page.windowOpen", "params": {"url": "\ud83d", "windowName": "\ud83d\ude00"}}"#;
    browser.says.send(event.to_string()).unwrap();
    browser.say(json!({ "id": id, "result": {} }));
    reply.done().await.unwrap();
    let seen = sink.seen.lock().unwrap().clone();
    assert!(seen.len() == 1 && seen[0].contains("WindowOpen") && seen[0].contains("(d83d)"), "{seen:?}");
}

#[tokio::test]
async fn a_browser_that_ends_completes_all_replies() {
    let Browser { session, hears: _hears, says } = Browser::new();
    let sink = Arc::new(Sink::default());
    session.listen(sink.clone());
    let reply = session.send(page::Enable {});
    drop(says);
    assert!(matches!(reply.done().await, Err(ProtocolError::Gone)));
    assert!(session.is_gone());
    assert_eq!(*sink.seen.lock().unwrap(), ["ended"]);
}

#[tokio::test]
async fn a_message_that_cannot_be_read_is_told_to_all_that_wait() {
    let mut browser = Browser::new();
    let sink = Arc::new(Sink::default());
    browser.session.listen(sink.clone());
    let reply = browser.session.send(browser::GetVersion {});
    browser.next().await;
    browser.says.send("{\"id\": 1, \"result\": {".to_string()).unwrap();
    let refused = reply.done().await.unwrap_err().to_string();
    assert!(refused.contains("its answer cannot be read: EOF"), "{refused}");
    assert_eq!(sink.seen.lock().unwrap().len(), 1);

    // A browser that cannot read a command does not know which one it was.
    let reply = browser.session.send(browser::GetVersion {});
    browser.next().await;
    browser.say(json!({ "error": { "code": -32700, "message": "JSON: invalid" } }));
    let refused = reply.done().await.unwrap_err().to_string();
    assert!(refused.contains("JSON: invalid"), "{refused}");
    assert_eq!(sink.seen.lock().unwrap().len(), 2);
}
