//! [`WebSocket`]: the transport of a browser that is already running and offers a DevTools endpoint
//! (`ws://host:port/devtools/browser/...`). Such a browser may run on another machine and then cannot reach proxies on
//! this one's loopback.

use std::io::{self, Read, Write};
use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::http::HeaderValue;
use tungstenite::http::header::AUTHORIZATION;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message};

use super::encrypted::{EncryptedStream, encrypted};
use super::{Messages, Transport};

/// How long an endpoint may take to accept the connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(20);
/// Larger messages end the connection. Screenshots of large pages have some megabytes.
const LARGEST_MESSAGE: usize = 256 << 20;

#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error("`{0}` is not the address of a browser: give one such as ws://127.0.0.1:9222/devtools/browser/ID")]
    Address(String),
    #[error(
        "no browser could be reached at {url}: {problem}; is it running, and does it accept connections from here?"
    )]
    Unreachable { url: String, problem: String },
}

/// An open connection to a browser.
pub struct WebSocket(tungstenite::WebSocket<Connection>);

impl WebSocket {
    /// `authorization` is a header that a Grid in between may ask for.
    pub async fn connect(url: &str, authorization: Option<&str>) -> Result<WebSocket, ConnectError> {
        let address = || ConnectError::Address(url.to_string());
        let (rest, is_encrypted) = match url.strip_prefix("wss://") {
            Some(rest) => (rest, true),
            None => (url.strip_prefix("ws://").ok_or_else(address)?, false),
        };
        let authority = rest.split(['/', '?']).next().filter(|host| !host.is_empty()).ok_or_else(address)?;
        let ported = authority.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
        let usual = if is_encrypted { 443 } else { 80 };
        let host = if ported.is_some() { authority.to_string() } else { format!("{authority}:{usual}") };
        let name = ported.map_or(authority, |(name, _)| name).trim_matches(['[', ']']);
        let name = ServerName::try_from(name.to_string()).map_err(|_| address())?;
        let unreachable = |problem: String| ConnectError::Unreachable { url: url.to_string(), problem };
        let connecting = async {
            let stream = TcpStream::connect(&host).await.map_err(|error| error.to_string())?;
            stream.set_nodelay(true).map_err(|error| error.to_string())?;
            let stream = NonBlocking(stream);
            let connection = match is_encrypted {
                true => Connection::Encrypted(Box::new(encrypted(stream, name).map_err(|error| error.to_string())?)),
                false => Connection::Plain(stream),
            };
            shake_hands(url, authorization, connection).await
        };
        match timeout(CONNECT_LIMIT, connecting).await {
            Ok(connected) => connected.map(WebSocket).map_err(unreachable),
            Err(_) => Err(unreachable(format!("it did not answer within {} s", CONNECT_LIMIT.as_secs()))),
        }
    }
}

async fn shake_hands(
    url: &str,
    authorization: Option<&str>,
    connection: Connection,
) -> Result<tungstenite::WebSocket<Connection>, String> {
    let mut request = url.into_client_request().map_err(|error| error.to_string())?;
    if let Some(authorization) = authorization {
        let value = HeaderValue::from_str(authorization).map_err(|error| error.to_string())?;
        request.headers_mut().insert(AUTHORIZATION, value);
    }
    let config =
        WebSocketConfig::default().max_message_size(Some(LARGEST_MESSAGE)).max_frame_size(Some(LARGEST_MESSAGE));
    let mut progress = tungstenite::client::client_with_config(request, connection, Some(config));
    loop {
        match progress {
            Ok((socket, _)) => return Ok(socket),
            Err(HandshakeError::Failure(error)) => return Err(error.to_string()),
            Err(HandshakeError::Interrupted(middle)) => {
                // The request is far smaller than a socket's buffer: what is missing is the answer.
                middle.get_ref().get_ref().stream().readable().await.map_err(|error| error.to_string())?;
                progress = middle.handshake();
            }
        }
    }
}

impl Transport for WebSocket {
    fn start(self) -> Messages {
        let (outgoing, to_send) = mpsc::unbounded_channel();
        let (received, incoming) = mpsc::unbounded_channel();
        tokio::spawn(carry(self.0, to_send, received));
        Messages { outgoing, incoming }
    }
}

/// Moves messages until either side ends.
async fn carry(
    mut socket: tungstenite::WebSocket<Connection>,
    mut to_send: mpsc::UnboundedReceiver<String>,
    received: mpsc::UnboundedSender<String>,
) {
    let mut flushed = true;
    loop {
        loop {
            match socket.read() {
                Ok(Message::Text(text)) => {
                    if received.send(text.as_str().to_string()).is_err() {
                        return;
                    }
                }
                Ok(_) => {}
                Err(error) if would_block(&error) => break,
                Err(_) => return,
            }
        }
        if !flushed {
            match socket.flush() {
                Ok(()) => flushed = true,
                Err(error) if would_block(&error) => {}
                Err(_) => return,
            }
        }
        let stream = socket.get_ref().stream();
        tokio::select! {
            ready = stream.readable() => {
                if ready.is_err() {
                    return;
                }
            }
            ready = stream.writable(), if !flushed => {
                if ready.is_err() {
                    return;
                }
            }
            message = to_send.recv(), if flushed => {
                let Some(message) = message else {
                    let _ = socket.close(None);
                    return;
                };
                match socket.write(Message::text(message)) {
                    Ok(()) => flushed = false,
                    Err(error) if would_block(&error) => flushed = false,
                    Err(_) => return,
                }
            }
        }
    }
}

fn would_block(error: &Error) -> bool {
    matches!(error, Error::Io(error) if error.kind() == io::ErrorKind::WouldBlock)
}

/// A connection, encrypted or not.
enum Connection {
    Plain(NonBlocking),
    Encrypted(Box<EncryptedStream<NonBlocking>>),
}

impl Connection {
    /// What it waits for.
    fn stream(&self) -> &TcpStream {
        match self {
            Connection::Plain(stream) => &stream.0,
            Connection::Encrypted(stream) => &stream.sock.0,
        }
    }
}

impl Read for Connection {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Connection::Plain(stream) => stream.read(into),
            Connection::Encrypted(stream) => stream.read(into),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        match self {
            Connection::Plain(stream) => stream.write(from),
            Connection::Encrypted(stream) => stream.write(from),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Connection::Plain(stream) => stream.flush(),
            Connection::Encrypted(stream) => stream.flush(),
        }
    }
}

/// A connection that never waits: an operation that would have to is refused, and tried again when it is ready.
struct NonBlocking(TcpStream);

impl Read for NonBlocking {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.try_read(into)
    }
}

impl Write for NonBlocking {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.0.try_write(from)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
