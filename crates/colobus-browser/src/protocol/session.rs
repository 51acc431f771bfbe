//! [`Session`]: a thin client of the protocol with flattened sessions. A command is sent at once and answered through
//! its [`Reply`]. Events go to the session's [`EventSink`] before any later answer is delivered, so a caller that has an
//! answer knows that the sink has seen all events before it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tracing::{Span, debug};

use super::{Command, Event, ProtocolError, browser, log_line, read, well_formed};
use crate::transport::{Messages, Transport};

/// How long a command may take unless its caller says otherwise. Generous: it is there to end hangs, not slowness.
const COMMAND_LIMIT: Duration = Duration::from_secs(30);

/// Receives the events of a session, in the order of arrival. Must not block.
pub trait EventSink: Send + Sync {
    fn event(&self, event: &Event);

    /// An event arrived that cannot be read.
    fn malformed(&self, error: ProtocolError);

    /// The browser is gone: nothing comes any more.
    fn ended(&self);
}

/// The whole conversation with one browser.
struct Connection {
    outgoing: mpsc::UnboundedSender<String>,
    next_id: AtomicU64,
    events: AtomicU64,
    waiting: Mutex<Waiting>,
    /// Where the browser runs, for people, if not here.
    place: OnceLock<String>,
}

#[derive(Default)]
struct Waiting {
    ended: bool,
    replies: HashMap<u64, Waiter>,
    sinks: HashMap<String, Listening>,
}

/// Who hears the events of a session, and where they are logged.
#[derive(Clone)]
struct Listening {
    sink: Arc<dyn EventSink>,
    span: Span,
}

/// A caller that waits for an answer of a session: the text of the result, or why the command was refused.
struct Waiter {
    session: Option<Arc<str>>,
    /// What it asked, when, and where that is logged.
    method: &'static str,
    since: Instant,
    span: Span,
    answer: oneshot::Sender<Result<String, String>>,
}

/// A way to talk to one target of the browser, or to the browser itself.
#[derive(Clone)]
pub struct Session {
    connection: Arc<Connection>,
    id: Option<Arc<str>>,
    /// What it does is logged here: that of the client for which it was made.
    span: Span,
}

/// The answer to a command, still on its way.
pub struct Reply<T> {
    method: &'static str,
    answer: oneshot::Receiver<Result<String, String>>,
    result: PhantomData<fn() -> T>,
}

#[derive(Deserialize)]
struct Message<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Refusal>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow, rename = "sessionId")]
    session: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
}

impl Session {
    /// The session of the browser as a whole. Everything ends with the transport.
    pub fn connect(transport: impl Transport) -> Session {
        let Messages { outgoing, mut incoming } = transport.start();
        let connection = Arc::new(Connection {
            outgoing,
            next_id: AtomicU64::new(1),
            events: AtomicU64::new(0),
            waiting: Mutex::new(Waiting::default()),
            place: OnceLock::new(),
        });
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
        Session { connection, id: None, span: Span::current() }
    }

    /// How many commands the browser was given and how many events it told, in all sessions.
    pub fn message_counts(&self) -> (u64, u64) {
        let Connection { next_id, events, .. } = &*self.connection;
        (next_id.load(Ordering::Relaxed) - 1, events.load(Ordering::Relaxed))
    }

    /// Where the browser runs, for people; said once.
    pub fn set_place(&self, place: String) {
        // The first word counts.
        let _ = self.connection.place.set(place);
    }

    /// Where the browser runs, if not here.
    pub fn place(&self) -> Option<&str> {
        self.connection.place.get().map(String::as_str)
    }

    /// Events of the browser as a whole go to `sink`.
    pub fn listen(&self, sink: Arc<dyn EventSink>) {
        self.connection.waiting().sinks.insert(String::new(), Listening { sink, span: self.span.clone() });
    }

    /// The session with this id, whose events go to `sink`.
    pub fn attach(&self, id: &str, sink: Arc<dyn EventSink>) -> Session {
        let session = self.sibling(id);
        self.connection.waiting().sinks.insert(id.to_string(), Listening { sink, span: session.span.clone() });
        session
    }

    /// The session with this id, without its events.
    pub fn sibling(&self, id: &str) -> Session {
        Session { connection: self.connection.clone(), id: Some(id.into()), span: Span::current() }
    }

    /// The session with this id has ended: commands that it has not answered yet stay without an answer.
    pub fn detach(&self, id: &str) {
        self.connection.waiting().sinks.remove(id);
        self.sibling(id).abandon();
    }

    /// Ends the wait for all answers of this session.
    pub fn abandon(&self) {
        self.connection.waiting().replies.retain(|_, waiter| waiter.session != self.id);
    }

    /// From now on the conversation ends when the browser does not answer within the limit: a network or a machine that has stopped says
    /// nothing by itself.
    pub fn end_when_silent(&self, every: Duration, limit: Duration) {
        let weak = Arc::downgrade(&self.connection);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                let Some(connection) = weak.upgrade().filter(|connection| !connection.waiting().ended) else { return };
                let asked = Session { connection, id: None, span: Span::none() }.send(browser::GetVersion {});
                if let Err(ProtocolError::TimedOut { .. }) = asked.within(limit).await {
                    debug!(target: "protocol", "the browser does not answer");
                    return weak.upgrade().iter().for_each(|connection| connection.end());
                }
            }
        });
    }

    /// Its name; empty for the browser as a whole.
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    pub fn is_gone(&self) -> bool {
        self.connection.waiting().ended
    }

    /// Sends a command. The browser executes the commands of one session in the order in which they are sent.
    pub fn send<C: Command>(&self, command: C) -> Reply<C::Reply> {
        let id = self.connection.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        let reply = Reply { method: C::METHOD, answer: receiver, result: PhantomData };
        let parameters = match parameters(&command) {
            Ok(parameters) => parameters,
            Err(error) => {
                // The caller has the other end.
                let _ = sender.send(Err(format!("its parameters have no JSON form: {error}")));
                return reply;
            }
        };
        let mut message = json!({ "id": id, "method": C::METHOD, "params": parameters });
        if let Some(session) = &self.id {
            message["sessionId"] = json!(&**session);
        }
        if log_line::is_on() {
            log_line::sent(&self.span, self.id(), id, C::METHOD, &message["params"]);
        }
        let mut waiting = self.connection.waiting();
        if !waiting.ended {
            let (method, since, span) = (C::METHOD, Instant::now(), self.span.clone());
            waiting.replies.insert(id, Waiter { session: self.id.clone(), method, since, span, answer: sender });
            // A transport that has ended drops its reader as well, which completes all replies.
            let _ = self.connection.outgoing.send(message.to_string());
        }
        reply
    }

    /// Sends a command and waits for its answer.
    pub fn call<C: Command>(&self, command: C) -> impl Future<Output = Result<C::Reply, ProtocolError>> + use<C> {
        self.send(command).done()
    }
}

/// The parameters as JSON, without those that are left out.
fn parameters(command: &impl Command) -> serde_json::Result<Value> {
    let mut parameters = serde_json::to_value(command)?;
    if let Value::Object(fields) = &mut parameters {
        fields.retain(|_, value| !value.is_null());
    }
    Ok(parameters)
}

impl<T: DeserializeOwned> Reply<T> {
    pub async fn within(self, limit: Duration) -> Result<T, ProtocolError> {
        let method = self.method;
        match tokio::time::timeout(limit, self.answer).await {
            Ok(Ok(Ok(result))) => read(method, &result),
            Ok(Ok(Err(message))) => Err(ProtocolError::Refused { method, message }),
            Ok(Err(_)) => Err(ProtocolError::Gone),
            Err(_) => Err(ProtocolError::TimedOut { method, limit }),
        }
    }

    pub async fn done(self) -> Result<T, ProtocolError> {
        self.within(COMMAND_LIMIT).await
    }
}

impl Connection {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Completes all waiters. Dropping the sinks also breaks the cycle of sinks that hold a session themselves.
    fn end(&self) {
        let mut waiting = self.waiting();
        waiting.ended = true;
        waiting.replies.clear();
        let sinks = std::mem::take(&mut waiting.sinks);
        drop(waiting);
        for Listening { sink, .. } in sinks.into_values() {
            sink.ended();
        }
    }

    /// A message that is none of the protocol may have been the answer to any command: all that wait are told.
    fn unreadable(&self, problem: &str) {
        let mut waiting = self.waiting();
        let replies = std::mem::take(&mut waiting.replies);
        let sinks: Vec<Arc<dyn EventSink>> = waiting.sinks.values().map(|listening| listening.sink.clone()).collect();
        drop(waiting);
        for waiter in replies.into_values() {
            // A caller that timed out or dropped its reply waits no longer.
            let _ = waiter.answer.send(Err(format!("its answer cannot be read: {problem}")));
        }
        for sink in sinks {
            sink.malformed(ProtocolError::Malformed { method: "of an unknown kind", problem: problem.to_string() });
        }
    }

    fn dispatch(&self, text: &str) {
        let text = &*well_formed(text);
        let message: Message = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => return self.unreadable(&error.to_string()),
        };
        if let Some(id) = message.id {
            let waiter = self.waiting().replies.remove(&id);
            if let Some(waiter) = waiter {
                let answer = match message.error {
                    Some(refusal) => Err(refusal.message),
                    None => Ok(message.result.map_or("{}", RawValue::get).to_string()),
                };
                if log_line::is_on() {
                    let told = answer.as_deref().map_err(String::as_str);
                    log_line::answered(&waiter.span, id, waiter.method, waiter.since.elapsed(), told);
                }
                // A caller that timed out or dropped its reply waits no longer.
                let _ = waiter.answer.send(answer);
            }
        } else if let Some(method) = message.method {
            self.events.fetch_add(1, Ordering::Relaxed);
            let session = message.session.as_deref().unwrap_or_default();
            let listening = self.waiting().sinks.get(session).cloned();
            let Some(Listening { sink, span }) = listening else { return };
            let parameters = message.params.map_or("{}", RawValue::get);
            if log_line::is_on() {
                log_line::heard(&span, session, &method, parameters);
            }
            match Event::parse(&method, parameters) {
                Ok(Some(event)) => sink.event(&event),
                Ok(None) => {}
                Err(error) => sink.malformed(error),
            }
        } else {
            // The browser could not read what it was sent, and does not say which command that was.
            let refusal = message.error.map(|refusal| refusal.message);
            self.unreadable(&refusal.unwrap_or_else(|| "it has neither an id nor a method".to_string()));
        }
    }
}
