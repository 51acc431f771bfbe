//! The ping barrier: the pong comes back behind whatever the server had sent.

use std::time::Duration;

use colobus_proxy::{Direction, PingOutcome};

use crate::peer::{Peer, Setup, frame, from_client, from_server, soon};

const LONG: Duration = Duration::from_secs(30);

/// Takes the proxy's ping and returns the pong that answers it.
async fn ping(server: &mut Peer) -> Vec<u8> {
    let ping = server.take(6 + 24).await;
    assert_eq!(ping[..2], [0x89, 0x80 | 24], "a masked ping");
    let key: [u8; 4] = ping[2..6].try_into().unwrap();
    let payload: Vec<u8> = ping[6..].iter().zip(key.iter().cycle()).map(|(b, k)| b ^ k).collect();
    frame(true, 10, None, &payload)
}

#[tokio::test]
async fn what_was_sent_before_the_pong_has_been_forwarded_when_the_barrier_returns() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    let id = setup.proxy.sockets()[0].id;
    let answer = async {
        let pong = ping(&mut server).await;
        let broadcasts = [from_server("a"), from_server("b"), pong].concat();
        server.send(broadcasts).await;
        server.send(from_server("after")).await;
    };
    let (outcome, ()) = soon(async { tokio::join!(setup.proxy.ping_servers(LONG), answer) }).await;
    assert_eq!(outcome.answered, [id]);
    assert!(setup.proxy.counts().to_client.messages >= 2);
    // The pong is nowhere in what the page gets.
    let seen = [from_server("a"), from_server("b"), from_server("after")].concat();
    client.expect(seen).await;
}

#[tokio::test]
async fn with_a_closed_gate_broadcasts_are_held_and_the_pong_still_comes() {
    let setup = Setup::new().await;
    let (_client, mut server) = setup.websocket("/").await;
    setup.proxy.hold(Direction::BOTH);
    let answer = async {
        let pong = ping(&mut server).await;
        server.send([from_server("broadcast"), pong].concat()).await;
    };
    let (outcome, ()) = soon(async { tokio::join!(setup.proxy.ping_servers(LONG), answer) }).await;
    assert_eq!(outcome.answered.len(), 1);
    let held: Vec<_> = setup.proxy.held().into_iter().map(|m| m.preview).collect();
    assert_eq!(held, ["broadcast"]);
}

#[tokio::test]
async fn the_ping_does_not_break_a_message_under_way() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    let message = frame(true, 2, Some([1; 4]), &vec![7; 300_000]);
    let (first, second) = message.split_at(200_000);
    client.send(first).await;
    let head = server.take(100_000).await;
    let answer = async {
        client.send(second).await;
        let rest = server.take(message.len() - head.len()).await;
        assert!([&head[..], &rest].concat() == message);
        let pong = ping(&mut server).await;
        server.send(pong).await;
    };
    let (outcome, ()) = soon(async { tokio::join!(setup.proxy.ping_servers(LONG), answer) }).await;
    assert_eq!(outcome.answered.len(), 1);
}

#[tokio::test]
async fn a_server_may_answer_the_newest_ping_only() {
    let setup = Setup::new().await;
    let (_client, mut server) = setup.websocket("/").await;
    let proxy = &setup.proxy;
    let answer = async {
        ping(&mut server).await;
        let newest = ping(&mut server).await;
        server.send(newest).await;
    };
    let both = async { tokio::join!(proxy.ping_servers(LONG), proxy.ping_servers(LONG), answer) };
    let (first, second, ()) = soon(both).await;
    assert_eq!((first.answered.len(), second.answered.len()), (1, 1));
}

#[tokio::test]
async fn silent_and_closing_servers_are_told_apart() {
    let setup = Setup::new().await;
    assert_eq!(setup.proxy.ping_servers(LONG).await, PingOutcome::default(), "nobody to ask");
    let (_client, _server) = setup.websocket("/silent").await;
    let (closing_client, closing) = setup.websocket("/closing").await;
    let ids: Vec<_> = setup.proxy.sockets().iter().map(|s| s.id).collect();
    drop((closing, closing_client));
    setup.until(|proxy| proxy.sockets().len() == 1).await;
    let outcome = setup.proxy.ping_servers(Duration::from_millis(1)).await;
    assert_eq!(outcome.silent, ids[..1]);

    let leaving = async { setup.proxy.ping_servers(LONG).await };
    let leave = async { drop((_client, _server)) };
    let (outcome, ()) = soon(async { tokio::join!(leaving, leave) }).await;
    assert_eq!(outcome.closed, ids[..1]);
}

#[tokio::test]
async fn pings_of_the_application_are_its_own_affair() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold(Direction::BOTH);
    let ping = frame(true, 9, None, b"heartbeat");
    server.send([from_server("held"), ping.clone()].concat()).await;
    client.expect(&ping).await;
    let pong = frame(true, 10, Some([3; 4]), b"heartbeat");
    client.send([from_client("held"), pong.clone()].concat()).await;
    server.expect(&pong).await;
    assert_eq!(setup.held(2).await, ["held", "held"]);
}

#[tokio::test]
async fn a_barrier_with_nothing_to_say_is_no_movement() {
    let setup = Setup::new().await;
    let (_client, mut server) = setup.websocket("/").await;
    let before = setup.proxy.counts();
    let answer = async {
        let pong = ping(&mut server).await;
        server.send(pong).await;
    };
    soon(async { tokio::join!(setup.proxy.ping_servers(LONG), answer) }).await;
    setup.proxy.hold(Direction::BOTH);
    soon(setup.proxy.open(Direction::BOTH)).await;
    assert_eq!(setup.proxy.counts(), before);
}
