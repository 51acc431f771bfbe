//! Servers that take their time, started by us: settled means that everybody has everything, however long it takes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use colobus_driver::subject::Subject;
use colobus_model::{Application, Launch, Settle, WaitFor};
use colobus_world::WorldFactory;

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
        settle: Settle { quiet_ms: Some(30), timers_ms: 100, fixed_ms: None, limit_ms: 10_000, background: Vec::new() },
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

/// Lists of `servers/slow.js` that pages ask for every 700 ms; every answer takes 300 ms.
fn polling(path: &str) -> Application {
    let asking = Application {
        launch: Some(launch("slow.js")),
        settle: Settle { quiet_ms: None, timers_ms: 100, fixed_ms: None, limit_ms: 4_000, background: Vec::new() },
        state: Some("[...list.children].map((item) => item.textContent)".to_string()),
        ..application(format!("http://127.0.0.1:{}{path}?doc={{doc}}&think=300", colobus_model::PORT))
    };
    Subject::place(&asking).unwrap()
}

#[test]
fn pages_that_poll_do_so_while_everything_settles_and_at_no_other_time() {
    for path in ["/interval-todo", "/chain-todo"] {
        let application = polling(path);
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
        assert_eq!(world.waiting(), "", "{path}: a poll is no event of an order");
        world.act(B, click("#text"));
        world.act(B, text("bread"));
        world.act(B, press("Enter"));
        world.quiet();
        let both = serde_json::json!(["milk", "bread"]);
        assert_eq!([A, B].map(|client| world.state(client)), [both.clone(), both], "{path}");
    }
}
