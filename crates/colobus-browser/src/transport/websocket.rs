//! [`WebSocket`]: the transport of a browser that is already running and offers a DevTools endpoint
//! (`ws://host:port/devtools/browser/...`). Such a browser may run on another machine and then cannot reach proxies on
//! this one's loopback.

use std::io::{self, Read, Write};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::http::HeaderValue;
use tungstenite::http::header::AUTHORIZATION;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message};

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
        "`{0}` is encrypted, which is not supported: forward a local port to the browser and give its ws:// address"
    )]
    Encrypted(String),
    #[error(
        "no browser could be reached at {url}: {problem}; is it running, and does it accept connections from here?"
    )]
    Unreachable { url: String, problem: String },
}

/// An open connection to a browser.
pub struct WebSocket(tungstenite::WebSocket<NonBlocking>);

impl WebSocket {
    /// `authorization` is a header that a Grid in between may ask for.
    pub async fn connect(url: &str, authorization: Option<&str>) -> Result<WebSocket, ConnectError> {
        if url.starts_with("wss://") {
            return Err(ConnectError::Encrypted(url.to_string()));
        }
        let address = || ConnectError::Address(url.to_string());
        let rest = url.strip_prefix("ws://").ok_or_else(address)?;
        let host = rest.split(['/', '?']).next().filter(|host| !host.is_empty()).ok_or_else(address)?;
        let is_ported = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let host = if is_ported { host.to_string() } else { format!("{host}:80") };
        let unreachable = |problem: String| ConnectError::Unreachable { url: url.to_string(), problem };
        let connecting = async {
            let stream = TcpStream::connect(&host).await.map_err(|error| error.to_string())?;
            stream.set_nodelay(true).map_err(|error| error.to_string())?;
            shake_hands(url, authorization, stream).await
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
    stream: TcpStream,
) -> Result<tungstenite::WebSocket<NonBlocking>, String> {
    let mut request = url.into_client_request().map_err(|error| error.to_string())?;
    if let Some(authorization) = authorization {
        let value = HeaderValue::from_str(authorization).map_err(|error| error.to_string())?;
        request.headers_mut().insert(AUTHORIZATION, value);
    }
    let config =
        WebSocketConfig::default().max_message_size(Some(LARGEST_MESSAGE)).max_frame_size(Some(LARGEST_MESSAGE));
    let mut progress = tungstenite::client::client_with_config(request, NonBlocking(stream), Some(config));
    loop {
        match progress {
            Ok((socket, _)) => return Ok(socket),
            Err(HandshakeError::Failure(error)) => return Err(error.to_string()),
            Err(HandshakeError::Interrupted(middle)) => {
                // The request is far smaller than a socket's buffer: what is missing is the answer.
                middle.get_ref().get_ref().0.readable().await.map_err(|error| error.to_string())?;
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
    mut socket: tungstenite::WebSocket<NonBlocking>,
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
        let stream = &socket.get_ref().0;
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
