//! [`Shop`]: serves the pages below `pages/`. Every order has a number, and can be placed once.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub struct Shop {
    port: u16,
    orders: Arc<Mutex<Orders>>,
}

#[derive(Default)]
struct Orders {
    next: usize,
    placed: HashSet<String>,
}

impl Shop {
    pub fn open() -> Shop {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let orders = Arc::<Mutex<Orders>>::default();
        let shared = orders.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let orders = shared.clone();
                thread::spawn(move || serve(stream, &orders));
            }
        });
        Shop { port, orders }
    }

    /// How many orders were placed.
    pub fn placed(&self) -> usize {
        self.orders.lock().unwrap().placed.len()
    }

    pub fn url(&self, variant: &str) -> String {
        format!("http://127.0.0.1:{}/{variant}", self.port)
    }
}

/// Serves one connection; ends with it.
fn serve(stream: TcpStream, orders: &Mutex<Orders>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let mut first = String::new();
        reader.read_line(&mut first).ok().filter(|count| *count > 0)?;
        let mut length = 0;
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).ok()?;
            let lower = header.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if header.trim().is_empty() {
                break;
            }
        }
        reader.read_exact(&mut vec![0; length]).ok()?;
        let path = first.split(' ').nth(1)?.split('?').next()?.to_string();
        let (status, kind, body) = answer(&path, orders);
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes()).ok()?;
    }
}

fn answer(path: &str, orders: &Mutex<Orders>) -> (&'static str, &'static str, String) {
    const HTML: &str = "text/html; charset=utf-8";
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let mut orders = orders.lock().unwrap();
    match path {
        "/buggy/shop" | "/sound/shop" => ("200 OK", HTML, include_str!("pages/shop.html").to_string()),
        "/buggy/confirm" | "/sound/confirm" => {
            orders.next += 1;
            ("200 OK", HTML, include_str!("pages/confirm.html").replace("ORDER", &orders.next.to_string()))
        }
        "/shop.js" => ("200 OK", SCRIPT, include_str!("pages/shop.js").to_string()),
        "/confirm.js" => ("200 OK", SCRIPT, include_str!("pages/confirm.js").to_string()),
        "/prices" => ("200 OK", "application/json", r#"[{ "name": "Banana", "price": 1 }]"#.to_string()),
        "/favicon.ico" => ("204 No Content", HTML, String::new()),
        _ => match path.strip_prefix("/orders/") {
            Some(order) if orders.placed.insert(order.to_string()) => ("201 Created", HTML, String::new()),
            Some(_) => ("409 Conflict", HTML, String::new()),
            None => ("404 Not Found", HTML, String::new()),
        },
    }
}
