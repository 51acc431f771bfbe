//! A small application to test with: pages from `pages/`, and a WebSocket that repeats every message to everybody in the
//! same room, the sender included, after telling newcomers the last one.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use base64::Engine;
use sha1::{Digest, Sha1};

const PAGES: [(&str, &str); 6] = [
    ("/editors", include_str!("pages/editors.html")),
    ("/shared", include_str!("pages/shared.html")),
    ("/fields", include_str!("pages/fields.html")),
    ("/dom", include_str!("pages/dom.html")),
    ("/trouble", include_str!("pages/trouble.html")),
    ("/traffic", include_str!("pages/traffic.html")),
];

pub struct Server {
    pub port: u16,
    rooms: Rooms,
}

type Rooms = Arc<Mutex<HashMap<String, Room>>>;

#[derive(Default)]
struct Room {
    last: Option<Vec<u8>>,
    peers: Vec<TcpStream>,
    messages: usize,
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

    /// How many messages all rooms have repeated.
    pub fn messages(&self) -> usize {
        self.rooms.lock().unwrap().values().map(|room| room.messages).sum()
    }

    /// How many clients are in rooms at the moment.
    pub fn present(&self) -> usize {
        self.rooms.lock().unwrap().values().map(|room| room.peers.len()).sum()
    }
}

/// Serves one connection; ends with it.
fn serve(mut stream: TcpStream, rooms: &Rooms) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    loop {
        let head = read_head(&mut stream)?;
        let mut words = head.split(' ');
        let (_method, target) = (words.next()?, words.next()?.to_string());
        let path = target.split('?').next()?;
        let key = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("sec-websocket-key").then(|| value.trim().to_string())
        });
        if let Some(key) = key {
            return socket(stream, &target, &key, rooms);
        }
        let page = PAGES.iter().find(|(name, _)| *name == path);
        let (status, body) = match (page, path) {
            (Some((_, body)), _) => ("200 OK", body.to_string()),
            (None, "/slow") => {
                thread::sleep(Duration::from_millis(60));
                ("200 OK", "slow".to_string())
            }
            (None, "/poll") => {
                thread::sleep(Duration::from_millis(5000));
                ("200 OK", "poll".to_string())
            }
            (None, "/reset") => {
                rooms.lock().unwrap().clear();
                ("200 OK", "reset".to_string())
            }
            (None, "/editors-bundle.js") => ("200 OK", editors()),
            (None, "/favicon.ico") => ("204 No Content", String::new()),
            _ => ("404 Not Found", "nothing here".to_string()),
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .ok()?;
    }
}

fn editors() -> String {
    let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packages/node_modules/editors-bundle.js");
    let advice = "the editors are not there: run tests/install-packages.sh of this crate first";
    std::fs::read_to_string(bundle).expect(advice)
}

fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    String::from_utf8(head).ok()
}

fn socket(mut stream: TcpStream, target: &str, key: &str, rooms: &Rooms) -> Option<()> {
    let accept = Sha1::digest(format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
    let accept = base64::engine::general_purpose::STANDARD.encode(accept);
    write!(
        stream,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    )
    .ok()?;
    let answers_pings = !target.starts_with("/mute");
    {
        let mut rooms = rooms.lock().unwrap();
        let room = rooms.entry(target.to_string()).or_default();
        if let Some(last) = &room.last {
            stream.write_all(&frame(0x81, last)).ok()?;
        }
        room.peers.push(stream.try_clone().ok()?);
    }
    let address = stream.peer_addr().ok()?;
    while let Some((opcode, payload)) = read_frame(&mut stream) {
        match opcode {
            1 | 2 => {
                let mut rooms = rooms.lock().unwrap();
                let room = rooms.entry(target.to_string()).or_default();
                for peer in &mut room.peers {
                    let _ = peer.write_all(&frame(0x80 | opcode, &payload));
                }
                room.messages += 1;
                room.last = Some(payload);
            }
            9 if answers_pings => {
                // Behind the lock, so that a pong never overtakes a repeated message.
                let _rooms = rooms.lock().unwrap();
                stream.write_all(&frame(0x8a, &payload)).ok()?;
            }
            8 => break,
            _ => {}
        }
    }
    let mut rooms = rooms.lock().unwrap();
    if let Some(room) = rooms.get_mut(target) {
        room.peers.retain(|peer| peer.peer_addr().is_ok_and(|other| other != address));
    }
    Some(())
}

fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match u8::try_from(payload.len()) {
        Ok(short) if short < 126 => frame.push(short),
        _ => {
            frame.push(126);
            frame.extend(u16::try_from(payload.len()).unwrap().to_be_bytes());
        }
    }
    frame.extend(payload);
    frame
}

fn read_frame(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).ok()?;
    let length = match head[1] & 0x7f {
        126 => {
            let mut length = [0; 2];
            stream.read_exact(&mut length).ok()?;
            usize::from(u16::from_be_bytes(length))
        }
        127 => return None,
        short => usize::from(short),
    };
    let mut mask = [0; 4];
    stream.read_exact(&mut mask).ok()?;
    let mut payload = vec![0; length];
    stream.read_exact(&mut payload).ok()?;
    for (index, byte) in payload.iter_mut().enumerate() {
        *byte ^= mask[index % 4];
    }
    Some((head[0] & 0x0f, payload))
}
