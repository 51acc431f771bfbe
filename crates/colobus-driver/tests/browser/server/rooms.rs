//! [`Rooms`]: who hears what. Everything that is said in a room reaches every socket, event stream and long poll in it, in
//! one order.

use std::collections::HashMap;
use std::io::Write;
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::frames::frame;

pub const TEXT: u8 = 1;

#[derive(Clone, Default)]
pub struct Rooms(Arc<(Mutex<HashMap<String, Room>>, Condvar)>);

#[derive(Default)]
pub struct Room {
    said: Vec<Vec<u8>>,
    sockets: Vec<TcpStream>,
    streams: Vec<TcpStream>,
}

impl Rooms {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Room>> {
        self.0.0.lock().unwrap()
    }

    pub fn messages(&self) -> usize {
        self.all().values().map(|room| room.said.len()).sum()
    }

    pub fn present(&self) -> usize {
        self.all().values().map(|room| room.sockets.len()).sum()
    }

    pub fn clear(&self) {
        self.all().clear();
    }

    pub fn say(&self, name: &str, opcode: u8, payload: Vec<u8>) {
        let mut rooms = self.all();
        let room = rooms.entry(name.to_string()).or_default();
        for peer in &mut room.sockets {
            let _ = peer.write_all(&frame(0x80 | opcode, &payload));
        }
        let event = [b"data: ".as_slice(), &payload, b"\n\n"].concat();
        for stream in &mut room.streams {
            let _ = stream.write_all(&event);
        }
        room.said.push(payload);
        self.0.1.notify_all();
    }

    /// Takes a socket in, and tells it the last thing that was said.
    pub fn enter(&self, name: &str, socket: &mut TcpStream) -> Option<()> {
        let mut rooms = self.all();
        let room = rooms.entry(name.to_string()).or_default();
        if let Some(last) = room.said.last() {
            socket.write_all(&frame(0x80 | TEXT, last)).ok()?;
        }
        room.sockets.push(socket.try_clone().ok()?);
        Some(())
    }

    pub fn leave(&self, name: &str, socket: &TcpStream) {
        let Ok(address) = socket.peer_addr() else { return };
        if let Some(room) = self.all().get_mut(name) {
            room.sockets.retain(|peer| peer.peer_addr().is_ok_and(|other| other != address));
        }
    }

    pub fn follow(&self, name: &str, stream: TcpStream) {
        self.all().entry(name.to_string()).or_default().streams.push(stream);
    }

    /// Answers a ping behind everything that was said before.
    pub fn pong(&self, socket: &mut TcpStream, payload: &[u8]) -> Option<()> {
        let _rooms = self.all();
        socket.write_all(&frame(0x8a, payload)).ok()
    }

    /// Waits for the message with this number, counted from zero.
    pub fn wait_for(&self, name: &str, number: usize) -> Vec<u8> {
        let said = |rooms: &HashMap<String, Room>| rooms.get(name).and_then(|room| room.said.get(number)).cloned();
        let rooms = self.0.1.wait_while(self.all(), |rooms| said(rooms).is_none()).unwrap();
        said(&rooms).unwrap()
    }
}
