//! [`Request`]: the little HTTP that is needed to see whether an application is there, or to tell it to start afresh.

use colobus_model::UrlParts;

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long all of it may take: connecting, sending, and the head of the answer.
const LIMIT: Duration = Duration::from_secs(10);
/// How long a place may take to accept a connection.
const CONNECTION_LIMIT: Duration = Duration::from_secs(5);
/// Between two looks at whether the answer is still wanted.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// A status line is never longer than this.
const ENOUGH: usize = 16 << 10;

#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    pub url: String,
    pub body: String,
}

#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    #[error("`{url}` is not an http:// address")]
    NotHttp { url: String },
    #[error("`{url}` is encrypted, which this request cannot be; use a command such as curl instead")]
    Encrypted { url: String },
    #[error("{address} cannot be reached: {source}")]
    Unreachable { address: String, source: io::Error },
    #[error("{address} did not answer in HTTP")]
    NotAnHttpAnswer { address: String },
}

/// The addresses of `host:port`. Loopback names need no resolver: they mean this machine, in both kinds of addresses.
pub fn addresses(address: &str) -> Vec<SocketAddr> {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let local = host == "localhost" || host.ends_with(".localhost");
    if let (true, Some((_, port))) = (local, address.rsplit_once(':')) {
        let both = ["127.0.0.1", "[::1]"].map(|host| format!("{host}:{port}"));
        return both.iter().filter_map(|address| address.parse().ok()).collect();
    }
    address.to_socket_addrs().map(Iterator::collect).unwrap_or_default()
}

impl Request {
    /// `host:port` and the port alone.
    pub fn place(&self) -> Result<(String, u16), RequestError> {
        let not_http = || RequestError::NotHttp { url: self.url.clone() };
        let UrlParts { scheme, authority, .. } = UrlParts::of(&self.url).ok_or_else(not_http)?;
        let usual = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(not_http()),
        };
        if authority.is_empty() {
            return Err(not_http());
        }
        // The colons of an IPv6 address stand inside brackets.
        match authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
            Some((_, port)) => {
                let port = port.parse().map_err(|_| not_http())?;
                Ok((authority.to_string(), port))
            }
            None => Ok((format!("{authority}:{usual}"), usual)),
        }
    }

    /// Sends it and returns the status of the answer.
    pub fn send(&self) -> Result<u16, RequestError> {
        self.send_within(LIMIT, &|| true)
    }

    /// The same, as long as the answer is wanted.
    pub fn send_while(&self, is_wanted: &dyn Fn() -> bool) -> Result<u16, RequestError> {
        self.send_within(LIMIT, is_wanted)
    }

    fn send_within(&self, limit: Duration, is_wanted: &dyn Fn() -> bool) -> Result<u16, RequestError> {
        let (address, _) = self.place()?;
        if self.url.starts_with("https:") {
            return Err(RequestError::Encrypted { url: self.url.clone() });
        }
        self.exchange(&address, Deadline { at: Instant::now() + limit, is_wanted })
            .map_err(|source| RequestError::Unreachable { address: address.clone(), source })?
            .ok_or(RequestError::NotAnHttpAnswer { address })
    }

    fn exchange(&self, address: &str, deadline: Deadline) -> io::Result<Option<u16>> {
        let mut stream = connect(address, deadline)?;
        let path = UrlParts::of(&self.url).map_or("", |parts| parts.path_and_query());
        let slash = if path.starts_with('/') { "" } else { "/" };
        let request = format!(
            "{} {slash}{path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
            self.method,
            self.body.len(),
            self.body
        );
        send_all(&mut stream, request.as_bytes(), deadline)?;
        let mut received = Vec::new();
        let mut chunk = [0; 1024];
        loop {
            let read = receive(&mut stream, &mut chunk, deadline)?;
            received.extend_from_slice(&chunk[..read]);
            let mut headers = [httparse::EMPTY_HEADER; 100];
            let mut response = httparse::Response::new(&mut headers);
            match response.parse(&received) {
                Ok(_) if response.code.is_some() => return Ok(response.code),
                Ok(_) if read > 0 && received.len() < ENOUGH => {}
                _ => return Ok(None),
            }
        }
    }
}

/// Until when something is worth waiting for.
#[derive(Clone, Copy)]
struct Deadline<'a> {
    at: Instant,
    is_wanted: &'a dyn Fn() -> bool,
}

impl Deadline<'_> {
    /// The time that is left, but no more than this; an error if there is none.
    fn left(&self, at_most: Duration) -> io::Result<Duration> {
        if !(self.is_wanted)() {
            return Err(io::Error::other("its answer is not wanted any more"));
        }
        let left = self.at.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "it takes too long to answer"));
        }
        Ok(left.min(at_most))
    }
}

/// Whether the same may be tried again as long as there is time.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

fn send_all(stream: &mut TcpStream, mut rest: &[u8], deadline: Deadline) -> io::Result<()> {
    while !rest.is_empty() {
        stream.set_write_timeout(Some(deadline.left(LOOK_AGAIN)?))?;
        match stream.write(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(sent) => rest = &rest[sent..],
            Err(error) if is_passing(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The next part of the answer. A server that sends a little from time to time does not get more time by it.
fn receive(stream: &mut TcpStream, chunk: &mut [u8], deadline: Deadline) -> io::Result<usize> {
    loop {
        stream.set_read_timeout(Some(deadline.left(LOOK_AGAIN)?))?;
        match stream.read(chunk) {
            Err(error) if is_passing(&error) => {}
            read => return read,
        }
    }
}

fn connect(address: &str, deadline: Deadline) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "its name has no address");
    for address in addresses(address) {
        match TcpStream::connect_timeout(&address, deadline.left(CONNECTION_LIMIT)?) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn place(url: &str) -> Option<(String, u16)> {
        Request { method: "GET".into(), url: url.into(), body: String::new() }.place().ok()
    }

    #[test]
    fn addresses_come_from_urls() {
        let port = |address: &str, port| Some((address.to_string(), port));
        assert_eq!(place("http://localhost:3000/a?b#c"), port("localhost:3000", 3000));
        assert_eq!(place("http://example.org"), port("example.org:80", 80));
        assert_eq!(place("https://example.org/"), port("example.org:443", 443));
        assert_eq!(place("http://[::1]:8080/"), port("[::1]:8080", 8080));
        assert_eq!(place("http://[::1]/"), port("[::1]:80", 80));
        for wrong in ["localhost:3000", "ftp://x/", "http://", "http://x:port/", "http://x:99999/"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }

    /// A request to a server that sends a line end again and again, and never an answer.
    fn to_a_dripping_server() -> Request {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/empty", listener.local_addr().unwrap());
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                while stream.write_all(b"\r\n").is_ok() {
                    thread::sleep(Duration::from_millis(50));
                }
            }
        });
        Request { method: "POST".into(), url, body: "{}".into() }
    }

    #[test]
    fn an_answer_that_drips_has_no_more_time_than_any_other() {
        let begun = Instant::now();
        let answer = to_a_dripping_server().send_within(Duration::from_millis(300), &|| true);
        let problem = answer.unwrap_err().to_string();
        assert!(problem.contains("it takes too long to answer"), "{problem}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }

    #[test]
    fn an_answer_that_is_not_wanted_any_more_is_not_waited_for() {
        let begun = Instant::now();
        let answer = to_a_dripping_server()
            .send_within(Duration::from_secs(60), &|| begun.elapsed() < Duration::from_millis(300));
        assert!(answer.unwrap_err().to_string().contains("not wanted any more"));
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }

    #[test]
    fn loopback_names_mean_this_machine_in_both_kinds_of_addresses() {
        let both = ["127.0.0.1:5", "[::1]:5"].map(|address| address.parse().unwrap());
        assert_eq!(addresses("localhost:5"), both);
        assert_eq!(addresses("a.b.localhost:5"), both);
        assert_eq!(addresses("[::1]:5"), both[1..]);
    }
}
