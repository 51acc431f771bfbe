//! A server of sockets for tests: every text gets a fixed answer.

use std::net::{SocketAddr, TcpListener};
use std::thread;

use tungstenite::{Message, accept};

/// Answers `text` with `answer to text`, until the test program ends.
pub fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let Ok(mut socket) = accept(stream) else { return };
                while let Ok(message) = socket.read() {
                    if let Message::Text(text) = message
                        && socket.send(Message::text(format!("answer to {text}"))).is_err()
                    {
                        return;
                    }
                }
            });
        }
    });
    address
}
