//! TLS that is not opened: bytes are carried and counted. There is nothing to hold, because there are no messages to see.

use std::sync::Arc;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::time::timeout;

use super::proxy_state::ProxyState;
use super::view::Direction;
use super::wire::{LINGER, Wire};

/// The first byte of a TLS connection.
pub(super) const TLS_HANDSHAKE: u8 = 0x16;

pub(super) async fn carry(proxy_state: &Arc<ProxyState>, client: &mut Wire, server: &mut Wire) {
    let (from_client, to_client) = split(&mut client.stream);
    let (from_server, to_server) = split(&mut server.stream);
    let up = copy(proxy_state, Direction::ToServer, from_client, &mut client.inbox, to_server);
    let down = copy(proxy_state, Direction::ToClient, from_server, &mut server.inbox, to_client);
    let (mut up, mut down) = (std::pin::pin!(up), std::pin::pin!(down));
    // Whichever side fails to follow the other in time is left behind.
    let _ = tokio::select! {
        () = &mut up => timeout(LINGER, down).await,
        () = &mut down => timeout(LINGER, up).await,
    };
}

/// Copies until the end of input, or until the receiver has left.
async fn copy(
    proxy_state: &ProxyState,
    direction: Direction,
    mut from: impl AsyncRead + Unpin,
    buffer: &mut BytesMut,
    mut to: impl AsyncWrite + Unpin,
) {
    loop {
        if !buffer.is_empty() {
            if to.write_all(buffer).await.is_err() {
                return;
            }
            proxy_state.record(|state| state.traffic(direction).opaque_bytes += buffer.len() as u64);
            buffer.clear();
        }
        buffer.reserve(64 * 1024);
        match from.read_buf(buffer).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    // The receiver may have left first.
    let _ = to.shutdown().await;
}
