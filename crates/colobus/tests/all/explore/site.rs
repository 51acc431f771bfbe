//! [`Site`]: a small web server with an application to explore: pages beside this file, and data in memory.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use serde_json::{Value, json};

/// Serves until the process ends.
pub struct Site {
    pub url: String,
}

/// Whether the application has its bug.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Twin {
    Bug,
    Fixed,
}

impl Site {
    pub fn start(twin: Twin) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || serve(stream, twin));
            }
        });
        Site { url }
    }
}

fn serve(stream: TcpStream, twin: Twin) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|count| *count > 0)?;
        let path = line.split(' ').nth(1)?.split('?').next()?.to_string();
        let mut header = String::new();
        while reader.read_line(&mut header).ok()? > 2 {
            header.clear();
        }
        let (status, kind, body) = answer(&path, twin);
        let head = format!("HTTP/1.1 {status} OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len());
        (&stream).write_all(&[head.as_bytes(), body.as_bytes()].concat()).ok()?;
    }
}

fn answer(path: &str, twin: Twin) -> (u16, &'static str, String) {
    if let Some(data) = data(path) {
        return (200, "application/json", data.to_string());
    }
    let name = path.trim_start_matches('/');
    let name = match (name.strip_suffix(".js"), twin) {
        (Some(script), Twin::Bug) => format!("{script}-bug.js"),
        (Some(script), Twin::Fixed) => format!("{script}-fixed.js"),
        (None, _) => name.to_string(),
    };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/explore/pages").join(&name);
    let kind = if name.ends_with(".js") { "text/javascript" } else { "text/html; charset=utf-8" };
    match std::fs::read_to_string(file) {
        Ok(text) => (200, kind, text),
        Err(_) => (404, "text/plain", "not there".to_string()),
    }
}

/// What the database of the application holds.
pub fn data(path: &str) -> Option<Value> {
    let person = |id: &str, name: &str, stage: &str| json!({ "id": id, "name": name, "stage": stage, "comments": [{ "author": "Kim", "text": "good" }, { "author": "Lee", "text": "call her" }] });
    let people = [person("a17", "Ann", "open"), person("b23", "Bob", "invited"), person("c31", "Cid", "open")];
    let folder = |hash: &str, name: &str, parent: Option<&str>, entries: &[(&str, &str)]| {
        let entries: Vec<Value> = entries.iter().map(|(name, hash)| json!({ "name": name, "hash": hash })).collect();
        json!({ "hash": hash, "name": name, "parent": parent, "entries": entries })
    };
    let folders = [
        folder("root", "Home", None, &[("Texts", "l1_t"), ("Pictures", "l1_p")]),
        folder("l1_t", "Texts", Some("root"), &[("Letters", "l2_l")]),
        folder("l1_p", "Pictures", Some("root"), &[("Trip", "l2_r")]),
        folder("l2_l", "Letters", Some("l1_t"), &[("Home", "root")]),
        folder("l2_r", "Trip", Some("l1_p"), &[("Home", "root")]),
    ];
    if path == "/api/applications" {
        let rows = people.iter().map(|person| json!({ "id": person["id"], "name": person["name"] }));
        return Some(rows.collect());
    }
    let found = |list: &[Value], name: &str, prefix: &str| {
        let wanted = path.strip_prefix(prefix)?;
        list.iter().find(|item| item[name] == wanted).cloned()
    };
    found(&people, "id", "/api/applications/").or_else(|| found(&folders, "hash", "/api/folders/"))
}

/// What a browser would have captured of the server: every object once.
pub fn capture(url: &str, paths: &[&str]) -> Value {
    let entry = |path: &&str| {
        json!({
            "startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "_resourceType": "fetch",
            "request": { "method": "GET", "url": format!("{url}{path}"), "httpVersion": "HTTP/1.1", "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0 },
            "response": { "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [], "redirectURL": "", "headersSize": -1, "bodySize": -1,
                "content": { "size": 1, "mimeType": "application/json", "text": data(path).unwrap().to_string() } },
            "cache": {}, "timings": { "send": 0, "wait": 1, "receive": 0 },
        })
    };
    let entries: Vec<Value> = paths.iter().map(entry).collect();
    json!({ "log": { "version": "1.2", "creator": { "name": "test", "version": "1" }, "entries": entries } })
}
