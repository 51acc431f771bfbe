//! Servers that take their time and that nobody lets us look at: this test starts them, not Colobus. What they do is learned,
//! and waited for.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use colobus_driver::BrowserFactory;
use colobus_model::{Application, Deterministic, Settle};
use colobus_world::{World, WorldFactory};
use serde_json::{Value, json};

use crate::stage::{A, Acting, B, application, click, factory, press, text};

/// The server in `servers/slow.js`, ended with its test.
struct SlowServer(Child, u16);

impl SlowServer {
    fn start() -> SlowServer {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/servers/slow.js");
        let mut child = Command::new("node").arg(script).stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut port).unwrap();
        SlowServer(child, port.trim().parse().unwrap())
    }

    /// One of its applications, nothing said about how to wait for it.
    fn application(&self, path: &str, think_ms: u64) -> Application {
        let url = format!("http://127.0.0.1:{}{path}?doc={{doc}}&think={think_ms}", self.1);
        let settle = Settle::within(4_000);
        let state = "({ items: [...list.children].map((item) => item.textContent), status: status.textContent })";
        let state = state.replace("status.", "document.getElementById('status').");
        Application { settle, state: Some(state), ..application(url) }
    }
}

impl Drop for SlowServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn say(world: &mut Box<dyn World>, client: colobus_model::ClientId, word: &str) {
    world.act(client, click("#text"));
    world.act(client, text(word));
    world.act(client, press("Enter"));
}

fn items(world: &mut Box<dyn World>) -> [Value; 2] {
    [A, B].map(|client| world.state(client)["items"].clone())
}

/// In two documents, one after the other.
fn both_hear_of_an_item_twice(world: &mut Box<dyn World>, what: &str) {
    for number in 0..2 {
        world.start(2);
        say(world, A, &format!("milk{number}"));
        world.quiet();
        let expected = json!([format!("milk{number}")]);
        assert_eq!(items(world), [expected.clone(), expected], "{what}");
    }
}

/// Executions in which nothing happens, as many as are watched through long silences.
fn learn(world: &mut Box<dyn World>, word: &str) {
    for _ in 0..2 {
        world.start(2);
        say(world, A, word);
        world.quiet();
    }
}

fn notes(browsers: &BrowserFactory) -> String {
    browsers.notes().join("\n")
}

#[test]
fn a_request_is_waited_for_until_it_is_answered() {
    let server = SlowServer::start();
    let mut world = factory(server.application("/booking", 700)).open().unwrap();
    world.start(2);
    world.act(A, click("#go"));
    world.act(B, click("#go"));
    world.quiet();
    let mut seats = [A, B].map(|client| world.state(client)["status"].as_str().unwrap().to_string());
    seats.sort();
    assert_eq!(seats, ["taken", "yours"]);
}

#[test]
fn a_list_over_requests_and_events_is_complete_although_every_answer_takes_time() {
    let server = SlowServer::start();
    let mut world = factory(server.application("/events-todo", 300)).open().unwrap();
    world.start(2);
    say(&mut world, A, "milk");
    world.quiet();
    assert_eq!(items(&mut world), [json!(["milk"]), json!(["milk"])]);
}

#[test]
fn how_late_a_server_tells_others_is_learned() {
    let server = SlowServer::start();
    let browsers = factory(server.application("/chat", 300));
    let mut world = browsers.open().unwrap();
    learn(&mut world, "hello");
    for number in 0..3 {
        world.start(2);
        say(&mut world, A, &format!("a{number}"));
        world.quiet();
        let expected = json!([format!("a{number}")]);
        assert_eq!(items(&mut world), [expected.clone(), expected]);
    }
    let notes = notes(&browsers);
    assert!(notes.contains("(patience)") && !notes.contains("late reactions"), "{notes}");
}

#[test]
fn a_server_that_becomes_slower_is_noticed_and_waited_for_from_then_on() {
    let server = SlowServer::start();
    let browsers = factory(server.application("/chat", 0));
    let mut world = browsers.open().unwrap();
    learn(&mut world, "hello");
    world.start(2);
    say(&mut world, A, "slow 1500");
    world.quiet();
    world.settle_thoroughly().unwrap();
    assert_eq!(items(&mut world), [json!(["slow"]), json!(["slow"])], "a long look sees what came late");
    assert!(notes(&browsers).contains("late reactions: "), "{}", notes(&browsers));
    for number in 0..2 {
        world.start(2);
        say(&mut world, B, &format!("b{number} 600"));
        world.quiet();
        let expected = json!([format!("b{number}")]);
        assert_eq!(items(&mut world), [expected.clone(), expected]);
    }
}

#[test]
fn what_always_followed_is_waited_for_although_it_takes_longer_than_ever() {
    let server = SlowServer::start();
    let browsers = factory(server.application("/chat", 0));
    let mut world = browsers.open().unwrap();
    learn(&mut world, "hello");
    learn(&mut world, "hello");
    for number in 0..2 {
        world.start(2);
        // The second one is answered last, long after a silence that was enough so far.
        say(&mut world, A, &format!("a{number}"));
        say(&mut world, B, &format!("b{number} {}", 1000 + 1000 * number));
        world.quiet();
        let expected = json!([format!("a{number}"), format!("b{number}")]);
        assert_eq!(items(&mut world), [expected.clone(), expected]);
    }
    assert!(!notes(&browsers).contains("late reactions"), "{}", notes(&browsers));
    // A message that is not passed on is waited for during most of the limit, once.
    world.start(2);
    say(&mut world, A, "lost never");
    world.quiet();
    assert_eq!(items(&mut world), [json!([]), json!([])]);
    let told = notes(&browsers);
    assert!(told.contains("missing: after {type:say,text:$}, {type:said,text:$} did not come to the others"), "{told}");
}

#[test]
fn what_comes_between_settling_and_the_next_order_makes_the_execution_void() {
    let server = SlowServer::start();
    let mut world = factory(server.application("/chat", 0)).open().unwrap();
    learn(&mut world, "hello");
    world.start(2);
    // Much slower than what was learned, also on a busy machine.
    say(&mut world, A, "slow 2500");
    world.quiet();
    // The page of B shows the word once it has arrived.
    world.act(B, colobus_model::Step::WaitFor("li".into()));
    let error = world.hold().unwrap_err().to_string();
    assert!(error.contains("came late"), "{error}");
}

#[test]
fn between_the_events_of_a_schedule_late_messages_are_waited_for() {
    let server = SlowServer::start();
    let mut world = factory(server.application("/chat", 300)).open().unwrap();
    learn(&mut world, "hello");
    world.start(2);
    world.hold().unwrap();
    say(&mut world, A, "late");
    assert_eq!(world.waiting(), "A>");
    world.play("A>");
    assert_eq!(world.waiting(), "A< B<", "what the server tells each of them");
    world.quiet();
    assert_eq!(items(&mut world), [json!(["late"]), json!(["late"])]);
}

#[test]
fn pages_that_poll_are_settled_when_they_have_polled() {
    let server = SlowServer::start();
    let (gets, rpc) = ("polling: GET /items every 700 ms", "polling: POST /rpc every 700 ms");
    for (path, clocks, note) in [
        ("/interval-todo", &[true, false][..], gets),
        ("/chain-todo", &[true, false], gets),
        ("/rpc-todo", &[true], rpc),
    ] {
        for clock in clocks.iter().copied() {
            let deterministic = Deterministic { clock, ..Deterministic::default() };
            let browsers = factory(Application { deterministic, ..server.application(path, 20) });
            let mut world = browsers.open().unwrap();
            both_hear_of_an_item_twice(&mut world, &format!("{path} {clock}"));
            // Only requests that read can be left out of an order.
            world.hold().unwrap();
            let asks = if note == rpc { "void call({ method: 'add', item: 'more' })" } else { "void load()" };
            world.act(A, colobus_model::Step::Evaluate(asks.into()));
            let waiting = world.deliverable().unwrap();
            let all_poll = waiting.iter().all(|event| world.is_poll(event));
            assert_eq!((waiting.is_empty(), all_poll), (false, note != rpc), "{path} {clock} {waiting:?}");
            assert!(notes(&browsers).contains(note), "{}", notes(&browsers));
        }
    }
}

#[test]
fn a_page_that_polls_less_and_less_often_is_settled_when_it_has_polled() {
    let server = SlowServer::start();
    for clock in [true, false] {
        let deterministic = Deterministic { clock, ..Deterministic::default() };
        let browsers = factory(Application { deterministic, ..server.application("/backoff-todo", 20) });
        let mut world = browsers.open().unwrap();
        both_hear_of_an_item_twice(&mut world, &format!("clock: {clock}"));
    }
}

#[test]
fn a_long_poll_is_known_by_configuration_or_by_staying_open() {
    let server = SlowServer::start();
    let plain = server.application("/waiting-todo", 20);
    let told = Settle { background: vec!["/news*".into()], ..plain.settle.clone() };
    let learned = plain.settle.clone();
    for (settle, is_named) in [(told, false), (learned, true)] {
        let browsers = factory(Application { settle, ..plain.clone() });
        let mut world = browsers.open().unwrap();
        world.start(2);
        say(&mut world, A, "milk");
        world.quiet();
        assert_eq!(items(&mut world), [json!(["milk"]), json!(["milk"])]);
        assert_eq!(notes(&browsers).contains("background: GET /news stays open"), is_named, "{}", notes(&browsers));
    }
}

/// Delays from a seed: neither of them is a multiple of anything.
pub fn delays(seed: u64, most_ms: u64, count: usize) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most_ms
    };
    (0..count).map(|_| next()).collect()
}

/// Executions in which two users say something at once, each answered after a delay of its own; how many showed everybody
/// everything, and how many turned out to be void.
fn at_random(most_ms: u64, executions: usize) -> (usize, usize) {
    let server = SlowServer::start();
    let mut application = server.application("/chat", 0);
    application.settle.limit_ms = 4 * most_ms;
    let mut world = factory(application).open().unwrap();
    let (mut right, mut void) = (0, 0);
    let delays = delays(7, most_ms, 2 * executions);
    for (number, pair) in delays.chunks(2).enumerate() {
        world.start(2);
        say(&mut world, A, &format!("a{number} {}", pair[0]));
        say(&mut world, B, &format!("b{number} {}", pair[1]));
        world.quiet();
        let seen = [A, B].map(|client| {
            let wanted = colobus_world::ObserveOptions { state: true, ..Default::default() };
            world.observe(client, wanted).map(|seen| seen.state.unwrap()["items"].as_array().unwrap().len())
        });
        match seen {
            [Ok(2), Ok(2)] => right += 1,
            // What a run would do: look once more after a long silence before it believes what it saw.
            _ => {
                world.settle_thoroughly().unwrap();
                assert_eq!(items(&mut world).map(|items| items.as_array().unwrap().len()), [2, 2], "{pair:?}");
                void += 1;
            }
        }
    }
    (right, void)
}

#[test]
fn delays_at_random_lead_to_no_wrong_verdict() {
    let (right, void) = at_random(400, 6);
    assert_eq!(right + void, 6);
    assert!(right >= 4, "{right} of 6, {void} were looked at again");
}

#[test]
#[ignore = "takes minutes"]
fn delays_at_random_up_to_five_seconds_lead_to_no_wrong_verdict() {
    let (right, void) = at_random(5_000, 30);
    println!("{right} of 30 at once, {void} after a long look");
    assert_eq!(right + void, 30);
    assert!(right >= 25, "{right}");
}
