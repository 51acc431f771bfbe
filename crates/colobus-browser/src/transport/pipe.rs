//! [`Pipe`]: the transport of a browser that was started with `--remote-debugging-pipe`. Every message ends with a zero
//! byte.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

use super::{Messages, Transport};

pub struct Pipe<W, R> {
    pub to_browser: W,
    pub from_browser: R,
}

impl<W, R> Transport for Pipe<W, R>
where
    W: AsyncWrite + Unpin + Send + 'static,
    R: AsyncRead + Unpin + Send + 'static,
{
    fn start(self) -> Messages {
        let (outgoing, to_send) = mpsc::unbounded_channel();
        let (received, incoming) = mpsc::unbounded_channel();
        tokio::spawn(write_messages(self.to_browser, to_send));
        tokio::spawn(read_messages(self.from_browser, received));
        Messages { outgoing, incoming }
    }
}

async fn write_messages(mut to_browser: impl AsyncWrite + Unpin, mut to_send: mpsc::UnboundedReceiver<String>) {
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
