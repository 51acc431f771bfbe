//! [`Transport`]: how protocol messages get to a browser and back. Here through the pipe of a browser that we started;
//! a WebSocket to a browser that somebody else started fits the same shape.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

/// Whole JSON messages, both ways. Either side ends when the browser does.
pub struct Transport {
    pub outgoing: mpsc::UnboundedSender<String>,
    pub incoming: mpsc::UnboundedReceiver<String>,
}

impl Transport {
    /// Messages end with a zero byte, as `--remote-debugging-pipe` wants it.
    pub fn over_pipe(
        mut to_browser: impl AsyncWrite + Unpin + Send + 'static,
        from_browser: impl AsyncRead + Unpin + Send + 'static,
    ) -> Transport {
        let (outgoing, mut to_send) = mpsc::unbounded_channel::<String>();
        let (received, incoming) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(message) = to_send.recv().await {
                let mut bytes = message.into_bytes();
                bytes.push(0);
                while let Ok(next) = to_send.try_recv() {
                    bytes.extend_from_slice(next.as_bytes());
                    bytes.push(0);
                }
                if to_browser.write_all(&bytes).await.is_err() || to_browser.flush().await.is_err() {
                    return;
                }
            }
        });
        tokio::spawn(read_messages(from_browser, received));
        Transport { outgoing, incoming }
    }
}

async fn read_messages(mut from_browser: impl AsyncRead + Unpin, received: mpsc::UnboundedSender<String>) {
    let mut pending: Vec<u8> = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let read = match from_browser.read(&mut chunk).await {
            Ok(0) | Err(_) => return,
            Ok(read) => read,
        };
        let mut rest = &chunk[..read];
        while let Some(end) = rest.iter().position(|byte| *byte == 0) {
            pending.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let message = String::from_utf8_lossy(&pending).into_owned();
            pending.clear();
            if received.send(message).is_err() {
                return;
            }
        }
        pending.extend_from_slice(rest);
    }
}
