//! A server for fixtures: each address answers with a fixed text after a fixed time.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A picture of one pixel.
pub const PIXEL: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// Answers of this kind stay open: their body comes after its time, and nothing after it.
pub const STREAM: &str = "text/event-stream";

#[derive(Clone)]
pub struct Answer {
    pub status: u16,
    pub kind: &'static str,
    pub body: Vec<u8>,
    pub after: Duration,
}

impl Answer {
    pub fn new(kind: &'static str, body: &[u8], after_ms: u64) -> Answer {
        Answer { status: 200, kind, body: body.to_vec(), after: Duration::from_millis(after_ms) }
    }
}

#[derive(Clone, Default)]
pub struct Site {
    answers: HashMap<String, Answer>,
}

pub struct Server {
    pub address: SocketAddr,
    /// Method and path of every request, in the order in which they came.
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub fn page(html: &str) -> Site {
        Site::default().answering("/", Answer::new("text/html; charset=utf-8", html.as_bytes(), 0))
    }

    pub fn answering(mut self, path: &str, answer: Answer) -> Site {
        self.answers.insert(path.to_string(), answer);
        self
    }

    pub fn script(self, path: &str, source: &str, after_ms: u64) -> Site {
        self.answering(path, Answer::new("text/javascript; charset=utf-8", source.as_bytes(), after_ms))
    }

    pub fn image(self, path: &str, after_ms: u64) -> Site {
        self.answering(path, Answer::new("image/gif", PIXEL, after_ms))
    }

    /// Serves until the test program ends.
    pub fn serve(self) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let log = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (site, log) = (self.clone(), log.clone());
                thread::spawn(move || answer(stream, &site, &log));
            }
        });
        Server { address, asked }
    }
}

impl Server {
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

/// Answers one request; what goes wrong is the client's loss.
fn answer(mut stream: TcpStream, site: &Site, log: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    reader.read_line(&mut head).ok()?;
    let mut parts = head.split(' ');
    let (method, path) = (parts.next()?.to_string(), parts.next()?.to_string());
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    log.lock().unwrap().push(format!("{method} {path}"));
    let found = site.answers.get(&path);
    let (status, kind, body) = match found {
        Some(answer) => (answer.status, answer.kind, answer.body.clone()),
        None => (404, "text/plain", Vec::new()),
    };
    let after = found.map_or(Duration::ZERO, |answer| answer.after);
    if kind == STREAM {
        stream.write_all(format!("HTTP/1.1 200 -\r\ncontent-type: {kind}\r\n\r\n").as_bytes()).ok()?;
        thread::sleep(after);
        stream.write_all(&body).ok()?;
        // Until the client leaves.
        return reader.read(&mut [0]).ok().map(|_| ());
    }
    // The answer's own time is what the fixture is about.
    thread::sleep(after);
    let head = format!(
        "HTTP/1.1 {status} -\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body).ok()
}
