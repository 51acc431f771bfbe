//! Servers that take their time, started by us: settled means that everybody has everything, however long it takes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use colobus_driver::subject::Subject;
use colobus_model::{Application, Launch, Settle, WaitFor};
use colobus_world::{Settled, WorldFactory};

use crate::foreign_servers::delays;
use crate::stage::{A, Acting, B, application, click, factory, press, run, text};

/// Starts one of the servers in `servers`.
fn launch(script: &str) -> Launch {
    Launch {
        command: ["node", script].map(str::to_string).to_vec(),
        directory: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/browser/servers"),
        environment: BTreeMap::from([("PORT".to_string(), colobus_model::PORT.to_string())]),
        wait_for: WaitFor::ChosenPort,
        timeout_ms: 30_000,
    }
}

fn chat() -> Application {
    let asking = Application {
        launch: Some(launch("chat.js")),
        settle: Settle { quiet_ms: Some(30), ..Settle::within(10_000) },
        state: Some(
            "({ said: [...list.children].map((item) => item.textContent), title: document.title })".to_string(),
        ),
        ..application(format!("http://127.0.0.1:{}/?doc={{doc}}", colobus_model::PORT))
    };
    Subject::place(&asking).unwrap()
}

#[test]
fn what_a_server_does_later_is_waited_for() {
    let application = chat();
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();
    world.start(2);
    let mut said = Vec::new();
    // Neither of these is a multiple of anything that settling waits for.
    for (number, (answer_ms, tell_ms)) in
        [(0, 0), (170, 0), (0, 310), (230, 190), (20, 0), (1300, 900)].iter().enumerate()
    {
        let word = format!("word{number}");
        world.act(A, click("#text"));
        world.act(A, text(&format!("{word} {answer_ms} {tell_ms}")));
        world.act(A, press("Enter"));
        world.quiet();
        said.push(word.clone());
        let states = [A, B].map(|client| world.state(client));
        assert_eq!(states[0]["said"], serde_json::json!(said), "{answer_ms} {tell_ms}");
        assert_eq!(states[1]["said"], serde_json::json!(said), "{answer_ms} {tell_ms}");
        assert_eq!(states[0]["title"], format!("heard {word}"));
    }
}

#[test]
fn messages_that_a_server_sends_later_are_there_for_the_next_choice() {
    let application = chat();
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();
    world.start(2);
    world.hold().unwrap();
    world.act(A, click("#text"));
    world.act(A, text("late 400 300"));
    world.act(A, press("Enter"));
    assert_eq!(world.waiting(), "A>#2", "the request of A");
    world.play("A>#2");
    assert_eq!(world.waiting(), "A< A<#2 B<", "the event for each, and the answer");
    world.quiet();
    assert_eq!(world.state(B)["said"], serde_json::json!(["late"]));
}

/// A list of `servers/slow.js`, whose server thinks so long before it answers; nothing is said about how to wait for it.
fn list(path: &str, think_ms: u64, limit_ms: u64) -> Application {
    let asking = Application {
        launch: Some(launch("slow.js")),
        settle: Settle::within(limit_ms),
        state: Some("[...list.children].map((item) => item.textContent)".to_string()),
        ..application(format!("http://127.0.0.1:{}{path}?doc={{doc}}&think={think_ms}", colobus_model::PORT))
    };
    Subject::place(&asking).unwrap()
}

#[test]
fn an_answer_is_waited_for_although_it_takes_most_of_the_time_that_there_is() {
    let state = Some("document.getElementById('status').textContent".to_string());
    let application = Application { state, ..list("/booking", 2_600, 4_000) };
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();
    world.start(1);
    world.act(A, click("#go"));
    world.quiet();
    assert_eq!(world.state(A), "yours");
}

/// Executions in which both users say something at once, each told after a delay of its own: everybody has everything each time.
fn said_at_once(delays: &[u64], limit_ms: u64) {
    let application = list("/chat", 0, limit_ms);
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();
    for pair in delays.chunks(2) {
        world.start(2);
        for (client, delay) in [A, B].into_iter().zip(pair) {
            world.act(client, click("#text"));
            world.act(client, text(&format!("{client} {delay}")));
            world.act(client, press("Enter"));
        }
        world.quiet();
        let said = [A, B].map(|client| world.state(client));
        assert_eq!(said.map(|said| said.as_array().unwrap().len()), [2, 2], "{pair:?}");
    }
    let notes = browsers.notes().join("\n");
    assert!(!notes.contains("late reactions"), "{notes}");
}

#[test]
fn delays_at_random_are_waited_for_and_no_longer() {
    said_at_once(&delays(7, 400, 12), 4_000);
}

#[test]
#[ignore = "takes minutes"]
fn delays_at_random_up_to_five_seconds_are_waited_for() {
    said_at_once(&delays(7, 5_000, 60), 20_000);
}

#[test]
fn a_server_that_becomes_slower_is_waited_for() {
    said_at_once(&[0, 3, 0, 5, 1_100, 0, 0, 1_700], 6_000);
}

#[test]
fn pages_that_poll_do_so_while_everything_settles_and_at_no_other_time() {
    for path in ["/interval-todo", "/chain-todo"] {
        let application = list(path, 300, 4_000);
        let subject = Subject::start(&application).unwrap();
        let browsers = factory(application);
        browsers.watch(subject.watch().unwrap());
        let mut world = browsers.open().unwrap();
        world.start(2);
        world.act(A, click("#text"));
        world.act(A, text("milk"));
        world.act(A, press("Enter"));
        world.quiet();
        let milk = serde_json::json!(["milk"]);
        assert_eq!([A, B].map(|client| world.state(client)), [milk.clone(), milk], "{path}");
        world.hold().unwrap();
        world.act(A, run("new Promise((done) => setTimeout(done, 1500))"));
        assert_eq!(world.waiting(), "", "{path}: a poll is not an event of an order");
        world.act(B, click("#text"));
        world.act(B, text("bread"));
        world.act(B, press("Enter"));
        world.quiet();
        let both = serde_json::json!(["milk", "bread"]);
        assert_eq!([A, B].map(|client| world.state(client)), [both.clone(), both], "{path}");
    }
}

#[test]
fn a_request_that_stays_inside_the_browser_is_waited_for() {
    let mut application = list("/crowded-todo", 0, 8_000);
    // Nothing but the request is waited for.
    application.settle.quiet_ms = Some(0);
    let _subject = Subject::start(&application).unwrap();
    let mut world = factory(application).open().unwrap();
    world.start(1);
    world.act(A, click("#text"));
    world.act(A, text("milk"));
    world.act(A, press("Enter"));
    world.quiet();
    assert_eq!(world.state(A), serde_json::json!(["milk"]));
}

#[test]
fn one_poll_is_enough_where_the_server_is_known_to_be_idle() {
    let requests = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/items')).length";
    let application = Application { state: Some(requests.to_string()), ..list("/interval-todo", 0, 10_000) };
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();
    world.start(1);
    let before = world.state(A).as_u64().unwrap();
    world.act(A, click("#text"));
    world.act(A, text("milk"));
    world.act(A, press("Enter"));
    world.quiet();
    assert_eq!(world.state(A).as_u64().unwrap() - before, 2, "what is added, and one poll");
    world.quiet();
    assert_eq!(world.state(A).as_u64().unwrap() - before, 2, "nothing has changed");
    assert_eq!(world.settle_thoroughly().unwrap(), Settled::Quiet);
    assert_eq!(world.state(A).as_u64().unwrap() - before, 3, "a long look wants two answers that are the same");
}

#[test]
fn polls_do_not_pile_up_behind_one_that_is_not_answered() {
    let polls = "globalThis[Symbol.for('colobus')].polls";
    let application = Application {
        state: Some(format!("[...{polls}.timers.values()].find(({{ sent }}) => sent > 0).sent")),
        ..list("/interval-todo", 0, 10_000)
    };
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();
    world.start(1);
    let before = world.state(A).as_u64().unwrap();
    world.hold().unwrap();
    // As while the page is opened, on a server that does not answer.
    world.act(A, run(&format!("{polls}.gate.closed = false; new Promise((done) => setTimeout(done, 2200))")));
    assert_eq!(world.state(A).as_u64().unwrap() - before, 1, "three periods have passed");
    world.quiet();
}
