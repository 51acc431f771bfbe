//! [`Site`]: a small web server that remembers what it was asked for.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub struct Site {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Serves these pages, by path; a `PEER` in them is `peer`. Everything else is empty.
    pub fn open(pages: &[(&'static str, &'static str)], peer: &str) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let pages: Arc<BTreeMap<String, String>> =
            Arc::new(pages.iter().map(|(path, page)| (path.to_string(), page.replace("PEER", peer))).collect());
        let shared = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, asked) = (pages.clone(), shared.clone());
                thread::spawn(move || serve(stream, &pages, &asked));
            }
        });
        Site { port, asked }
    }

    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every path that was asked for.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// Serves one connection; ends with it.
fn serve(mut stream: TcpStream, pages: &BTreeMap<String, String>, asked: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut first = String::new();
        reader.read_line(&mut first).ok().filter(|count| *count > 0)?;
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).ok()?;
            if header.trim().is_empty() {
                break;
            }
        }
        let path = first.split(' ').nth(1)?.to_string();
        let page = path.split('?').next().and_then(|path| pages.get(path)).map_or("", String::as_str);
        asked.lock().unwrap().push(path.clone());
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
            page.len()
        );
        stream.write_all((head + page).as_bytes()).ok()?;
    }
}
