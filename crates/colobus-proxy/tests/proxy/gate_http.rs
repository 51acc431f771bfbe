//! Holding and releasing HTTP requests and responses.

use colobus_proxy::{Direction, Limits, MessageKind, ProxyOptions};

use crate::peer::{ACCEPTED, Setup, handshake, soon};

const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";

#[tokio::test]
async fn a_response_is_held_as_a_whole() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.get("/poll").await;
    setup.proxy.hold([Direction::ToClient]);
    let (head, body) = HELLO.split_at(HELLO.len() - 3);
    server.send(head).await;
    server.send(body).await;
    assert_eq!(setup.held(1).await, ["200 text/plain hello"]);
    let held = setup.proxy.held().remove(0);
    assert_eq!((held.kind, held.position, held.size), (MessageKind::Response, 0, HELLO.len()));
    assert_eq!(held.url, setup.url("/poll"));
    assert_eq!(setup.proxy.in_flight().len(), 1, "not over before it is delivered");
    soon(setup.proxy.release(held.id)).await.unwrap();
    client.expect(HELLO).await;
    setup.until(|proxy| proxy.in_flight().is_empty()).await;
}

#[tokio::test]
async fn a_request_is_held_with_its_body() {
    let setup = Setup::new().await;
    setup.proxy.hold([Direction::ToServer]);
    let mut client = setup.browser().await;
    let url = setup.url("/save");
    client.send(format!("POST {url} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n")).await;
    assert_eq!(setup.held(1).await, ["POST /save body"]);
    let id = setup.proxy.held()[0].id;
    soon(setup.proxy.release(id)).await.unwrap();
    let mut server = setup.application.accept().await;
    server.head().await;
    server.expect("4\r\nbody\r\n0\r\n\r\n").await;
    server.send(HELLO).await;
    client.expect(HELLO).await;
}

#[tokio::test]
async fn responses_overtake_each_other_at_will() {
    let setup = Setup::new().await;
    let (mut first, mut first_server) = setup.get("/1").await;
    let (mut second, mut second_server) = setup.get("/2").await;
    setup.proxy.hold([Direction::ToClient]);
    first_server.send(HELLO).await;
    setup.held(1).await;
    second_server.send(HELLO).await;
    setup.held(2).await;
    let held = setup.proxy.held();
    soon(setup.proxy.release(held[1].id)).await.unwrap();
    second.expect(HELLO).await;
    soon(setup.proxy.release(held[0].id)).await.unwrap();
    first.expect(HELLO).await;
}

#[tokio::test]
async fn a_client_that_gives_up_takes_its_held_messages_along() {
    let setup = Setup::new().await;
    let (client, mut server) = setup.get("/poll").await;
    setup.proxy.hold(Direction::BOTH);
    server.send(HELLO).await;
    setup.held(1).await;
    drop(client);
    setup.held(0).await;

    let mut client = setup.browser().await;
    client.send(format!("GET {} HTTP/1.1\r\n\r\n", setup.url("/"))).await;
    setup.held(1).await;
    drop(client);
    setup.held(0).await;
}

#[tokio::test]
async fn of_a_response_too_large_to_keep_the_beginning_is_held() {
    let limits = Limits { held_message: 1_000, ..Limits::default() };
    let setup = Setup::with(ProxyOptions { limits, ..ProxyOptions::default() }).await;
    let (mut client, mut server) = setup.get("/big").await;
    setup.proxy.hold(Direction::BOTH);
    let response = format!("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n{}", "x".repeat(5_000_000));
    let releasing = async {
        setup.held(1).await;
        let held = setup.proxy.held().remove(0);
        assert!(!held.complete);
        setup.proxy.release(held.id).await.unwrap();
        client.take(response.len()).await
    };
    let ((), received) = tokio::join!(server.send(&response), releasing);
    assert!(received == response.as_bytes());
}

#[tokio::test]
async fn a_client_that_waits_to_be_asked_for_its_body_is_held_by_its_head() {
    let setup = Setup::new().await;
    setup.proxy.hold([Direction::ToServer]);
    let mut client = setup.browser().await;
    let url = setup.url("/");
    client.send(format!("PUT {url} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")).await;
    setup.held(1).await;
    let id = setup.proxy.held()[0].id;
    soon(setup.proxy.release(id)).await.unwrap();
    let mut server = setup.application.accept().await;
    server.head().await;
    server.send("HTTP/1.1 100 Continue\r\n\r\n").await;
    client.expect("HTTP/1.1 100 Continue\r\n\r\n").await;
    client.send("ok").await;
    server.expect("ok").await;
}

#[tokio::test]
async fn a_websocket_handshake_is_a_request_and_a_response() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.tunnel().await;
    setup.proxy.hold(Direction::BOTH);
    client.send(handshake("/ws")).await;
    assert_eq!(setup.held(1).await, ["GET /ws"]);
    soon(setup.proxy.release(setup.proxy.held()[0].id)).await.unwrap();
    server.head().await;
    server.send(ACCEPTED).await;
    assert_eq!(setup.held(1).await, ["101"]);
    assert_eq!(setup.proxy.sockets(), []);
    soon(setup.proxy.release(setup.proxy.held()[0].id)).await.unwrap();
    client.head().await;
    setup.until(|proxy| proxy.sockets().len() == 1).await;
}

#[tokio::test]
async fn a_page_that_may_not_talk_yet_is_loaded_all_the_same() {
    let setup = Setup::new().await;
    setup.proxy.let_talk(false);
    let url = setup.url("/data");
    let mut talking = setup.browser().await;
    talking.send(format!("GET {url} HTTP/1.1\r\nSec-Fetch-Dest: empty\r\n\r\n")).await;
    let (mut loading, mut server) = setup.get("/script.js").await;
    server.send(HELLO).await;
    loading.expect(HELLO).await;
    assert_eq!(setup.proxy.counts().exchanges_started, 1, "what the page asks for itself waits");
    setup.proxy.let_talk(true);
    let mut server = setup.application.accept().await;
    server.head().await;
    server.send(HELLO).await;
    talking.expect(HELLO).await;
}
