//! [`Wire`]: a byte stream to a client or a server, plain or encrypted; nothing above it knows which.

use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// How long the other end may take to notice that a connection is over.
pub(super) const LINGER: Duration = Duration::from_secs(2);

pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// A stream, and bytes that were read from it and not consumed yet.
pub(super) struct Wire {
    pub stream: Box<dyn Stream>,
    pub inbox: BytesMut,
}

impl Wire {
    pub fn new(stream: impl Stream + 'static) -> Wire {
        let (stream, inbox) = (Box::new(stream), BytesMut::new());
        Wire { stream, inbox }
    }

    /// Takes the wire out of its place and leaves one there that is at its end.
    pub fn take(&mut self) -> Wire {
        std::mem::replace(self, Wire::new(tokio::io::empty()))
    }

    /// Reads some more into the inbox; 0 at the end. Nothing is lost when the call is dropped.
    pub async fn read_more(&mut self) -> std::io::Result<usize> {
        self.inbox.reserve(16 * 1024);
        self.stream.read_buf(&mut self.inbox).await
    }

    pub async fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes).await?;
        self.stream.flush().await
    }

    /// Tells the other end that nothing more comes.
    pub async fn say_goodbye(&mut self) {
        // A peer that is gone, or too slow to take a goodbye, does not need one.
        let _ = tokio::time::timeout(LINGER, self.stream.shutdown()).await;
    }

    /// Reads and forgets until the other end closes as well. Closing with unread bytes would make the system reset the
    /// connection, and the other end could lose what was delivered to it before.
    pub async fn drain(&mut self) {
        let until_closed = async {
            loop {
                self.inbox.clear();
                match self.read_more().await {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
            }
        };
        let _ = tokio::time::timeout(LINGER, until_closed).await;
    }
}
