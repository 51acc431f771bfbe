//! What is the same in every execution, and what must never be.

use std::collections::BTreeSet;

use colobus_model::{Application, Deterministic, Settle};
use colobus_world::World;

use crate::server::Server;
use crate::stage::{A, Acting, B, application, run, world};

fn clients(server: &Server, deterministic: Deterministic) -> Box<dyn World> {
    let mut world = world(Application {
        deterministic,
        state: Some("({ log: window.log })".to_string()),
        settle: Settle { quiet_ms: Some(0), timers_ms: 60_000, ..Settle::within(60_000) },
        ..application(server.url("/order?doc={doc}"))
    });
    world.start(2);
    world
}

/// What clients draw first, of every kind, as texts that sort as the numbers do.
const DRAW: &str = "({
    number: Math.random().toFixed(16),
    uuid: crypto.randomUUID(),
    word: crypto.getRandomValues(new Uint32Array(1))[0].toString(16).padStart(8, '0'),
    bytes: Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    digits: 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, () => (Math.random() * 16 | 0).toString(16)),
})";
const KINDS: [&str; 5] = ["number", "uuid", "word", "bytes", "digits"];

fn drawing(server: &Server, deterministic: Deterministic) -> Box<dyn World> {
    let state = Some(format!("window.drawn ??= {DRAW}"));
    world(Application { deterministic, state, ..application(server.url("/order?doc={doc}")) })
}

#[test]
fn ties_go_the_same_way_in_every_execution_and_no_id_comes_twice() {
    let server = Server::start();
    let mut greater = BTreeSet::new();
    let mut drawn = BTreeSet::new();
    let mut count = 0;
    // Two browsers, as two workers have them.
    for _ in 0..2 {
        let mut world = drawing(&server, Deterministic::default());
        for _ in 0..5 {
            world.start(2);
            let [a, b] = [A, B].map(|client| world.state(client));
            greater.insert(KINDS.map(|kind| a[kind].as_str() > b[kind].as_str()));
            for kind in KINDS {
                drawn.extend([&a, &b].map(|of| of[kind].to_string()));
                count += 2;
            }
        }
    }
    assert_eq!(greater.len(), 1, "{greater:?}");
    assert_eq!(drawn.len(), count);
    let mut seeds: BTreeSet<[bool; 5]> = BTreeSet::new();
    for seed in 1..=4 {
        let mut seeded = drawing(&server, Deterministic { seed, ..Deterministic::default() });
        seeded.start(2);
        let [a, b] = [A, B].map(|client| seeded.state(client));
        seeds.insert(KINDS.map(|kind| a[kind].as_str() > b[kind].as_str()));
    }
    assert!(seeds.len() > 1, "another seed decides ties in another way: {seeds:?}");
}

#[test]
fn a_page_that_loads_itself_again_draws_anew() {
    let server = Server::start();
    let reloads_once = format!(
        "if (performance.getEntriesByType('navigation')[0].type === 'reload') {{
            window.drawn ??= {DRAW};
        }} else {{
            window.name = JSON.stringify({DRAW});
            location.reload();
            false;
        }}"
    );
    let mut world = world(Application {
        ready: Some(reloads_once),
        state: Some("({ before: JSON.parse(window.name), after: window.drawn })".to_string()),
        ..application(server.url("/order?doc={doc}"))
    });
    world.start(1);
    let drawn = world.state(A);
    for kind in KINDS {
        assert!(drawn["before"][kind].is_string() && drawn["after"][kind].is_string(), "{drawn}");
        assert_ne!(drawn["before"][kind], drawn["after"][kind], "{kind}");
    }
}

#[test]
fn a_choice_made_by_chance_is_the_same_in_every_execution() {
    let server = Server::start();
    let choice = "['red', 'green', 'blue', 'black', 'white', 'grey'][Math.random() * 6 | 0]";
    let mut world = world(Application {
        state: Some(format!("window.choice ??= {choice}")),
        ..application(server.url("/order?doc={doc}"))
    });
    let mut choices = BTreeSet::new();
    for _ in 0..8 {
        world.start(2);
        choices.insert([A, B].map(|client| world.state(client).to_string()));
    }
    assert_eq!(choices.len(), 1, "{choices:?}");
}

/// What docs/configuration.md says of short ids: a number of at most 16 bits, made from one of the first four, is the same in every
/// execution; one made later is not.
#[test]
fn the_first_four_numbers_begin_alike_and_all_others_do_not() {
    let server = Server::start();
    let draw = "window.drawn ??= Array.from({ length: 8 }, () => Math.random() * 65536 | 0)";
    let mut world = world(Application { state: Some(draw.into()), ..application(server.url("/order?doc={doc}")) });
    let (mut first, mut later) = (BTreeSet::new(), BTreeSet::new());
    const EXECUTIONS: usize = 6;
    for _ in 0..EXECUTIONS {
        world.start(2);
        let [a, b] = [A, B].map(|client| {
            let numbers: Vec<u64> = serde_json::from_value(world.state(client)).unwrap();
            later.insert(numbers[4..].to_vec());
            numbers[..4].to_vec()
        });
        assert!(a.iter().zip(&b).all(|(a, b)| a >> 12 != b >> 12), "two clients never draw the same: {a:?} {b:?}");
        first.insert([a, b]);
    }
    assert_eq!((first.len(), later.len()), (1, 2 * EXECUTIONS), "{first:?} {later:?}");
}

#[test]
fn frames_draw_numbers_of_their_own() {
    let server = Server::start();
    let mut world = clients(&server, Deterministic::default());
    let frames = "window.log = [1, 2].map(() => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        return frame.contentWindow.Math.random();
    })";
    let mut drawn = BTreeSet::new();
    let mut order = BTreeSet::new();
    for _ in 0..3 {
        world.start(2);
        let numbers = [A, B].map(|client| {
            world.act(client, run(frames));
            [0, 1].map(|frame| world.state(client)["log"][frame].as_f64().unwrap())
        });
        drawn.extend(numbers.iter().flatten().map(|number| number.to_string()));
        order.insert([numbers[0][0] > numbers[1][0], numbers[0][1] > numbers[1][1]]);
    }
    assert_eq!(drawn.len(), 12, "{drawn:?}");
    assert_eq!(order.len(), 1, "{order:?}");
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
