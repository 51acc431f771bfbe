//! What is the same in every execution, and what must never be.

use colobus_model::{Application, Deterministic, Settle};
use colobus_world::World;
use serde_json::Value;

use crate::server::Server;
use crate::stage::{A, Acting, B, application, run, world};

fn clients(server: &Server, deterministic: Deterministic) -> Box<dyn World> {
    let mut world = world(Application {
        deterministic,
        state: Some(
            "({ drawn: [Math.random(), crypto.randomUUID(), ...crypto.getRandomValues(new Uint32Array(2))], log: window.log })"
                .to_string(),
        ),
        settle: Settle { quiet_ms: 0, timers_ms: 60_000, fixed_ms: None, limit_ms: 60_000 },
        ..application(server.url("/order?doc={doc}"))
    });
    world.start(2);
    world
}

fn drawn(world: &mut Box<dyn World>) -> [Value; 2] {
    [A, B].map(|client| world.state(client)["drawn"].clone())
}

#[test]
fn chance_repeats_itself_but_never_between_clients_or_loads() {
    let server = Server::start();
    let mut one = clients(&server, Deterministic::default());
    let first = drawn(&mut one);
    assert_ne!(first[0], first[1], "clients differ");
    let further = drawn(&mut one);
    one.hold().unwrap();
    one.play("A@");
    let reloaded = drawn(&mut one);
    for (index, value) in [&first[0], &first[1], &further[0], &reloaded[0]].into_iter().enumerate() {
        for other in [&first[0], &first[1], &further[0], &reloaded[0]].into_iter().skip(index + 1) {
            assert_ne!(value, other);
        }
    }
    // The next document of the same browser, and the first of another.
    one.start(2);
    assert_eq!(drawn(&mut one), first);
    let mut other = clients(&server, Deterministic::default());
    assert_eq!(drawn(&mut other), first);
    assert_eq!(drawn(&mut other), further);
    drop(other);
    let mut seeded = clients(&server, Deterministic { seed: 1, ..Deterministic::default() });
    assert_ne!(drawn(&mut seeded), first);
    drop(seeded);
    let mut free = clients(&server, Deterministic { random: false, ..Deterministic::default() });
    let chance = drawn(&mut free);
    free.start(2);
    assert_ne!(drawn(&mut free), chance);
}

#[test]
fn frames_draw_from_streams_of_their_own() {
    let server = Server::start();
    let mut world = clients(&server, Deterministic::default());
    let frames = "window.log = [1, 2].map(() => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        return frame.contentWindow.Math.random();
    })";
    world.act(A, run(frames));
    world.act(B, run(frames));
    let log = |world: &mut Box<dyn World>, client| world.state(client)["log"].clone();
    let (a, b) = (log(&mut world, A), log(&mut world, B));
    assert_ne!(a[0], a[1]);
    assert_ne!(a, b);
    world.start(2);
    world.act(A, run(frames));
    assert_eq!(log(&mut world, A), a);
}

#[test]
fn a_clock_of_its_own_shows_the_same_times_and_waits_for_nobody() {
    let server = Server::start();
    let mut world = clients(&server, Deterministic { clock: true, ..Deterministic::default() });
    // Minutes of waiting, were it real: much more than settling may take.
    let waits = "window.log = [new Date().toISOString()];
        let left = 9;
        const wait = () => { window.log.push(Math.round(performance.now())); if (--left) setTimeout(wait, 59e3); };
        setTimeout(wait, 59e3); setInterval(() => window.log.push('tick'), 1e4)";
    let log = |world: &mut Box<dyn World>| {
        world.act(A, run(waits));
        world.quiet();
        world.state(A)["log"].clone()
    };
    let first = log(&mut world);
    assert!(first[0].as_str().unwrap().starts_with("2026-01-01T00:00:00."), "{first}");
    let entries = first.as_array().unwrap();
    assert!(entries.iter().filter(|entry| entry.is_number()).count() == 9, "{first}");
    for _ in 0..2 {
        world.start(2);
        assert_eq!(log(&mut world), first);
    }
}
