//! A small application to test with: pages from `pages/`, and rooms in which everything that is said reaches everybody, the
//! speaker included: over WebSockets (which are told the last message first), server-sent events and long polls.

mod frames;
mod rooms;
mod secure;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use base64::Engine;
use sha1::{Digest, Sha1};

use frames::read_frame;
use rooms::{Rooms, TEXT};

const PAGES: [(&str, &str); 17] = [
    ("/widgets", include_str!("../pages/widgets.html")),
    ("/widgets-frame", include_str!("../pages/widgets-frame.html")),
    ("/widgets-next", include_str!("../pages/widgets-next.html")),
    ("/sealed", include_str!("../pages/sealed.html")),
    ("/editors", include_str!("../pages/editors.html")),
    ("/shared", include_str!("../pages/shared.html")),
    ("/lobby", include_str!("../pages/lobby.html")),
    ("/fields", include_str!("../pages/fields.html")),
    ("/locators", include_str!("../pages/locators.html")),
    ("/dom", include_str!("../pages/dom.html")),
    ("/problem", include_str!("../pages/problem.html")),
    ("/traffic", include_str!("../pages/traffic.html")),
    ("/own", include_str!("../pages/own.html")),
    ("/order", include_str!("../pages/order.html")),
    ("/board", include_str!("../pages/board.html")),
    ("/selftest", include_str!("../pages/selftest.html")),
    ("/selftest-alone", include_str!("../pages/selftest-alone.html")),
];

/// Pages that share nothing with others get exact clocks.
const ISOLATED: &str = "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n";

pub struct Server {
    pub port: u16,
    rooms: Rooms,
}

impl Server {
    pub fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let rooms = Rooms::default();
        let shared = rooms.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let rooms = shared.clone();
                thread::spawn(move || serve(stream, &rooms));
            }
        });
        Server { port, rooms }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same over TLS; every call opens a port of its own.
    pub fn secure_url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", secure::listen(self.port))
    }

    /// How many messages all rooms have repeated.
    pub fn messages(&self) -> usize {
        self.rooms.messages()
    }

    /// How many clients are in rooms at the moment.
    pub fn present(&self) -> usize {
        self.rooms.present()
    }
}

struct Request {
    path: String,
    query: String,
    websocket_key: Option<String>,
    body: Vec<u8>,
}

/// Serves one connection; ends with it.
fn serve(mut stream: TcpStream, rooms: &Rooms) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    loop {
        let request = read_request(&mut stream)?;
        if let Some(key) = &request.websocket_key {
            return socket(stream, &request, key, rooms);
        }
        if request.path == "/events" {
            stream.write_all(head("200 OK", "text/event-stream", "").as_bytes()).ok()?;
            rooms.follow(&request.query, stream.try_clone().ok()?);
            // Nothing more is expected of the client; it stays until it goes.
            return std::io::copy(&mut stream, &mut std::io::sink()).ok().map(|_| ());
        }
        let (status, kind, body) = answer(&request, rooms);
        let isolated = if request.query == "isolated" { ISOLATED } else { "" };
        let moved = if request.path == "/moved" { "Location: pages/../slow\r\n" } else { "" };
        let head = head(status, kind, &format!("{isolated}{moved}Content-Length: {}\r\n", body.len()));
        stream.write_all(&[head.into_bytes(), body].concat()).ok()?;
    }
}

fn answer(request: &Request, rooms: &Rooms) -> (&'static str, &'static str, Vec<u8>) {
    const HTML: &str = "text/html; charset=utf-8";
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let ok = |body: &str| ("200 OK", HTML, body.as_bytes().to_vec());
    if let Some((_, page)) = PAGES.iter().find(|(name, _)| *name == request.path) {
        return ok(page);
    }
    match request.path.as_str() {
        "/slow" => {
            thread::sleep(Duration::from_millis(60));
            ok("slow")
        }
        "/poll" => {
            thread::sleep(Duration::from_millis(5000));
            ok("poll")
        }
        "/moved" => ("302 Found", HTML, Vec::new()),
        "/reset" => {
            rooms.clear();
            ok("reset")
        }
        "/echo" => ("200 OK", HTML, request.body.clone()),
        "/say" => {
            rooms.say(&request.query, TEXT, request.body.clone());
            ok("said")
        }
        "/wait" => {
            let (room, number) = request.query.split_once(':').unwrap_or((&request.query, "0"));
            ("200 OK", HTML, rooms.wait_for(room, number.parse().unwrap_or(0)))
        }
        "/selftest.js" => ("200 OK", SCRIPT, include_bytes!("../pages/selftest.js").to_vec()),
        "/widgets.js" => ("200 OK", SCRIPT, include_bytes!("../pages/widgets.js").to_vec()),
        "/service-worker.js" => ("200 OK", SCRIPT, include_bytes!("../pages/service-worker.js").to_vec()),
        "/worker.js" => ("200 OK", SCRIPT, include_bytes!("../pages/worker.js").to_vec()),
        "/editors-bundle.js" => ok(&editors()),
        "/favicon.ico" => ("204 No Content", HTML, Vec::new()),
        _ => ("404 Not Found", HTML, b"nothing here".to_vec()),
    }
}

fn head(status: &str, kind: &str, more: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nCache-Control: no-store\r\n{more}\r\n")
}

fn editors() -> String {
    let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packages/node_modules/editors-bundle.js");
    let advice = "the editors are not there: run `make test`";
    std::fs::read_to_string(bundle).expect(advice)
}

fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let header = |wanted: &str| {
        head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case(wanted).then(|| value.trim().to_string())
        })
    };
    let target = head.split(' ').nth(1)?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let length = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(Request { path: path.to_string(), query: query.to_string(), websocket_key: header("sec-websocket-key"), body })
}

fn socket(mut stream: TcpStream, request: &Request, key: &str, rooms: &Rooms) -> Option<()> {
    let accept = Sha1::digest(format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
    let accept = base64::engine::general_purpose::STANDARD.encode(accept);
    write!(
        stream,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    )
    .ok()?;
    let answers_pings = request.path != "/mute";
    let room = &request.query;
    rooms.enter(room, &mut stream)?;
    while let Some((opcode, payload)) = read_frame(&mut stream) {
        match opcode {
            1 | 2 => rooms.say(room, opcode, payload),
            9 if answers_pings => rooms.pong(&mut stream, &payload)?,
            8 => break,
            _ => {}
        }
    }
    rooms.leave(room, &stream);
    Some(())
}
