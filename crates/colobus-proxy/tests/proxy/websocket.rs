//! WebSockets that flow freely: every byte arrives, every message is counted.

use colobus_proxy::Flow;

use crate::peer::{ACCEPTED, Setup, frame, from_client, from_server, handshake};

fn forwarded(count: u64) -> Flow {
    Flow { forwarded: count, held: 0 }
}

#[tokio::test]
async fn the_handshake_offers_no_extensions_and_messages_flow_both_ways() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.tunnel().await;
    client.send(handshake("/doc?id=1")).await;
    let head = server.head().await;
    assert!(head.starts_with("GET /doc?id=1 HTTP/1.1\r\nHost: h\r\n"));
    assert!(!head.contains("Extensions"), "{head}");
    assert!(head.contains("Connection: Upgrade\r\nUpgrade: websocket\r\n"), "{head}");
    // A server may speak in the same segment in which it accepts.
    server.send([ACCEPTED.as_bytes(), &from_server("welcome")].concat()).await;
    let accepted = client.head().await;
    assert!(accepted.starts_with("HTTP/1.1 101 ") && accepted.contains("Sec-WebSocket-Accept: x\r\n"));
    client.expect(from_server("welcome")).await;

    client.send(from_client("hello")).await;
    server.expect(from_client("hello")).await;
    setup.until(|proxy| proxy.counts().to_server.messages == 1).await;
    let sockets = setup.proxy.sockets();
    assert_eq!(sockets.len(), 1);
    assert_eq!(sockets[0].url, format!("ws://{}/doc?id=1", setup.application.address));
    assert_eq!(sockets[0].to_server, forwarded(1));
    assert_eq!(sockets[0].to_client, forwarded(1));
    let counts = setup.proxy.counts();
    assert_eq!((counts.exchanges_started, counts.exchanges_ended), (1, 1));
}

#[tokio::test]
async fn a_handshake_in_absolute_form_works_as_well() {
    let setup = Setup::new().await;
    let handshake = handshake("/ws");
    let (_, headers) = handshake.split_once("\r\n").unwrap();
    let (mut client, mut server) = setup.request("GET", "/ws", headers).await;
    server.send(ACCEPTED).await;
    client.head().await;
    client.send(from_client("x")).await;
    server.expect(from_client("x")).await;
    setup.until(|proxy| proxy.sockets().len() == 1).await;
}

#[tokio::test]
async fn a_refused_handshake_is_an_ordinary_response() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.tunnel().await;
    client.send(handshake("/ws")).await;
    server.head().await;
    server.send("HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno").await;
    client.expect("HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno").await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
    assert_eq!(setup.proxy.sockets(), []);
}

#[tokio::test]
async fn fragments_and_control_frames_arrive_as_they_are() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    let bytes = [
        frame(false, 2, None, b"one"),
        frame(true, 9, None, b"still there?"),
        frame(false, 0, None, b""),
        frame(true, 10, None, b"unasked pong"),
        frame(true, 0, None, b"three"),
        from_server("next"),
    ]
    .concat();
    server.send(&bytes).await;
    client.expect(&bytes).await;
    let pong = frame(true, 10, Some([9; 4]), b"still there?");
    client.send(&pong).await;
    server.expect(&pong).await;
    setup.until(|proxy| proxy.counts().to_client.messages == 2).await;
    assert_eq!(setup.proxy.counts().to_server.messages, 0);
}

#[tokio::test]
async fn messages_of_all_length_formats_pass() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    for len in [0, 125, 126, 0xffff, 0x10000, 3_000_000] {
        let message = frame(true, 2, Some([5, 6, 7, 8]), &vec![0xa5; len]);
        let (_, received) = tokio::join!(client.send(&message), server.take(message.len()));
        assert!(received == message, "{len} bytes");
    }
    setup.until(|proxy| proxy.counts().to_server.messages == 6).await;
}

#[tokio::test]
async fn closing_passes_both_ways_and_ends_the_socket() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    let close = frame(true, 8, None, &[3, 232]);
    server.send(&close).await;
    client.expect(&close).await;
    let answer = frame(true, 8, Some([0; 4]), &[3, 232]);
    client.send(&answer).await;
    server.expect(&answer).await;
    drop(server);
    client.expect_end().await;
    drop(client);
    setup.until(|proxy| proxy.sockets().is_empty()).await;
    assert_eq!(setup.proxy.counts().to_client.messages, 0, "closing is not a data message");
    assert_eq!(setup.proxy.problems(), []);
}

#[tokio::test]
async fn garbage_ends_its_own_socket_only() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/good").await;
    let (mut bad_client, mut bad_server) = setup.websocket("/bad").await;
    bad_server.send(b"\x83\xff\xff garbage").await;
    bad_client.expect_end().await;
    bad_server.expect_end().await;
    drop((bad_client, bad_server));
    setup.until(|proxy| proxy.sockets().len() == 1).await;
    let problems = setup.proxy.problems();
    assert!(problems[0].url.ends_with("/bad") && problems[0].what.contains("reserved opcode 0x3"), "{problems:?}");
    client.send(from_client("unharmed")).await;
    server.expect(from_client("unharmed")).await;
}
