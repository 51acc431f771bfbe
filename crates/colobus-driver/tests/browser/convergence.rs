//! Two clients on one document: the barrier, the gate, and what the clients show.

use colobus_model::Application;

use crate::server::Server;
use crate::stage::{A, Acting, B, application, press, text, world};

fn shared(server: &Server, more: &str) -> Application {
    Application {
        ready: Some("window.ready".to_string()),
        focus: Some("#editor".to_string()),
        state: Some("({ text: editor.textContent, html: editor.innerHTML })".to_string()),
        ..application(server.url(&format!("/shared?doc={{doc}}{more}")))
    }
}

#[test]
fn an_edit_is_there_right_after_settling() {
    let server = Server::start();
    let mut world = world(shared(&server, ""));
    world.start(2);
    let mut expected = String::new();
    for round in 0..200 {
        let letter = char::from(b'a' + (round % 26) as u8).to_string();
        expected.push_str(&letter);
        world.act(A, text(&letter));
        world.quiet();
        assert_eq!(world.state(B)["text"], expected, "round {round}");
    }
}

#[test]
fn held_messages_arrive_only_after_settling() {
    let server = Server::start();
    for (more, converges) in [("", true), ("&bug", false)] {
        let mut world = world(shared(&server, more));
        world.start(2);
        world.act(A, text("ab"));
        world.quiet();
        let caret = world.caret(A).unwrap().unwrap();
        world.place_caret(B, &caret).unwrap();
        let before = server.messages();
        world.hold().unwrap();
        world.act(A, press("x"));
        world.act(B, press("y"));
        assert_eq!(server.messages(), before, "nothing may reach the server while it is held");
        assert_eq!(world.state(A)["text"], "abx");
        assert_eq!(world.state(B)["text"], "aby");
        world.quiet();
        assert_eq!(server.messages(), before + 2);
        let (a, b) = (world.see(A), world.see(B));
        assert_eq!(a.state == b.state, converges, "{a:?} {b:?}");
        assert_eq!(a.screenshot == b.screenshot, converges);
        assert_eq!(a.dom == b.dom, converges);
        world.hold().unwrap();
        world.act(A, press("z"));
        world.start(1);
        assert_eq!(world.state(A)["text"], "", "a new document is empty, even if the last one was left in the middle");
        assert_eq!(server.present(), 1, "a client without a part leaves");
    }
}
