//! Connections of a browser on another machine that something on the way breaks are counted; those that it closes itself are not.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use colobus_proxy::{ProxyOptions, Secret};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::peer::{ACCEPTED, Peer, Setup, from_client, from_server, handshake, soon};

/// How a connection ends.
#[derive(Clone, Copy)]
enum End {
    /// As those do that a network breaks.
    Reset,
    Closed,
}

fn end(client: TcpStream, how: End) {
    if let End::Reset = how {
        // Closing it says that everything is lost.
        client.set_zero_linger().unwrap();
    }
    drop(client);
}

/// A proxy for a browser elsewhere, and what it has to show.
async fn elsewhere() -> (Setup, String) {
    let secret = Secret::new().unwrap();
    let credentials = STANDARD.encode(format!("{}:{}", Secret::USER, secret.password()));
    let setup = Setup::with(ProxyOptions { secret: Some(secret), ..ProxyOptions::default() }).await;
    (setup, format!("Proxy-Authorization: Basic {credentials}\r\n"))
}

/// A connection that asks for something, at both ends.
async fn asking(setup: &Setup, request: String) -> (TcpStream, Peer) {
    let mut client = TcpStream::connect(setup.proxy.address()).await.unwrap();
    soon(client.write_all(request.as_bytes())).await.unwrap();
    let mut server = setup.application.accept().await;
    server.head().await;
    (client, server)
}

/// An open WebSocket.
async fn socket(setup: &Setup, shown: &str) -> (TcpStream, Peer) {
    let (_, headers) =
        handshake("/ws").split_once("\r\n").map(|(line, rest)| (line.to_string(), rest.to_string())).unwrap();
    let (mut client, mut server) =
        asking(setup, format!("GET {} HTTP/1.1\r\n{shown}{headers}", setup.url("/ws"))).await;
    server.send(ACCEPTED).await;
    // A connection that is closed with something unread in it is reset.
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(soon(client.read_u8()).await.unwrap());
    }
    soon(client.write_all(&from_client("hello"))).await.unwrap();
    server.expect(from_client("hello")).await;
    setup.until(|proxy| proxy.sockets().len() == 1).await;
    (client, server)
}

#[tokio::test]
async fn a_socket_that_is_reset_is_broken_and_one_that_is_closed_is_not() {
    for (how, expected) in [(End::Reset, 1), (End::Closed, 0)] {
        let (setup, shown) = elsewhere().await;
        let (client, _server) = socket(&setup, &shown).await;
        end(client, how);
        setup.until(|proxy| proxy.sockets().is_empty()).await;
        assert_eq!(setup.proxy.counts().broken, expected);
    }
}

#[tokio::test]
async fn a_request_that_is_reset_before_its_answer_is_broken_and_one_that_is_given_up_is_not() {
    for (how, expected) in [(End::Reset, 1), (End::Closed, 0)] {
        let (setup, shown) = elsewhere().await;
        let (client, _server) = asking(&setup, format!("GET {} HTTP/1.1\r\n{shown}\r\n", setup.url("/slow"))).await;
        end(client, how);
        setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
        assert_eq!(setup.proxy.counts().broken, expected);
    }
}

#[tokio::test]
async fn sockets_of_a_document_that_was_left_and_of_browsers_of_this_machine_end_in_any_way() {
    let (setup, shown) = elsewhere().await;
    let (client, _server) = socket(&setup, &shown).await;
    setup.proxy.leave_document();
    end(client, End::Reset);
    setup.until(|proxy| proxy.sockets().is_empty()).await;
    assert_eq!(setup.proxy.counts().broken, 0);

    let here = Setup::new().await;
    let (client, mut server) = socket(&here, "").await;
    server.send(from_server("unread")).await;
    end(client, End::Reset);
    here.until(|proxy| proxy.sockets().is_empty()).await;
    assert_eq!(here.proxy.counts().broken, 0);
}
