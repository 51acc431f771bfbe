//! A client of the server over a real socket.

use colobus_demo::{Bug, DemoOptions, DemoServer};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

pub fn server_with(bugs: &[Bug], storage_latency: Duration) -> DemoServer {
    let bugs = bugs.iter().copied().collect();
    DemoServer::start(DemoOptions { port: 0, bugs, storage_latency }).expect("the demo starts")
}

pub fn server() -> DemoServer {
    server_with(&[], Duration::ZERO)
}

pub struct User {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    pub welcome: Value,
}

impl User {
    pub fn join(server: &DemoServer, document: &str) -> User {
        User::connect(server, &format!("doc={document}"))
    }

    pub fn come_back(server: &DemoServer, document: &str, client: u64, revision: u64) -> User {
        User::connect(server, &format!("doc={document}&client={client}&revision={revision}"))
    }

    fn connect(server: &DemoServer, query: &str) -> User {
        let url = format!("ws://127.0.0.1:{}/socket?{query}", server.port());
        let (socket, _) = tungstenite::connect(url).expect("the socket opens");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            // A message that never comes fails the test instead of holding it up.
            stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket takes a time-out");
        }
        let mut user = User { socket, welcome: Value::Null };
        user.welcome = user.next();
        assert_eq!(user.welcome["type"], "welcome");
        user
    }

    pub fn id(&self) -> u64 {
        self.welcome["client"].as_u64().expect("a client has a number")
    }

    pub fn send(&mut self, message: &Value) {
        self.send_raw(Message::text(message.to_string()));
    }

    pub fn send_raw(&mut self, message: Message) {
        self.socket.send(message).expect("the socket is open");
    }

    pub fn edit(&mut self, seq: u64, revision: u64, op: Value) {
        self.send(&json!({ "type": "edit", "seq": seq, "revision": revision, "op": op }));
    }

    /// The next message that is JSON.
    pub fn next(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("the socket is open") {
                return serde_json::from_str(&text).expect("the server speaks JSON");
            }
        }
    }

    /// The next message of a kind.
    pub fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next();
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// All messages that come before the answer to a ping that is sent now.
    pub fn until_pong(&mut self) -> Vec<Value> {
        self.send_raw(Message::Ping("mark".into()));
        let mut messages = Vec::new();
        loop {
            match self.socket.read().expect("the socket is open") {
                Message::Text(text) => messages.push(serde_json::from_str(&text).expect("JSON")),
                Message::Pong(_) => return messages,
                _ => {}
            }
        }
    }

    pub fn wait_until_cut_off(mut self) {
        loop {
            match self.socket.read() {
                Ok(Message::Close(_)) => return,
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    panic!("the server keeps the connection")
                }
                Err(_) => return,
                Ok(_) => {}
            }
        }
    }

    /// Ends the connection as a cut cable does.
    pub fn cut(self) {
        drop(self);
    }
}

/// The document as somebody who comes now gets it.
pub fn document(server: &DemoServer, name: &str) -> Value {
    User::join(server, name).welcome["document"].clone()
}
