//! [`Request`]: the little HTTP that is needed to see whether an application is there, or to tell it to start afresh.

use colobus_model::UrlParts;

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);
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
        let (address, _) = self.place()?;
        if self.url.starts_with("https:") {
            return Err(RequestError::Encrypted { url: self.url.clone() });
        }
        self.exchange(&address)
            .map_err(|source| RequestError::Unreachable { address: address.clone(), source })?
            .ok_or(RequestError::NotAnHttpAnswer { address })
    }

    fn exchange(&self, address: &str) -> io::Result<Option<u16>> {
        let mut stream = connect(address)?;
        stream.set_read_timeout(Some(LIMIT))?;
        stream.set_write_timeout(Some(LIMIT))?;
        let path = UrlParts::of(&self.url).map_or("", |parts| parts.path_and_query());
        let slash = if path.starts_with('/') { "" } else { "/" };
        write!(
            stream,
            "{} {slash}{path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
            self.method,
            self.body.len(),
            self.body
        )?;
        let mut received = Vec::new();
        let mut chunk = [0; 1024];
        loop {
            let read = stream.read(&mut chunk)?;
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

fn connect(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "its name has no address");
    for address in addresses(address) {
        match TcpStream::connect_timeout(&address, LIMIT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn loopback_names_mean_this_machine_in_both_kinds_of_addresses() {
        let both = ["127.0.0.1:5", "[::1]:5"].map(|address| address.parse().unwrap());
        assert_eq!(addresses("localhost:5"), both);
        assert_eq!(addresses("a.b.localhost:5"), both);
        assert_eq!(addresses("[::1]:5"), both[1..]);
    }
}
