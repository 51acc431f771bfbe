//! One client's WebSocket: the connection's own thread reads, a second one writes what is in the [`Outbox`].
//! All that goes out passes the outbox, pongs as well: a pong therefore comes behind every message that an earlier
//! message of that client caused.

use crate::protocol::{ClientId, FromClient, FromServer};
use crate::room::{Returning, Room};
use crate::rooms::Rooms;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

const LONGEST_MESSAGE: usize = 256 * 1024;
const MOST_WAITING_FRAMES: usize = 4096;

/// Frames on their way to one client.
#[derive(Debug)]
pub(crate) struct Outbox {
    frames: SyncSender<Vec<u8>>,
    stream: TcpStream,
}

impl Outbox {
    fn open(stream: &TcpStream) -> io::Result<(Outbox, Receiver<Vec<u8>>)> {
        let (frames, waiting) = sync_channel(MOST_WAITING_FRAMES);
        Ok((Outbox { frames, stream: stream.try_clone()? }, waiting))
    }

    pub(crate) fn send(&self, message: &FromServer<'_>) {
        let Ok(text) = serde_json::to_vec(message) else { return };
        let mut bytes = Vec::with_capacity(text.len() + 10);
        if Frame::message(text, OpCode::Data(Data::Text), true).format(&mut bytes).is_ok() {
            self.push(bytes);
        }
    }

    /// A client that does not read is cut off: it comes back and asks for what it missed.
    fn push(&self, bytes: Vec<u8>) -> bool {
        let pushed = self.frames.try_send(bytes).is_ok();
        if !pushed {
            let _ = self.stream.shutdown(Shutdown::Both);
        }
        pushed
    }
}

/// Reads from the network and writes into the outbox.
struct Duplex {
    stream: TcpStream,
    outbox: Arc<Outbox>,
}

impl Read for Duplex {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Duplex {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.outbox.push(bytes.to_vec()) { Ok(bytes.len()) } else { Err(io::ErrorKind::ConnectionAborted.into()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Serves a connection whose handshake is done, until it ends. `early` was read together with the handshake.
pub(crate) fn serve(
    stream: TcpStream,
    early: Vec<u8>,
    rooms: &Rooms,
    document: &str,
    returning: Option<Returning>,
) -> io::Result<()> {
    let (outbox, waiting) = Outbox::open(&stream)?;
    let outbox = Arc::new(outbox);
    let out = stream.try_clone()?;
    let writer = std::thread::Builder::new().name("demo-writer".into()).spawn(move || write_frames(out, waiting))?;

    let (room, client) = rooms.join(document, Arc::clone(&outbox), returning);
    let limits = WebSocketConfig::default()
        .read_buffer_size(4096)
        .max_message_size(Some(LONGEST_MESSAGE))
        .max_frame_size(Some(LONGEST_MESSAGE));
    let duplex = Duplex { stream, outbox: Arc::clone(&outbox) };
    let socket = WebSocket::from_partially_read(duplex, early, Role::Server, Some(limits));
    read_messages(socket, &room, client);
    rooms.leave(document, &room, client, &outbox);

    drop(outbox);
    let _ = writer.join();
    Ok(())
}

fn read_messages(mut socket: WebSocket<Duplex>, room: &Room, client: ClientId) {
    while let Ok(message) = socket.read() {
        match message {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(FromClient::Edit(proposal)) => room.edit(client, proposal),
                Ok(FromClient::Resync) => room.resync(client),
                Ok(FromClient::Empty) => room.empty(),
                Ok(FromClient::Presence { revision, range }) => room.show(client, revision, range),
                Err(error) => room.refuse(client, &format!("not a message of the editor: {error}")),
            },
            Message::Binary(_) => room.refuse(client, "the editor speaks JSON in text frames"),
            _ => {}
        }
    }
}

fn write_frames(mut stream: TcpStream, waiting: Receiver<Vec<u8>>) {
    for frame in waiting {
        if stream.write_all(&frame).is_err() {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}
