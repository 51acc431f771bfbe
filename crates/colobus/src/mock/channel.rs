//! WebSockets and event streams of a mock, each for as long as its client stays.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use colobus_learn::language::ChannelKind;
use colobus_learn::mock::{Conversation, Said};
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

use super::http::Incoming;

/// The kind of channel that a request asks for.
pub(super) fn asked_for(incoming: &Incoming) -> Option<ChannelKind> {
    let says = |name: &str, word: &str| {
        incoming
            .header(name)
            .is_some_and(|value| value.to_ascii_lowercase().split([',', ';']).any(|part| part.trim() == word))
    };
    match () {
        () if incoming.method != "GET" => None,
        () if says("upgrade", "websocket") => Some(ChannelKind::Socket),
        () if says("accept", "text/event-stream") => Some(ChannelKind::Events),
        () => None,
    }
}

/// Talks until the client leaves.
pub(super) fn hold(mut stream: TcpStream, incoming: &Incoming, mut conversation: Conversation<'_>) -> io::Result<()> {
    // A client of a channel may be silent for as long as it likes.
    stream.set_read_timeout(None)?;
    match conversation.kind() {
        ChannelKind::Socket => socket(stream, incoming, &mut conversation),
        ChannelKind::Events => events(&mut stream, incoming, &mut conversation),
    }
}

fn socket(mut stream: TcpStream, incoming: &Incoming, conversation: &mut Conversation<'_>) -> io::Result<()> {
    let accept =
        tungstenite::handshake::derive_accept_key(incoming.header("sec-websocket-key").unwrap_or_default().as_bytes());
    // The first of the protocols that the client knows is as good as any.
    let protocol = incoming.header("sec-websocket-protocol").and_then(|all| all.split(',').next()).map(str::trim);
    let protocol = protocol.map(|name| format!("Sec-WebSocket-Protocol: {name}\r\n")).unwrap_or_default();
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n{protocol}\r\n"
    );
    stream.write_all(head.as_bytes())?;
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, None);
    let mut said = conversation.begin();
    // A client that is gone ends it.
    loop {
        for Said { text, .. } in said.drain(..) {
            if socket.send(Message::text(text)).is_err() {
                return Ok(());
            }
        }
        match socket.read() {
            Ok(Message::Text(text)) => said.extend(conversation.answer(text.as_str())),
            Ok(Message::Binary(bytes)) => said.extend(conversation.answer(&String::from_utf8_lossy(&bytes))),
            Ok(_) => {}
            Err(_) => return Ok(()),
        }
    }
}

fn events(stream: &mut TcpStream, incoming: &Incoming, conversation: &mut Conversation<'_>) -> io::Result<()> {
    let origin = super::http::local_origin(incoming).map(|origin| format!("Access-Control-Allow-Origin: {origin}\r\n"));
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n{}Connection: close\r\n\r\n",
        origin.unwrap_or_default()
    );
    stream.write_all(head.as_bytes())?;
    for Said { event, text } in conversation.begin() {
        let name = event.map(|event| format!("event: {event}\n")).unwrap_or_default();
        let data: String = text.lines().map(|line| format!("data: {line}\n")).collect();
        stream.write_all(format!("{name}{data}\n").as_bytes())?;
    }
    // It stays open, as streams do: clients that lose one open another.
    let mut rest = [0; 512];
    while stream.read(&mut rest)? > 0 {}
    Ok(())
}
