//! The last frame of settling may be the one that a look draws; what happens in it is seen all the same.

use colobus_driver::BrowserFactory;
use colobus_model::{Application, Observation};
use colobus_world::{ObserveOptions, World, WorldFactory};

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
