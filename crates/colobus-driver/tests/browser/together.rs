//! Messages that a schedule delivers together reach an application that we started at once.

use std::collections::BTreeMap;
use std::path::PathBuf;

use colobus_driver::subject::Subject;
use colobus_model::{Application, Launch, PORT, Settle, WaitFor};
use colobus_world::{World, WorldFactory};

use crate::stage::{A, Acting, B, application, click, factory};

/// One of `subjects/small`, on a server that answers at once.
fn small(name: &str, broken: bool, state: &str) -> Application {
    let launch = Launch {
        command: ["node", "app.js", PORT].map(str::to_string).to_vec(),
        directory: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../subjects/small").join(name),
        environment: BTreeMap::from([("BUG".to_string(), u8::from(broken).to_string())]),
        wait_for: WaitFor::ChosenPort,
        timeout_ms: 30_000,
    };
    let asking = Application {
        launch: Some(launch),
        settle: Settle { quiet_ms: None, timers_ms: 100, fixed_ms: None, limit_ms: 10_000, background: Vec::new() },
        ready: Some("window.connected".to_string()),
        state: Some(state.to_string()),
        ..application(format!("http://127.0.0.1:{PORT}/?doc={{doc}}"))
    };
    Subject::place(&asking).unwrap()
}

/// How many were promised the seat that both have booked at once.
fn promises(world: &mut Box<dyn World>) -> usize {
    world.start(2);
    world.hold().unwrap();
    world.act(A, click(".book-1"));
    world.act(B, click(".book-1"));
    world.quiet();
    [A, B].into_iter().filter(|client| world.state(*client) == "Seat 1 is yours, .").count()
}

#[test]
fn two_who_book_at_once_meet_in_one_turn_of_the_server_every_time() {
    for (broken, promised) in [(true, 2), (false, 1)] {
        let application = small("booking", broken, "document.querySelector('#answer').textContent");
        let subject = Subject::start(&application).unwrap();
        let browsers = factory(application);
        browsers.watch(subject.watch().unwrap());
        let mut world = browsers.open().unwrap();
        let times = if broken { 6 } else { 1 };
        for time in 0..times {
            assert_eq!(promises(&mut world), promised, "broken: {broken}, time {time}");
        }
    }
}
