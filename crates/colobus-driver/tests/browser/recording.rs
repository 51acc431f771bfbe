//! Recording and replaying every widget that there is, and what must not be recorded.

use std::sync::LazyLock;

use colobus_driver::Played;
use colobus_record::{Event, Recording};
use serde_json::Value;

use crate::server::Server;
use crate::session::{OUTCOME, Session, perform, replay, script, typed, widgets};

/// The widgets, used and recorded once for all tests.
static USED: LazyLock<(String, Session)> = LazyLock::new(|| {
    let server = Server::start();
    let script = widgets(&server.url(""));
    let session = perform(&script, OUTCOME);
    assert_eq!(session.impossible(&script), Vec::<String>::new());
    (server.url(""), session)
});

#[test]
fn every_widget_is_recorded_and_replayed() {
    let (origin, Session { recording, ends, .. }) = &*USED;
    let text = recording.to_string();
    for secret in ["hunterzwei", "geheim"] {
        assert!(!text.contains(secret), "{text}");
    }
    let lone: Vec<String> =
        recording.lines.iter().filter(|line| secret_letter(&line.event)).map(|line| line.to_string()).collect();
    assert_eq!(lone, Vec::<String>::new(), "no single letter either");
    assert!(text.contains("A.2 click"), "pop-ups are heard, too: {text}");
    let tabs = ["A.2 popup", "A.3 popup", "A.4 popup"].map(|tab| text.contains(tab));
    assert_eq!((tabs, text.matches(" open ").count()), ([true; 3], 1), "tabs that a page opens: {text}");

    let server = Server::start();
    let replayed = replay(recording, (origin, &server.url("")), OUTCOME, true);
    assert_eq!(replayed.relaxed(recording), Vec::<String>::new(), "{text}");
    let ((before, dom), (after, dom_after)) = (&ends[0], &replayed.ends[0]);
    assert_eq!(after["fields"], before["fields"], "{text}");
    for (after, before) in entries(after).into_iter().zip(entries(before)) {
        assert_eq!(after, before, "{text}");
    }
    assert_eq!(after, before, "{text}");
    let port = |origin: &str| origin.rsplit(':').next().map(str::to_string).unwrap();
    assert_eq!(dom_after, &dom.replace(&port(origin), &port(&server.url(""))));
}

fn entries(outcome: &Value) -> Vec<String> {
    outcome["log"].as_array().unwrap().iter().map(Value::to_string).collect()
}

fn secret_letter(event: &Event) -> bool {
    match event {
        Event::Type { on, key, .. } | Event::Down { on, key, .. } => {
            let secret = on.target().attribute("name").is_some_and(|name| name == "password" || name == "hidden");
            secret && key.character().is_some()
        }
        _ => false,
    }
}

#[test]
fn what_is_typed_behind_a_closed_door_is_a_secret() {
    let server = Server::start();
    let lines =
        "colobus-recording 1\nviewport 640x400\nA open \"ORIGIN/sealed\" +0\nA click /html/body/x-sealed 5,5 +1\n";
    let script = script(&(lines.to_string() + &typed('A', "/html/body/x-sealed", "hunterzwei")), &server.url(""));
    let Session { recording, ends, .. } = perform(&script, "document.title");
    assert_eq!(ends[0].0, "hunterzwei", "it was typed");
    let secrets = recording.lines.iter().filter(|line| matches!(line.event, Event::Secret { .. })).count();
    let letters =
        recording.lines.iter().filter(|line| matches!(line.event, Event::Type { .. } | Event::Down { .. })).count();
    assert_eq!((secrets, letters), (1, 0), "{recording}");
}

#[test]
fn most_steps_survive_another_build_of_the_page() {
    let (origin, Session { recording, .. }) = &*USED;
    let server = Server::start();
    let mut recording: Recording = recording.clone();
    recording.lines[0].event = Event::Open(format!("{origin}/widgets?shuffled"));
    let Session { played, ends, .. } = &replay(&recording, (origin, &server.url("")), OUTCOME, false);
    let all = played.len();
    let lost: Vec<&Played> = played.iter().filter(|played| matches!(played, Played::Impossible(_))).collect();
    assert!(played.iter().filter(|played| matches!(played, Played::Relaxed(_))).count() > 20, "ids and places differ");
    assert!(lost.len() * 20 <= all, "{} of {all} lost: {lost:#?}", lost.len());
    let found: Vec<String> = entries(&ends[0].0).into_iter().filter(|entry| entry.contains("mousedown")).collect();
    for target in ["count", "ask", "open", "name", "check", "radio", "area", "rich", "shadow", "opened", "inner"] {
        assert!(found.iter().any(|entry| entry.contains(&format!("\"on\":\"{target}\""))), "{target} was clicked");
    }
}
