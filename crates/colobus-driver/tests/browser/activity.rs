//! A page waits for a frame if something happened in it since its last one, and only then. What counts is the list in
//! `page/activity.js`.

use colobus_model::Application;
use serde_json::{Value, json};

use crate::server::Server;
use crate::stage::{A, Acting, B, application, press, world};

#[test]
fn everything_on_the_list_makes_a_page_wait_for_a_frame() {
    let server = Server::start();
    let source = include_str!("pages/activity.js").trim_end().to_string();
    let moving = Application { freeze_animations: false, ..application(server.url("/order?doc={doc}")) };
    let mut world = world(Application { state: Some(source), ..moving });
    world.start(1);
    let Value::Object(noticed) = world.state(A) else { panic!("no answer") };
    assert_eq!(noticed.len(), 27, "{noticed:?}");
    for (cause, needs_frame) in noticed {
        assert_eq!(needs_frame, json!(cause != "nothing"), "{cause}");
    }
}

#[test]
fn what_users_do_and_what_reaches_others_needs_a_frame_until_everything_has_settled() {
    let server = Server::start();
    let mut world = world(Application {
        ready: Some("window.once ??= connect('one')".to_string()),
        state: Some("globalThis[Symbol.for('colobus')].activity.needsFrame()".to_string()),
        ..application(server.url("/order?doc={doc}"))
    });
    world.start(2);
    let both = |world: &mut Box<dyn colobus_world::World>| [A, B].map(|client| world.state(client));
    assert_eq!(both(&mut world), [false, false]);
    world.act(A, press("a"));
    assert_eq!(both(&mut world), [true, false]);
    world.quiet();
    assert_eq!(both(&mut world), [false, false]);
    world.hold().unwrap();
    world.act(A, crate::stage::run("say('x')"));
    world.play("A> B<");
    assert_eq!(world.state(B), true, "a message arrived");
    world.quiet();
    assert_eq!(both(&mut world), [false, false]);
}
