//! [`FakeHub`]: a hub that says whatever a test wants, and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What was asked: method and path, and the headers in lower case.
#[derive(Clone, Debug)]
pub struct Asked {
    pub what: String,
    pub headers: String,
}

/// The status and the body of an answer.
type Answer = (u16, String);

pub struct FakeHub {
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// What a session has whose browser can be driven.
pub const DEVTOOLS: &str = r#""browserVersion": "150", "se:cdp": "ws://10.9.8.7:4444/session/s-1/se/cdp""#;

impl FakeHub {
    /// A hub with a Chrome that answers to requests for sessions like this.
    pub fn opening(sessions: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> FakeHub {
        FakeHub::start(move |asked| match asked.what.as_str() {
            "GET /status" => (200, status("chrome")),
            "DELETE /session/s-1" => (200, r#"{ "value": null }"#.to_string()),
            _ => sessions(asked),
        })
    }

    pub fn start(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> FakeHub {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (asked, answer) = (Arc::<Mutex<Vec<Asked>>>::default(), Arc::new(answer));
        let all = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (all, answer) = (all.clone(), answer.clone());
                thread::spawn(move || serve(stream, &all, &*answer));
            }
        });
        FakeHub { url, asked }
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// How often this was asked for.
    pub fn count(&self, what: &str) -> usize {
        self.asked().iter().filter(|asked| asked.what == what).count()
    }
}

/// One request; the connection ends with its answer.
fn serve(mut stream: TcpStream, all: &Mutex<Vec<Asked>>, answer: &dyn Fn(&Asked) -> Answer) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut first, mut headers, mut length) = (String::new(), String::new(), 0);
    reader.read_line(&mut first).ok().filter(|count| *count > 0)?;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        if header.trim().is_empty() {
            break;
        }
        let lower = header.to_ascii_lowercase();
        length = lower.strip_prefix("content-length:").map_or(length, |value| value.trim().parse().unwrap());
        headers.push_str(&lower);
    }
    reader.by_ref().take(length).read_to_end(&mut Vec::new()).ok()?;
    let asked = Asked { what: first.rsplit_once(' ')?.0.to_string(), headers };
    all.lock().unwrap().push(asked.clone());
    let (status, body) = answer(&asked);
    let length = body.len();
    write!(stream, "HTTP/1.1 {status} Said\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}").ok()
}

/// A hub with one node that has this browser.
pub fn status(browser: &str) -> String {
    let slot = format!(r#"{{ "stereotype": {{ "browserName": "{browser}" }}, "session": null }}"#);
    let node = r#""uri": "http://node-7:5555", "availability": "UP", "version": "4.48.0", "maxSessions": 1"#;
    format!(r#"{{ "value": {{ "ready": true, "message": "ready", "nodes": [{{ {node}, "slots": [{slot}] }}] }} }}"#)
}

/// A hub without nodes: one that starts them when a session is asked for.
pub fn without_nodes() -> String {
    r#"{ "value": { "ready": false, "message": "Selenium Grid not ready.", "nodes": [] } }"#.to_string()
}

/// A session with these capabilities.
pub fn session(capabilities: &str) -> String {
    format!(r#"{{ "value": {{ "sessionId": "s-1", "capabilities": {{ {capabilities} }} }} }}"#)
}
