//! [`load`]: as many requests as a server answers, over a few connections that stay open.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// How a server did.
pub struct Load {
    pub a_second: f64,
    pub percentile_99: Duration,
    /// The body of an answer, on average.
    pub bytes: usize,
    /// Memory of the server's process after the first requests and after the last, in KiB.
    pub memory: [usize; 2],
}

/// Asks for the paths in turn, on every connection one request after the other.
pub fn load(address: &str, process: u32, paths: &[&str], connections: usize, time: Duration) -> Load {
    // What is slow only the first time does not count.
    converse(address, 0, paths, Duration::from_secs(1));
    let before = resident(process);
    let begun = Instant::now();
    let told: Vec<(Vec<Duration>, usize)> = thread::scope(|scope| {
        let clients: Vec<_> =
            (1..=connections).map(|number| scope.spawn(move || converse(address, number, paths, time))).collect();
        clients.into_iter().map(|client| client.join().expect("a client")).collect()
    });
    let elapsed = begun.elapsed().as_secs_f64();
    let bytes: usize = told.iter().map(|(_, bytes)| bytes).sum();
    let mut all: Vec<Duration> = told.into_iter().flat_map(|(times, _)| times).collect();
    all.sort_unstable();
    assert!(!all.is_empty(), "the server answered nothing");
    #[expect(clippy::cast_precision_loss, reason = "a few million requests")]
    let a_second = all.len() as f64 / elapsed;
    let memory = [before, resident(process)];
    Load { a_second, percentile_99: all[all.len() * 99 / 100], bytes: bytes / all.len(), memory }
}

/// Memory that a process has, in KiB; 0 where Linux does not tell.
fn resident(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// How long each answer took, and bytes of all bodies.
fn converse(address: &str, number: usize, paths: &[&str], time: Duration) -> (Vec<Duration>, usize) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_nodelay(true).expect("a socket");
    let (begun, mut times, mut bytes, mut buffer) = (Instant::now(), Vec::new(), 0, Vec::new());
    for (round, path) in paths.iter().cycle().enumerate() {
        let path = path.replace('#', &format!("{number}{round:06}"));
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: */*\r\n\r\n");
        if begun.elapsed() > time {
            break;
        }
        let asked = Instant::now();
        stream.write_all(request.as_bytes()).expect("the server reads");
        bytes += answer(&mut stream, &mut buffer);
        times.push(asked.elapsed());
    }
    (times, bytes)
}

/// Reads one answer with a length; how long its body is.
fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> usize {
    let mut chunk = [0; 8192];
    loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
            assert!(head.starts_with("http/1.1 200"), "{head}");
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.and_then(|text| text.trim().parse().ok()).expect("an answer with a length");
            if buffer.len() >= end + 4 + length {
                buffer.drain(..end + 4 + length);
                return length;
            }
        }
        let count = stream.read(&mut chunk).expect("the server answers");
        assert!(count > 0, "the server closed the connection");
        buffer.extend_from_slice(&chunk[..count]);
    }
}
