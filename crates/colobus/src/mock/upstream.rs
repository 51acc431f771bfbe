//! [`Upstream`]: the real server, which answers what the description does not know.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::str::FromStr;
use std::time::Duration;

use colobus_model::UrlParts;

use super::http::{Incoming, write_refusal};
use super::missed::{LARGEST_ANSWER, Missed};

/// A server that is reached without TLS.
#[derive(Clone, Debug)]
pub struct Upstream {
    host: String,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot pass requests on to `{0}`: write an address such as http://127.0.0.1:8080 (https is not supported)")]
pub struct NoUpstream(String);

const PATIENCE: Duration = Duration::from_secs(30);

/// Headers that concern one connection and are not passed on.
const HOP_BY_HOP: [&str; 8] =
    ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "upgrade", "host", "content-length"];

impl FromStr for Upstream {
    type Err = NoUpstream;

    fn from_str(text: &str) -> Result<Upstream, NoUpstream> {
        let is_plain = |parts: &UrlParts| parts.scheme == "http" && ["", "/"].contains(&parts.rest);
        let parts = UrlParts::of(text).filter(is_plain);
        let host = parts.map(|parts| parts.authority).filter(|host| !host.is_empty() && !host.contains(['@', ' ']));
        let host = host.ok_or_else(|| NoUpstream(text.to_string()))?;
        Ok(Upstream { host: if host.contains(':') { host.to_string() } else { format!("{host}:80") } })
    }
}

impl Upstream {
    /// Passes the request on and the answer back; the connection ends with it.
    pub(super) fn forward(
        &self,
        incoming: &Incoming,
        client: &mut TcpStream,
        missed: Option<&Missed>,
    ) -> io::Result<()> {
        let Ok(mut server) = self.ask(incoming, missed.is_some()) else { return write_refusal(client, 502) };
        let mut copy = Vec::new();
        let relayed = relay(&mut server, client, if missed.is_some() { LARGEST_ANSWER } else { 0 }, &mut copy);
        if let Some(missed) = missed {
            missed.keep(&self.host, incoming, &copy);
        }
        relayed
    }

    /// Asks the server; for an answer that is going to be read here without compression.
    fn ask(&self, incoming: &Incoming, is_read: bool) -> io::Result<TcpStream> {
        let mut server = TcpStream::connect(&self.host)?;
        server.set_read_timeout(Some(PATIENCE))?;
        let mut head = format!("{} {} HTTP/1.1\r\nHost: {}\r\n", incoming.method, incoming.target, self.host);
        for (name, value) in &incoming.headers {
            let lower = name.to_ascii_lowercase();
            let is_left_out = HOP_BY_HOP.contains(&lower.as_str()) || is_read && lower == "accept-encoding";
            if !is_left_out {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        head.push_str(&format!("Content-Length: {}\r\nConnection: close\r\n\r\n", incoming.body.len()));
        server.write_all(&[head.as_bytes(), &incoming.body].concat())?;
        Ok(server)
    }
}

/// The answer as it comes, until the server ends it; `copy` gets the first bytes of it.
fn relay(server: &mut TcpStream, client: &mut TcpStream, most: usize, copy: &mut Vec<u8>) -> io::Result<()> {
    let mut chunk = [0; 16 * 1024];
    loop {
        match server.read(&mut chunk)? {
            0 => return Ok(()),
            count => {
                copy.extend_from_slice(&chunk[..count.min(most - copy.len())]);
                client.write_all(&chunk[..count])?;
            }
        }
    }
}
