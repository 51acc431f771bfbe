//! [`Session`]: a thin client of the DevTools protocol with flattened sessions. A command is sent at once and answered
//! through its [`Reply`]; events go to the session's [`EventSink`] before any later answer is delivered, so that whoever
//! has an answer knows that all events before it have been seen.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::transport::Transport;

/// How long a command may take unless its caller says otherwise. Generous: it is there to end hangs, not slowness.
const COMMAND_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, thiserror::Error)]
pub enum ProtocolError {
    #[error("the browser is gone")]
    Gone,
    #[error("the browser refused {method}: {message}")]
    Refused { method: String, message: String },
    #[error("the browser did not answer {method} within {} ms", limit.as_millis())]
    TimedOut { method: String, limit: Duration },
}

/// Where the events of a session go. Called in the order of arrival; must not block.
pub trait EventSink: Send + Sync {
    fn event(&self, method: &str, params: &Value);

    /// The browser is gone: nothing comes any more.
    fn ended(&self);
}

/// The whole conversation with one browser.
struct Connection {
    outgoing: mpsc::UnboundedSender<String>,
    next_id: AtomicU64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    ended: bool,
    replies: HashMap<u64, Waiter>,
    sinks: HashMap<String, Arc<dyn EventSink>>,
}

/// Somebody who waits for an answer of a session.
struct Waiter {
    session: Option<Arc<str>>,
    answer: oneshot::Sender<Result<Value, String>>,
}

/// A way to talk to one target of the browser, or to the browser itself.
#[derive(Clone)]
pub struct Session {
    connection: Arc<Connection>,
    id: Option<Arc<str>>,
}

/// The answer to a command, still on its way.
pub struct Reply {
    method: String,
    answer: oneshot::Receiver<Result<Value, String>>,
}

#[derive(Deserialize)]
struct Message {
    id: Option<u64>,
    #[serde(default)]
    result: Value,
    error: Option<Refusal>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(rename = "sessionId")]
    session: Option<String>,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
}

impl Session {
    /// The session of the browser as a whole. Everything ends with the transport.
    pub fn connect(transport: Transport) -> Session {
        let Transport { outgoing, mut incoming } = transport;
        let connection =
            Arc::new(Connection { outgoing, next_id: AtomicU64::new(1), waiting: Mutex::new(Waiting::default()) });
        // Weak, so that dropping the last session closes the way to the browser, which ends the browser.
        let weak = Arc::downgrade(&connection);
        tokio::spawn(async move {
            while let Some(text) = incoming.recv().await {
                let Some(connection) = weak.upgrade() else { return };
                connection.dispatch(&text);
            }
            if let Some(connection) = weak.upgrade() {
                connection.end();
            }
        });
        Session { connection, id: None }
    }

    /// Events of the browser as a whole go to `sink`.
    pub fn listen(&self, sink: Arc<dyn EventSink>) {
        self.connection.waiting().sinks.insert(String::new(), sink);
    }

    /// The session with this id, whose events go to `sink`.
    pub fn attach(&self, id: &str, sink: Arc<dyn EventSink>) -> Session {
        self.connection.waiting().sinks.insert(id.to_string(), sink);
        self.sibling(id)
    }

    /// The session with this id, whose events nobody wants to hear.
    pub fn sibling(&self, id: &str) -> Session {
        Session { connection: self.connection.clone(), id: Some(id.into()) }
    }

    /// The session with this id has ended: what it has not answered yet, it never will.
    pub fn detach(&self, id: &str) {
        self.connection.waiting().sinks.remove(id);
        self.sibling(id).abandon();
    }

    /// Nobody is there any more to answer what was asked so far.
    pub fn abandon(&self) {
        self.connection.waiting().replies.retain(|_, waiter| waiter.session != self.id);
    }

    /// Its name; empty for the browser as a whole.
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    pub fn is_gone(&self) -> bool {
        self.connection.waiting().ended
    }

    /// Sends a command. Commands of one session are executed in the order in which they are sent.
    pub fn send(&self, method: &str, params: Value) -> Reply {
        let id = self.connection.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.id {
            message["sessionId"] = json!(&**session);
        }
        let mut waiting = self.connection.waiting();
        if !waiting.ended {
            waiting.replies.insert(id, Waiter { session: self.id.clone(), answer: sender });
            // A transport that has ended drops its reader as well, which completes all replies.
            let _ = self.connection.outgoing.send(message.to_string());
        }
        Reply { method: method.to_string(), answer: receiver }
    }

    /// Sends a command and waits for its answer.
    pub fn call(&self, method: &str, params: Value) -> impl Future<Output = Result<Value, ProtocolError>> + use<> {
        self.send(method, params).within(COMMAND_LIMIT)
    }
}

impl Reply {
    pub async fn within(self, limit: Duration) -> Result<Value, ProtocolError> {
        let method = self.method;
        match tokio::time::timeout(limit, self.answer).await {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(message))) => Err(ProtocolError::Refused { method, message }),
            Ok(Err(_)) => Err(ProtocolError::Gone),
            Err(_) => Err(ProtocolError::TimedOut { method, limit }),
        }
    }

    pub async fn done(self) -> Result<Value, ProtocolError> {
        self.within(COMMAND_LIMIT).await
    }
}

impl Connection {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Completes everybody who waits. Forgetting the sinks also ends the circle of those who hold a session themselves.
    fn end(&self) {
        let mut waiting = self.waiting();
        waiting.ended = true;
        waiting.replies.clear();
        let sinks = std::mem::take(&mut waiting.sinks);
        drop(waiting);
        for sink in sinks.into_values() {
            sink.ended();
        }
    }

    fn dispatch(&self, text: &str) {
        let Ok(message) = serde_json::from_str::<Message>(text) else { return };
        if let Some(id) = message.id {
            let waiter = self.waiting().replies.remove(&id);
            if let Some(waiter) = waiter {
                // Nobody waits any more for some answers: those that timed out, and those nobody asked to see.
                let _ = waiter.answer.send(match message.error {
                    Some(refusal) => Err(refusal.message),
                    None => Ok(message.result),
                });
            }
        } else if let Some(method) = message.method {
            let session = message.session.unwrap_or_default();
            let sink = self.waiting().sinks.get(&session).cloned();
            if let Some(sink) = sink {
                sink.event(&method, &message.params);
            }
        }
    }
}
