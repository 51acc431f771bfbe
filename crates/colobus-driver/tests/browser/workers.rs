//! Sockets of workers are counted, waited for and held like those of the page.

use colobus_model::{Application, Deterministic};

use crate::server::Server;
use crate::stage::{A, Acting, B, application, run, world};

const KINDS: [&str; 4] = [
    "new Worker('/worker.js')",
    "new Worker('/worker.js', { type: 'module' })",
    // As bundlers do it: the source is a blob, which has no address of its own.
    "new Worker(URL.createObjectURL(new Blob([`const location = ${JSON.stringify({ origin: location.origin })};
        ${await (await fetch('/worker.js')).text()}`])))",
    "new SharedWorker(`/worker.js?${room}`)",
];

#[test]
fn settling_and_single_messages_are_exact_in_workers() {
    let server = Server::start();
    for kind in KINDS {
        let mut world = world(Application {
            ready: Some(format!("window.once ??= (async () => hire({kind}))()")),
            state: Some("shown.textContent".to_string()),
            // On a clock of its own everything must work as well.
            deterministic: Deterministic { clock: kind.contains("module"), ..Deterministic::default() },
            ..application(server.url("/order?doc={doc}"))
        });
        world.start(2);
        let mut said = String::new();
        for text in ["a", "b", "c", "d", "e"] {
            world.act(A, run(&format!("tell('{text}')")));
            world.quiet();
            said += &format!("{text} ");
            assert_eq!((world.state(A), world.state(B)), (said.as_str().into(), said.as_str().into()), "{kind}");
        }
        world.hold().unwrap();
        world.act(B, run("tell('held')"));
        assert_eq!(world.waiting(), "B>", "{kind}");
        world.play("B>");
        assert_eq!(world.waiting(), "A< B<", "{kind}");
        assert_eq!(world.state(A), said.as_str());
        world.play("A<");
        assert_eq!(world.state(A), format!("{said}held "), "{kind}");
        assert_eq!(world.state(B), said.as_str());
        world.quiet();
        assert_eq!(world.state(B), format!("{said}held "), "{kind}");
    }
}

#[test]
fn workers_draw_numbers_of_their_own() {
    let server = Server::start();
    let mut world = world(Application {
        state: Some("shown.textContent".to_string()),
        ..application(server.url("/order?doc={doc}"))
    });
    let draw = "const source = URL.createObjectURL(new Blob(['postMessage(Math.random())']));
        show(Math.random());
        new Promise((done) => {
            new Worker(source).onmessage = ({ data }) => {
                show(data);
                new Worker(source).onmessage = ({ data }) => done(show(data));
            };
        })";
    let mut drawn = Vec::new();
    for _ in 0..2 {
        world.start(2);
        for client in [A, B] {
            world.act(client, run(draw));
            drawn.push(world.state(client).as_str().unwrap().to_string());
        }
    }
    let numbers: std::collections::BTreeSet<&str> = drawn.iter().flat_map(|drawn| drawn.split_whitespace()).collect();
    assert_eq!(numbers.len(), 12, "three places, two clients, two executions: {drawn:?}");
}

#[test]
fn workers_that_end_or_hang_are_left_behind() {
    let server = Server::start();
    let mut application = application(server.url("/order?doc={doc}"));
    application.settle.limit_ms = 2_000;
    let mut world = world(application);
    world.start(1);
    world.act(A, run("new Worker('/worker.js').terminate()"));
    world.act(A, run("new Worker(URL.createObjectURL(new Blob(['close()'])))"));
    world.quiet();
    world.act(A, run("new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])))"));
    world.quiet();
    world.start(1);
    world.quiet();
}
