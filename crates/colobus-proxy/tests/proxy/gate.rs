//! Holding and releasing WebSocket messages.

use colobus_proxy::{Direction, Limits, MessageId, MessageKind, ProxyOptions, ReleaseError};

use crate::peer::{Setup, frame, from_client, from_server, soon};

#[tokio::test]
async fn held_messages_go_one_by_one_in_the_order_of_their_direction() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    client.send(from_client("free")).await;
    server.expect(from_client("free")).await;

    setup.proxy.hold(Direction::BOTH);
    client.send([from_client("1"), from_client("2")].concat()).await;
    assert_eq!(setup.held(2).await, ["1", "2"]);
    server.send(from_server("a")).await;
    assert_eq!(setup.held(3).await, ["1", "2", "a"]);

    let held = setup.proxy.held();
    assert_eq!(held[0].position, 1, "one went before the gate closed");
    assert_eq!(held[0].kind, MessageKind::Text);
    assert_eq!(held[0].direction, Direction::ToServer);
    assert_eq!(held[0].size, from_client("1").len());
    assert!(held.iter().all(|m| m.complete && m.connection == held[0].connection));
    let socket = &setup.proxy.sockets()[0];
    assert_eq!((socket.to_server.forwarded, socket.to_server.held), (1, 2));
    assert_eq!((socket.to_client.forwarded, socket.to_client.held), (0, 1));

    let (one, two, a) = (held[0].id, held[1].id, held[2].id);
    let too_early = setup.proxy.release(two).await.unwrap_err();
    assert_eq!(too_early, ReleaseError::NotFirst { id: two, ahead: one });
    setup.proxy.release(a).await.unwrap();
    client.expect(from_server("a")).await;
    setup.proxy.release(one).await.unwrap();
    server.expect(from_client("1")).await;
    assert_eq!(setup.proxy.release(one).await, Err(ReleaseError::NotHeld(one)));
    setup.proxy.release(two).await.unwrap();
    server.expect(from_client("2")).await;
    assert_eq!(setup.proxy.held(), []);
    assert_eq!(setup.proxy.counts().to_server.messages, 3);

    client.send(from_client("still held")).await;
    assert_eq!(setup.held(1).await, ["still held"]);
}

#[tokio::test]
async fn opening_forwards_what_waits_and_lets_the_rest_flow() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold(Direction::BOTH);
    let waiting: Vec<u8> = (0..50).flat_map(|n| from_client(&n.to_string())).collect();
    client.send(&waiting).await;
    server.send(from_server("held on")).await;
    setup.held(51).await;
    soon(setup.proxy.open([Direction::ToServer])).await;
    server.expect(&waiting).await;
    client.send(from_client("free")).await;
    server.expect(from_client("free")).await;
    assert_eq!(setup.held(1).await, ["held on"], "the other direction stays closed");
}

#[tokio::test]
async fn connections_do_not_wait_for_each_other() {
    let setup = Setup::new().await;
    let (mut first, mut first_server) = setup.websocket("/1").await;
    let (mut second, mut second_server) = setup.websocket("/2").await;
    setup.proxy.hold([Direction::ToServer]);
    first.send(from_client("first")).await;
    setup.held(1).await;
    second.send(from_client("second")).await;
    setup.held(2).await;
    let held = setup.proxy.held();
    assert_ne!(held[0].connection, held[1].connection);
    setup.proxy.release(held[1].id).await.unwrap();
    second_server.expect(from_client("second")).await;
    setup.proxy.release(held[0].id).await.unwrap();
    first_server.expect(from_client("first")).await;
}

#[tokio::test]
async fn a_fragmented_message_is_held_whole_and_control_frames_are_not() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold([Direction::ToClient]);
    let ping = frame(true, 9, None, b"p");
    server.send([frame(false, 1, None, b"he"), ping.clone()].concat()).await;
    client.expect(&ping).await;
    assert_eq!(setup.proxy.held(), [], "not all of it is there");
    server.send(frame(true, 0, None, b"llo")).await;
    assert_eq!(setup.held(1).await, ["hello"]);
    let id = setup.proxy.held()[0].id;
    setup.proxy.release(id).await.unwrap();
    client.expect([frame(false, 1, None, b"he"), frame(true, 0, None, b"llo")].concat()).await;
}

#[tokio::test]
async fn a_message_that_began_to_pass_goes_on_when_the_gate_closes() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    server.send(frame(false, 1, None, b"a")).await;
    client.expect(frame(false, 1, None, b"a")).await;
    setup.proxy.hold(Direction::BOTH);
    server.send([frame(true, 0, None, b"b"), from_server("next")].concat()).await;
    client.expect(frame(true, 0, None, b"b")).await;
    assert_eq!(setup.held(1).await, ["next"]);
}

#[tokio::test]
async fn of_a_message_too_large_to_keep_the_beginning_is_held() {
    let limits = Limits { held_message: 100_000, ..Limits::default() };
    let setup = Setup::with(ProxyOptions { limits, ..ProxyOptions::default() }).await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold(Direction::BOTH);
    let message = frame(true, 2, Some([4; 4]), &vec![1; 5_000_000]);
    let after = from_client("after");
    let sending = async {
        client.send(&message).await;
        client.send(&after).await;
    };
    let releasing = async {
        setup.held(1).await;
        let held = setup.proxy.held().remove(0);
        assert!(!held.complete && held.size >= 100_000 && held.size < 1_000_000);
        setup.proxy.release(held.id).await.unwrap();
        assert!(server.take(message.len()).await == message);
    };
    tokio::join!(sending, releasing);
    assert_eq!(setup.held(1).await, ["after"]);
    assert_eq!(setup.proxy.counts().to_server.messages, 1);
}

#[tokio::test]
async fn a_full_queue_slows_the_sender_down_and_loses_nothing() {
    let limits = Limits { held_queue: 100_000, ..Limits::default() };
    let setup = Setup::with(ProxyOptions { limits, ..ProxyOptions::default() }).await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold([Direction::ToServer]);
    let message = frame(true, 2, Some([4; 4]), &[9; 10_000]);
    let all = message.repeat(1_000);
    let opening = async {
        setup.until(|proxy| proxy.held().iter().map(|m| m.size).sum::<usize>() >= 100_000).await;
        assert!(setup.proxy.held().len() <= 11);
        setup.proxy.open(Direction::BOTH).await;
    };
    let ((), (), received) = tokio::join!(client.send(&all), opening, server.take(all.len()));
    assert!(received == all);
    setup.until(|proxy| proxy.counts().to_server.messages == 1_000).await;
}

#[tokio::test]
async fn who_leaves_loses_what_was_sent_to_it_and_not_what_it_sent() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold(Direction::BOTH);
    client.send(from_client("last words")).await;
    setup.held(1).await;
    server.send(from_server("too late")).await;
    setup.held(2).await;
    drop(client);
    assert_eq!(setup.held(1).await, ["last words"]);
    let id = setup.proxy.held()[0].id;
    setup.proxy.release(id).await.unwrap();
    server.expect(from_client("last words")).await;
    server.expect_end().await;
}

#[tokio::test]
async fn releasing_into_a_closed_connection_is_an_error() {
    let setup = Setup::new().await;
    let (client, mut server) = setup.websocket("/").await;
    setup.proxy.hold([Direction::ToClient]);
    server.send(from_server("x")).await;
    setup.held(1).await;
    let id = setup.proxy.held()[0].id;
    drop(client);
    setup.held(0).await;
    assert_eq!(setup.proxy.release(id).await, Err(ReleaseError::NotHeld(id)));
    let never = MessageId(u64::MAX);
    assert_eq!(setup.proxy.release(never).await, Err(ReleaseError::NotHeld(never)));
}

#[tokio::test]
async fn the_closing_frame_waits_its_turn() {
    let setup = Setup::new().await;
    let (mut client, mut server) = setup.websocket("/").await;
    setup.proxy.hold([Direction::ToClient]);
    let close = frame(true, 8, None, &[3, 232]);
    server.send([from_server("bye"), close.clone()].concat()).await;
    setup.held(2).await;
    assert_eq!(setup.proxy.held()[1].kind, MessageKind::Close);
    drop(server);
    soon(setup.proxy.open(Direction::BOTH)).await;
    client.expect([from_server("bye"), close].concat()).await;
    client.expect_end().await;
}
