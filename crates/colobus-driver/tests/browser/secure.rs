//! Applications behind TLS are gated like any other, with certificates that only our browsers trust.

use colobus_model::{Application, Tls};

use crate::server::Server;
use crate::stage::{A, Acting, B, application, text, world};

fn shared(url: String) -> Application {
    Application {
        ready: Some("window.ready".to_string()),
        focus: Some("#editor".to_string()),
        state: Some("editor.textContent".to_string()),
        ..application(url)
    }
}

#[test]
fn encrypted_messages_are_counted_held_and_released() {
    let server = Server::start();
    let mut world = world(shared(server.secure_url("/shared?doc={doc}")));
    world.start(2);
    // Without a quiet window: only exact counts can settle this.
    for (round, letter) in ["a", "b", "c"].into_iter().enumerate() {
        world.act(A, text(letter));
        world.quiet();
        assert_eq!(world.state(B), "abc"[..=round]);
    }
    let before = server.messages();
    world.hold().unwrap();
    world.act(A, text("d"));
    assert_eq!(server.messages(), before);
    assert_eq!(world.waiting(), "A>");
    world.play("A>");
    assert_eq!(server.messages(), before + 1);
    assert_eq!(world.waiting(), "A< B<");
    assert_eq!(world.state(B), "abc");
    world.play("B<");
    assert_eq!(world.state(B), "abcd");
    world.quiet();
}

#[test]
fn a_tunnel_passes_what_nobody_looks_into() {
    let server = Server::start();
    // Nobody signed the server's certificate, and in a tunnel the browser sees that one.
    let mut world = world(Application { tls: Tls::Tunnel, ..shared(server.secure_url("/shared?doc={doc}")) });
    let refused = world.begin(1).unwrap_err().to_string();
    assert!(refused.contains("ERR_CERT"), "{refused}");
}
