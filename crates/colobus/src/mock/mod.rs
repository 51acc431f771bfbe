//! [`MockServer`]: the sockets of `colobus mock`. Each connection has a thread; [`colobus_learn::Mock`] knows the answers.

mod channel;
mod http;
mod missed;
mod upstream;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use colobus_learn::mock::Reply;
use colobus_learn::{Body, Mock, Request};

use http::{Incoming, ReadError};
pub use missed::Missed;
pub use upstream::Upstream;

/// A connection that stays silent this long is closed.
const IDLE: Duration = Duration::from_secs(60);

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("cannot listen on port {port} of 127.0.0.1; choose another one with --port (0 takes any that is free)")]
    Bind { port: u16, source: io::Error },
}

pub struct MockServer {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    mock: Mock,
    upstream: Option<Upstream>,
    missed: Option<Missed>,
}

impl MockServer {
    pub fn bind(
        port: u16,
        mock: Mock,
        upstream: Option<Upstream>,
        missed: Option<Missed>,
    ) -> Result<MockServer, ServerError> {
        let failed = |source| ServerError::Bind { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(MockServer { listener, address, shared: Arc::new(Shared { mock, upstream, missed }) })
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers until the process ends.
    pub fn serve(self) -> io::Result<()> {
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else { continue };
            let shared = Arc::clone(&self.shared);
            // Without a thread to serve it the connection is dropped, and the client tries again.
            let _ = std::thread::Builder::new().name("mock-connection".into()).spawn(move || shared.converse(stream));
        }
        Ok(())
    }
}

impl Shared {
    /// Answers the requests of one connection. A connection that breaks concerns its own client only.
    fn converse(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(IDLE))?;
        let mut buffer = Vec::new();
        loop {
            let incoming = match http::read(&mut stream, &mut buffer) {
                Ok(Some(incoming)) => incoming,
                Ok(None) => return Ok(()),
                Err(ReadError::Refused(status)) => return http::write_refusal(&mut stream, status),
                Err(ReadError::Io(error)) => return Err(error),
            };
            let opened = channel::asked_for(&incoming);
            let opened = opened.and_then(|kind| self.mock.open_channel(kind, &request(&incoming)));
            if let Some(conversation) = opened {
                return channel::hold(stream, &incoming, conversation);
            }
            let reply = http::preflight(&incoming).unwrap_or_else(|| self.mock.answer(&request(&incoming)));
            if let (None, 404, Some(upstream)) = (reply.operation, reply.status, &self.upstream) {
                return upstream.forward(&incoming, &mut stream, self.missed.as_ref());
            }
            if reply.delay_ms > 0 {
                std::thread::sleep(Duration::from_millis(u64::from(reply.delay_ms)));
            }
            http::write(&mut stream, &incoming, &reply)?;
            if !incoming.keep_alive {
                return Ok(());
            }
        }
    }
}

/// The request as patterns see it. HEAD is answered like GET, without the body.
fn request(incoming: &Incoming) -> Request {
    let content_type = incoming.header("content-type").unwrap_or_default();
    let body = (!incoming.body.is_empty()).then(|| Body::new(content_type, incoming.body.clone()));
    let method = if incoming.method == "HEAD" { "GET" } else { &incoming.method };
    Request::new(method, &incoming.target, &incoming.headers, body.as_ref())
}

/// An answer without content.
fn empty(status: u16) -> Reply {
    Reply { status, content_type: None, body: Vec::new(), delay_ms: 0, operation: None }
}

#[cfg(test)]
mod tests {
    use colobus_learn::mock::Options;
    use colobus_learn::{Description, Schemas};

    use super::*;

    /// Made-up answers, and the server behind them, are for this machine alone.
    #[test]
    fn nothing_but_this_machine_is_answered() {
        let description = Description::parse("URL http://h\nGET a() : *\n").unwrap();
        let mock = Mock::new(description, Schemas::default(), Options::default()).unwrap();
        let server = MockServer::bind(0, mock, None, None).unwrap();
        assert!(server.address.ip().is_loopback(), "{}", server.address);
    }
}
