//! A server of a few pages, on a free port of the loopback.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

/// Serves these pages by path until the test ends; returns its address.
pub fn serve(pages: &'static [(&'static str, &'static str)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream, pages));
        }
    });
    format!("http://{address}")
}

fn answer(stream: TcpStream, pages: &[(&str, &str)]) {
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let request = lines.next().unwrap_or_default();
    let path = request.split(' ').nth(1).unwrap_or_default().to_string();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let page = pages.iter().find(|(known, _)| *known == path);
    let (status, body) = page.map_or(("404 Not Found", "nothing here"), |(_, body)| ("200 OK", *body));
    // A browser that has gone away needs no answer.
    let _ = write!(
        &stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}
