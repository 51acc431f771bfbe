//! The last frame of settling may be the one that a look draws; what happens in it is seen all the same.

use colobus_driver::BrowserFactory;
use colobus_model::{Application, Observation};
use colobus_world::{ObserveOptions, World, WorldFactory};
use serde_json::json;

use crate::server::Server;
use crate::stage::{A, Acting, B, application, factory, run};

/// More executions than it is learned in what follows what.
const EXECUTIONS: usize = 6;

/// Things that pages hear of when they are drawn.
const HEARD_IN_FRAMES: [&str; 3] = [
    "new ResizeObserver(() => say('heard')).observe(document.getElementById('shown'))",
    "new IntersectionObserver(() => say('heard')).observe(document.getElementById('shown'))",
    "document.body.style.height = '3000px'; addEventListener('scroll', () => say('heard'), { once: true }); scrollTo(0, 50)",
];

fn connected(server: &Server) -> BrowserFactory {
    let ready = Some("window.once ??= connect('one')".to_string());
    factory(Application { ready, ..application(server.url("/order?doc={doc}")) })
}

fn look(world: &mut Box<dyn World>) -> Vec<Observation> {
    world.observe_all(2, ObserveOptions::all()).unwrap()
}

/// Clients would be compared by nothing, or by `{}`.
#[test]
fn a_state_that_json_has_nothing_for_is_an_error() {
    let server = Server::start();
    let state_of = |state: &str| {
        let state = Some(state.to_string());
        let application = Application { state, ..application(server.url("/order?doc={doc}")) };
        let mut world = factory(application).open().unwrap();
        world.start(1);
        world.observe(A, ObserveOptions { state: true, ..ObserveOptions::default() }).map(|seen| seen.state.unwrap())
    };
    for (state, what) in [
        ("window.nothing", "undefined"),
        ("() => ['milk']", "a function"),
        ("Symbol('milk')", "a symbol"),
        ("({ items: new Map([['a', 1]]) })", "a Map"),
        ("[new Set(['milk'])]", "a Set"),
        ("document.body", "a DOM node"),
    ] {
        let error = state_of(state).unwrap_err().to_string();
        assert!(error.contains("`state`") && error.contains(&format!("{what}, which is no JSON")), "{state}: {error}");
    }
    for (state, shown) in [
        ("null", json!(null)),
        ("({ at: new Date(0), left: undefined })", json!({ "at": "1970-01-01T00:00:00.000Z" })),
        ("({ toJSON: () => ['milk'] })", json!(["milk"])),
        ("Promise.resolve([1, 'a'])", json!([1, "a"])),
    ] {
        assert_eq!(state_of(state).unwrap(), shown, "{state}");
    }
}

#[test]
fn a_look_is_the_last_frame_of_settling() {
    let server = Server::start();
    let factory = connected(&server);
    let mut world = factory.open().unwrap();
    for _ in 0..EXECUTIONS {
        world.start(2);
        world.act(A, run("say('x')"));
        world.quiet();
        let seen = look(&mut world);
        assert!(seen.iter().all(|client| client.dom.as_ref().unwrap().contains('x')), "{seen:?}");
    }
    assert!(factory.costs().frames_of_looks > 0, "{:?}", factory.costs());
}

#[test]
fn what_a_page_hears_of_when_it_is_drawn_is_seen() {
    let server = Server::start();
    let mut world = connected(&server).open().unwrap();
    for script in HEARD_IN_FRAMES.repeat(EXECUTIONS) {
        world.start(2);
        world.act(A, run(script));
        world.quiet();
        let seen = look(&mut world);
        assert!(seen.iter().all(|client| client.dom.as_ref().unwrap().contains("heard")), "{script}: {seen:?}");
    }
}

/// What observers do that changes no node of the document.
const OBSERVERS: [&str; 2] = ["ResizeObserver", "IntersectionObserver"];

#[test]
fn state_that_observers_change_in_a_frame_is_seen() {
    let server = Server::start();
    let ready = Some("window.once ??= connect('one')".to_string());
    let state = Some("globalThis.heard ?? 'nothing'".to_string());
    let mut world =
        factory(Application { ready, state, ..application(server.url("/order?doc={doc}")) }).open().unwrap();
    for observer in OBSERVERS.repeat(EXECUTIONS) {
        world.start(2);
        world.act(A, run(&format!("new {observer}(() => (globalThis.heard = 'heard')).observe(document.body)")));
        world.quiet();
        assert_eq!(look(&mut world)[0].state, Some("heard".into()), "{observer}");
    }
}

#[test]
fn what_observers_paint_is_in_the_picture() {
    const CANVAS: &str = "const canvas = document.body.appendChild(document.createElement('canvas')); \
        const paint = () => canvas.getContext('2d').fillRect(0, 0, 200, 100);";
    let server = Server::start();
    let mut world = connected(&server).open().unwrap();
    for observer in OBSERVERS.repeat(EXECUTIONS) {
        world.start(2);
        world.act(A, run(&format!("{CANVAS} new {observer}(paint).observe(canvas)")));
        world.act(B, run(&format!("{CANVAS} paint()")));
        world.quiet();
        let seen = look(&mut world);
        assert!(seen[0].screenshot == seen[1].screenshot, "{observer}");
    }
}

/// A caret is read before the page is drawn, and again after others were placed.
#[test]
fn a_caret_that_moves_when_its_page_is_drawn_is_found_where_it_went() {
    const FIELD: &str = "const field = document.body.appendChild(document.createElement('textarea')); field.value = 'abc'; \
        field.focus(); field.setSelectionRange(0, 0);";
    let server = Server::start();
    let mut world = connected(&server).open().unwrap();
    for _ in 0..EXECUTIONS {
        world.start(2);
        let moves = format!("{FIELD} new ResizeObserver(() => field.setSelectionRange(3, 3)).observe(field)");
        world.act(A, run(&moves));
        world.act(B, run(FIELD));
        world.quiet();
        let read = world.caret(A).unwrap().unwrap();
        world.place_caret(B, &read).unwrap();
        world.quiet();
        let drawn = world.caret(A).unwrap().unwrap();
        assert_eq!((&drawn.0["start"], &drawn.0["end"]), (&3.into(), &3.into()), "{read:?}");
    }
}

#[test]
fn pages_are_drawn_before_messages_are_held() {
    let server = Server::start();
    let mut world = connected(&server).open().unwrap();
    for script in HEARD_IN_FRAMES.repeat(EXECUTIONS) {
        world.start(2);
        world.act(A, run(script));
        world.quiet();
        world.hold().unwrap();
        assert_eq!(world.waiting(), "", "{script}");
        assert!(world.dom(B).contains("heard"), "{script}");
    }
}
