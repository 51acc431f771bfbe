//! Laws of forwarding: whatever frames a peer sends, however the network cuts them, the same bytes come out, and every
//! message is counted once; however the gate is used, the order within a direction stays.

use colobus_proxy::Direction;
use proptest::prelude::*;

use crate::peer::{Peer, Setup, frame, from_client, from_server, soon};

/// A message as its fragments, with control frames between them.
fn message() -> impl Strategy<Value = Vec<(u8, Vec<u8>)>> {
    let length = prop_oneof![4 => 0..40usize, 2 => 120..130usize, 1 => 65_530..65_540usize, 1 => 70_000..200_000usize];
    let payload = (length, any::<u8>()).prop_map(|(length, byte)| vec![byte; length]);
    let control = (9..=10u8, prop::collection::vec(any::<u8>(), 0..20));
    let fragments = prop::collection::vec((payload, prop::option::of(control)), 1..4);
    (1..=2u8, fragments).prop_map(|(opcode, fragments)| {
        let last = fragments.len() - 1;
        let mut frames = Vec::new();
        for (index, (payload, control)) in fragments.into_iter().enumerate() {
            let opcode = if index == 0 { opcode } else { 0 };
            let fin = if index == last { 0x80 } else { 0 };
            frames.push((fin | opcode, payload));
            frames.extend(control.map(|(opcode, payload)| (0x80 | opcode, payload)));
        }
        frames
    })
}

fn bytes(messages: &[Vec<(u8, Vec<u8>)>], mask: Option<[u8; 4]>) -> Vec<u8> {
    let frames = messages.iter().flatten();
    frames.flat_map(|(first, payload)| frame(first & 0x80 != 0, first & 0x0f, mask, payload)).collect()
}

async fn send_in_segments(peer: &mut Peer, bytes: &[u8], segments: &[usize]) {
    let mut rest = bytes;
    for length in segments.iter().cycle() {
        let (now, later) = rest.split_at((*length).min(rest.len()));
        peer.send(now).await;
        tokio::task::yield_now().await;
        rest = later;
        if rest.is_empty() {
            break;
        }
    }
}

fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(test)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_come_out_as_they_went_in_and_messages_are_counted(
        up in prop::collection::vec(message(), 0..6),
        down in prop::collection::vec(message(), 0..6),
        segments in prop::collection::vec(prop_oneof![1..20usize, 1_000..100_000usize], 1..8),
        mask in any::<[u8; 4]>(),
    ) {
        run(async {
            let setup = Setup::new().await;
            let (mut client, mut server) = setup.websocket("/").await;
            let (up_bytes, down_bytes) = (bytes(&up, Some(mask)), bytes(&down, None));
            // Pieces of one byte would take as many system calls: small ones come at the front only.
            let (front, back) = up_bytes.split_at(up_bytes.len().min(400));
            send_in_segments(&mut client, front, &segments).await;
            let ((), received) = tokio::join!(client.send(back), server.take(up_bytes.len()));
            assert!(received == up_bytes);
            let (front, back) = down_bytes.split_at(down_bytes.len().min(400));
            send_in_segments(&mut server, front, &segments).await;
            let ((), received) = tokio::join!(server.send(back), client.take(down_bytes.len()));
            assert!(received == down_bytes);
            let expected = (up.len() as u64, down.len() as u64);
            setup.until(|proxy| {
                let counts = proxy.counts();
                (counts.to_server.messages, counts.to_client.messages) == expected
            }).await;
        });
    }

    #[test]
    fn any_order_of_releases_keeps_the_order_of_each_direction(
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        sent in prop::collection::vec((0..2usize, any::<bool>()), 1..12),
    ) {
        run(async {
            let setup = Setup::new().await;
            let mut peers = [setup.websocket("/0").await, setup.websocket("/1").await];
            setup.proxy.hold(Direction::BOTH);
            // What each peer should get, in this order: 0 and 1 the clients, 2 and 3 the servers.
            let mut due = vec![Vec::new(); 4];
            for (number, (socket, to_server)) in sent.iter().enumerate() {
                let text = number.to_string();
                let (client, server) = &mut peers[*socket];
                if *to_server {
                    client.send(from_client(&text)).await;
                    due[2 + socket].extend(from_client(&text));
                } else {
                    server.send(from_server(&text)).await;
                    due[*socket].extend(from_server(&text));
                }
                setup.held(number + 1).await;
            }
            for pick in picks {
                let held = setup.proxy.held();
                if held.is_empty() {
                    break;
                }
                let picked = pick.get(&held);
                let is_first = held.iter().all(|other| {
                    (other.connection, other.direction) != (picked.connection, picked.direction)
                        || other.position >= picked.position
                });
                let released = soon(setup.proxy.release(picked.id)).await;
                assert_eq!(released.is_ok(), is_first);
            }
            soon(setup.proxy.open(Direction::BOTH)).await;
            for (socket, (client, server)) in peers.iter_mut().enumerate() {
                client.expect(&due[socket]).await;
                server.expect(&due[2 + socket]).await;
            }
        });
    }
}
