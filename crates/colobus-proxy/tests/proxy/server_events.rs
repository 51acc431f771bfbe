//! Streams of server-sent events.

use colobus_proxy::{Direction, MessageKind};

use crate::peer::{Peer, Setup, soon};

/// Opens a stream whose response has this header beside its type.
async fn stream(setup: &Setup, framing: &str) -> (Peer, Peer) {
    let (mut client, mut server) = setup.request("GET", "/events", "Accept: text/event-stream\r\n\r\n").await;
    server.send(format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{framing}\r\n")).await;
    client.head().await;
    setup.until(|proxy| proxy.in_flight()[0].streams).await;
    (client, server)
}

#[tokio::test]
async fn events_are_forwarded_and_counted_one_by_one() {
    let setup = Setup::new().await;
    let (mut client, mut server) = stream(&setup, "Transfer-Encoding: chunked\r\n").await;
    // Two events in three chunks that end elsewhere, written anew with a chunk for each part that arrived.
    server.send("9\r\ndata: 1\n\n\r\n").await;
    client.expect("9\r\ndata: 1\n\n\r\n").await;
    server.send("6\r\ndata: \r\n").await;
    client.expect("6\r\ndata: \r\n").await;
    server.send("3\r\n2\n\n\r\n0\r\n\r\n").await;
    client.expect("3\r\n2\n\n\r\n0\r\n\r\n").await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
    assert_eq!(setup.proxy.counts().to_client.messages, 2);
}

#[tokio::test]
async fn events_are_held_one_by_one() {
    let setup = Setup::new().await;
    for (framing, encode) in [("Transfer-Encoding: chunked\r\n", chunk as fn(&str) -> String), ("", str::to_owned)] {
        let (mut client, mut server) = stream(&setup, framing).await;
        setup.proxy.hold([Direction::ToClient]);
        server.send(encode("data: 1\n\ndata: 2\n\nda")).await;
        assert_eq!(setup.held(2).await, ["data: 1", "data: 2"]);
        server.send(encode("ta: 3\n\n")).await;
        assert_eq!(setup.held(3).await, ["data: 1", "data: 2", "data: 3"]);
        let held = setup.proxy.held();
        assert!(held.iter().all(|message| message.kind == MessageKind::StreamEvent));
        assert_eq!(held[0].position, 1, "the head of the response came before");
        soon(setup.proxy.release(held[0].id)).await.unwrap();
        client.expect(encode("data: 1\n\n")).await;
        soon(setup.proxy.open(Direction::BOTH)).await;
        client.expect(encode("data: 2\n\n")).await;
        client.expect(encode("data: 3\n\n")).await;
        drop(client);
        server.expect_end().await;
        setup.until(|proxy| proxy.in_flight().is_empty()).await;
    }
}

#[tokio::test]
async fn the_beginning_of_a_stream_can_be_held_as_well() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.get("/events").await;
    setup.proxy.hold([Direction::ToClient]);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    server.send(format!("{head}data: 1\n\n")).await;
    assert_eq!(setup.held(1).await, ["200 text/event-stream"]);
    soon(setup.proxy.release(setup.proxy.held()[0].id)).await.unwrap();
    client.expect(head).await;
    assert_eq!(setup.held(1).await, ["data: 1"]);
    drop(server);
    soon(setup.proxy.open(Direction::BOTH)).await;
    client.expect("data: 1\n\n").await;
    client.expect_end().await;
}

fn chunk(content: &str) -> String {
    format!("{:x}\r\n{content}\r\n", content.len())
}
