//! What the tap sees of exchanges, sockets and event streams, whether they flow or are held.

use std::sync::Arc;

use colobus_har::{Body, ExchangeId, Header, Responder, SocketMessageKind};
use colobus_proxy::{Collector, Direction, ProxyOptions};

use crate::encoded::encode;
use crate::peer::{Setup, frame, from_client, from_server, handshake, soon};

async fn tapped(limit: usize) -> (Setup, Arc<Collector>) {
    let collector = Arc::new(Collector::new(limit, 1 << 20));
    let options = ProxyOptions { tap: Some(collector.clone()), ..ProxyOptions::default() };
    (Setup::with(options).await, collector)
}

#[tokio::test]
async fn an_exchange_is_seen_whole_and_decoded() {
    let (setup, tap) = tapped(1000).await;
    let rest = "Content-Length: 3\r\nX-Mine: 1\r\nProxy-Connection: keep-alive\r\n\r\nask";
    let (mut client, mut server) = setup.request("POST", "/p?q=1", rest).await;
    server.expect("ask").await;
    let body = encode("gzip", b"the answer");
    let (first, second) = body.split_at(7);
    let head =
        "HTTP/1.1 201 Made\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n";
    server.send(head).await;
    server
        .send(
            [b"7\r\n", first, b"\r\n", format!("{:x}\r\n", second.len()).as_bytes(), second, b"\r\n0\r\n\r\n"].concat(),
        )
        .await;
    client.head().await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
    let seen = tap.take().exchanges;
    let [exchange] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!((exchange.id, exchange.responder, &exchange.failure), (ExchangeId(1), Responder::Server, &None));
    let request = &exchange.request;
    assert_eq!((request.method.as_str(), &request.url), ("POST", &setup.url("/p?q=1")));
    assert_eq!(request.body, Body { content: b"ask".to_vec(), transferred: 3, cut: false, undecoded: None });
    assert_eq!(request.header("x-mine"), Some("1"));
    assert_eq!(request.header("proxy-connection"), None);
    let response = exchange.response.as_ref().unwrap();
    assert_eq!((response.status, response.reason.as_str(), response.version.as_str()), (201, "Made", "HTTP/1.1"));
    assert_eq!(response.headers[0], Header::new("Content-Type", "text/plain"));
    let transferred = body.len() as u64;
    assert_eq!(response.body, Body { content: b"the answer".to_vec(), transferred, cut: false, undecoded: None });
    let timings = exchange.timings;
    assert!(timings.sent <= timings.responded && timings.responded <= timings.delivered, "{timings:?}");
    assert!(timings.sent.is_some());
}

#[tokio::test]
async fn large_bodies_are_cut_and_say_so() {
    let (setup, tap) = tapped(10).await;
    let (mut client, mut server) = setup.get("/plain").await;
    server.send(format!("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{}", "x".repeat(11))).await;
    client.head().await;
    let (mut other, mut server) = setup.get("/packed").await;
    let packed = encode("gzip", &[b'y'; 100_000]);
    server.send(format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", packed.len())).await;
    server.send(&packed).await;
    other.head().await;
    other.expect(&packed).await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 2).await;
    let bodies: Vec<Body> = tap.take().exchanges.into_iter().map(|seen| seen.response.unwrap().body).collect();
    assert_eq!(bodies[0], Body { content: b"xxxxxxxxxx".to_vec(), transferred: 11, cut: true, undecoded: None });
    assert_eq!((bodies[1].transferred, bodies[1].cut), (packed.len() as u64, true));
    assert!(bodies[1].content.iter().all(|byte| *byte == b'y') && bodies[1].content.len() <= 10);
}

#[tokio::test]
async fn bodies_that_do_not_decode_are_kept_as_they_are() {
    let (setup, tap) = tapped(100).await;
    for (coding, why) in [("gzip", "does not decode"), ("dcb", "`dcb` is not known")] {
        let (mut client, mut server) = setup.get("/").await;
        server.send(format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: 3\r\n\r\nbad")).await;
        client.head().await;
        client.expect("bad").await;
        let ended = setup.proxy.counts().exchanges_started;
        setup.until(|proxy| proxy.counts().exchanges_ended == ended).await;
        let body = tap.take().exchanges.remove(0).response.unwrap().body;
        assert_eq!((body.content.as_slice(), body.cut), (&b"bad"[..], false));
        assert!(body.undecoded.as_ref().is_some_and(|note| note.contains(why)), "{body:?}");
    }
}

#[tokio::test]
async fn bodies_that_break_off_or_end_with_the_connection_are_told_apart() {
    let (setup, tap) = tapped(100).await;
    let (mut client, mut server) = setup.get("/until-close").await;
    server.send("HTTP/1.1 200 OK\r\n\r\nall").await;
    drop(server);
    client.rest().await;
    let (mut client, mut server) = setup.get("/broken").await;
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").await;
    drop(server);
    client.rest().await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 2).await;
    let bodies: Vec<Body> = tap.take().exchanges.into_iter().map(|seen| seen.response.unwrap().body).collect();
    assert_eq!((bodies[0].content.as_slice(), bodies[0].cut), (&b"all"[..], false));
    assert_eq!((bodies[1].content.as_slice(), bodies[1].cut), (&b"half"[..], true));
}

#[tokio::test]
async fn requests_without_an_answer_say_why() {
    let (setup, tap) = tapped(100).await;
    let (mut client, server) = setup.get("/gone").await;
    drop(server);
    client.rest().await;
    let mut client = setup.browser().await;
    client.send("GET http://tracker.example/ HTTP/1.1\r\n\r\n").await;
    client.rest().await;
    let (client, server) = setup.get("/left").await;
    drop(client);
    setup.until(|proxy| proxy.counts().exchanges_ended == 3).await;
    drop(server);
    let seen = tap.take().exchanges;
    let failures: Vec<_> = seen.iter().map(|exchange| exchange.failure.as_deref().unwrap_or_default()).collect();
    assert!(seen.iter().all(|exchange| exchange.response.is_none()));
    assert!(failures[0].contains("without an answer"), "{failures:?}");
    assert!(failures[1].contains("not one of the application's hosts"), "{failures:?}");
    assert!(failures[2].contains("client left"), "{failures:?}");
}

#[tokio::test]
async fn sockets_are_seen_message_by_message() {
    let (setup, tap) = tapped(70_000).await;
    let (mut client, mut server) = setup.websocket("/ws?x").await;
    let large = vec![b'z'; 80_000];
    let mask = Some([9, 8, 7, 6]);
    client
        .send([frame(false, 1, mask, b"fr"), frame(true, 9, mask, b"ping"), frame(true, 0, mask, b"agments")].concat())
        .await;
    client.send(frame(true, 2, mask, &large)).await;
    server.send(from_server("hello")).await;
    server.send(frame(true, 8, None, b"\x03\xe8bye")).await;
    setup.until(|proxy| proxy.counts().to_server.messages == 2 && proxy.counts().to_client.messages == 1).await;
    client.take(from_server("hello").len() + 7).await;
    drop((client, server));
    setup.until(|proxy| proxy.sockets().is_empty()).await;
    let capture = tap.take();
    let [opening] = &capture.exchanges[..] else { panic!("{capture:?}") };
    assert_eq!(opening.request.url, setup.url("/ws?x").replace("http:", "ws:"));
    assert!(opening.request.opens_socket());
    assert_eq!(opening.response.as_ref().map(|response| response.status), Some(101));
    let seen = &capture.socket_messages;
    assert!(seen.iter().all(|message| message.exchange == opening.id && message.delivered >= Some(message.arrived)));
    let of = |direction| seen.iter().filter(move |message| message.direction == direction).collect::<Vec<_>>();
    let (up, down) = (of(Direction::ToServer), of(Direction::ToClient));
    assert_eq!((up[0].kind, up[0].payload.as_slice()), (SocketMessageKind::Text, &b"fragments"[..]));
    assert_eq!((up[1].kind, up[1].size, up[1].is_cut()), (SocketMessageKind::Binary, 80_000, true));
    assert_eq!(up[1].payload, large[..70_000]);
    assert_eq!((down[0].kind, down[0].payload.as_slice()), (SocketMessageKind::Text, &b"hello"[..]));
    assert_eq!((down[1].kind, down[1].payload.as_slice()), (SocketMessageKind::Close, &b"\x03\xe8bye"[..]));
    assert_eq!((up.len(), down.len()), (2, 2));
}

#[tokio::test]
async fn held_messages_are_seen_when_they_go_and_lost_ones_say_so() {
    let (setup, tap) = tapped(100).await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold(Direction::BOTH);
    for text in ["one", "two"] {
        server.send(from_server(text)).await;
    }
    client.send(from_client("up")).await;
    setup.held(3).await;
    assert_eq!(tap.take().socket_messages, []);
    let first = setup.proxy.held().into_iter().find(|message| message.preview == "one").unwrap();
    soon(setup.proxy.release(first.id)).await.unwrap();
    client.expect(from_server("one")).await;
    let seen = tap.take().socket_messages;
    assert_eq!((seen.len(), seen[0].payload.as_slice()), (1, &b"one"[..]));
    assert!(seen[0].delivered.is_some());
    soon(setup.proxy.cut()).await;
    setup.until(|proxy| proxy.sockets().is_empty()).await;
    let mut lost: Vec<_> = tap.take().socket_messages.into_iter().map(|seen| (seen.payload, seen.delivered)).collect();
    lost.sort();
    assert_eq!(lost, [(b"two".to_vec(), None), (b"up".to_vec(), None)]);
}

#[tokio::test]
async fn event_streams_are_seen_event_by_event() {
    let (setup, tap) = tapped(100).await;
    let (mut client, mut server) = setup.request("GET", "/e", "Accept: text/event-stream\r\n\r\n").await;
    server.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    server.send("d\r\ndata: 1\n\ndata\r\n5\r\n: 2\n\n\r\n").await;
    client.head().await;
    setup.until(|proxy| proxy.counts().to_client.messages == 2).await;
    let capture = tap.take();
    let [stream] = &capture.exchanges[..] else { panic!("{capture:?}") };
    let response = stream.response.as_ref().unwrap();
    assert_eq!((response.media_type().as_str(), &response.body), ("text/event-stream", &Body::default()));
    let events = &capture.stream_events;
    assert!(events.iter().all(|event| event.exchange == stream.id && event.delivered.is_some()));
    let texts: Vec<&[u8]> = events.iter().map(|event| event.text.as_slice()).collect();
    assert_eq!(texts, [b"data: 1\n\n", b"data: 2\n\n"]);
}

#[tokio::test]
async fn a_refused_handshake_is_seen_as_an_exchange() {
    let (setup, tap) = tapped(100).await;
    let (mut client, mut server) = setup.tunnel().await;
    client.send(handshake("/ws")).await;
    server.head().await;
    server.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno").await;
    client.head().await;
    setup.until(|proxy| proxy.counts().exchanges_ended == 1).await;
    let response = tap.take().exchanges.remove(0).response.unwrap();
    assert_eq!((response.status, response.body.content), (403, b"no".to_vec()));
}
