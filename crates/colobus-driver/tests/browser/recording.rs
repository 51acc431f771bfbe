//! Recording and replaying. A script of user actions is itself a trace, performed with trusted input while the recorder
//! listens; what it records is performed again in another browser, and both runs are compared.

use std::path::PathBuf;
use std::time::Duration;

use colobus_driver::browser::{Pace, PlayOptions, Played, Player, Recorder, WindowOptions, Windows};
use colobus_record::{Event, Recording};
use serde_json::Value;

use crate::server::Server;

const PATIENCE: Duration = Duration::from_secs(5);

fn open(recording: &Recording, record: bool) -> Windows {
    Windows::open(WindowOptions {
        browser: None,
        headed: false,
        clients: recording.clients(),
        viewport: Some(recording.viewport),
        redact: vec!["[data-name=hidden]".to_string()],
        record,
        play: true,
    })
    .unwrap()
}

fn play(windows: &Windows, recording: &Recording, secrets: &[(&str, &str)]) -> Vec<Played> {
    let options = PlayOptions {
        pace: Pace::Fast,
        strict: false,
        patience: PATIENCE,
        secrets: secrets.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        files: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
    };
    let mut player = Player::new(windows, recording, options);
    let played = (0..recording.lines.len()).map(|index| player.play(index).unwrap()).collect();
    assert!(windows.settle(PATIENCE), "everything comes to rest");
    played
}

fn outcome(windows: &Windows) -> Value {
    windows.evaluate_all("globalThis.outcome?.()").unwrap().remove(0).1
}

fn script(text: &str, server: &Server) -> Recording {
    let text = text.replace("ORIGIN", &server.url("")).replace("SECRET", "correct horse");
    Recording::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn performed(recording: &Recording, played: &[Played]) -> Vec<String> {
    let lines = recording.lines.iter().zip(played);
    lines
        .filter(|(_, played)| matches!(played, Played::Impossible(_)))
        .map(|(line, played)| format!("{line}: {played:?}"))
        .collect()
}

/// Types a text letter by letter.
fn typed(on: &str, text: &str) -> String {
    text.chars()
        .map(|letter| {
            format!(
                "A type {on} [{letter},Key{},{}] +1\n",
                letter.to_ascii_uppercase(),
                u32::from(letter.to_ascii_uppercase())
            )
        })
        .collect()
}

fn widgets() -> String {
    let mut text = include_str!("pages/widgets.trace").to_string();
    let password = typed("//input[@name=\"password\"]", "hunterzwei");
    text = text.replace("TYPE-PASSWORD\n", &password);
    text.replace("TYPE-HIDDEN\n", &typed("/html/body/x-closed~>/input", "geheim"))
}

#[test]
fn every_widget_is_recorded_and_replayed() {
    let server = Server::start();
    let script = script(&widgets(), &server);
    let windows = open(&script, true);
    let recorder = Recorder::start(&windows);
    let played = play(&windows, &script, &[]);
    assert_eq!(performed(&script, &played), Vec::<String>::new());
    let recording = recorder.recording(&windows, script.viewport).unwrap();
    let before = outcome(&windows);
    drop(windows);
    let text = recording.to_string();
    for secret in ["hunterzwei", "geheim"] {
        assert!(!text.contains(secret), "{text}");
    }
    let lone: Vec<String> =
        recording.lines.iter().filter(|line| secret_letter(&line.event)).map(|line| line.to_string()).collect();
    assert_eq!(lone, Vec::<String>::new(), "no single letter either");
    assert!(text.contains("A.2 click"), "pop-ups are heard, too: {text}");
    assert_eq!(Recording::parse(&text).unwrap(), recording);

    let windows = open(&recording, false);
    let secrets = [("COLOBUS_SECRET_PASSWORD", "hunterzwei"), ("COLOBUS_SECRET_HIDDEN", "geheim")];
    let played = play(&windows, &recording, &secrets);
    assert_eq!(performed(&recording, &played), Vec::<String>::new(), "{text}");
    let relaxed: Vec<&Played> = played.iter().filter(|played| **played != Played::Done).collect();
    assert_eq!(relaxed, Vec::<&Played>::new(), "{text}");
    let after = outcome(&windows);
    assert_eq!(after["fields"], before["fields"], "{text}");
    assert_eq!(entries(&after), entries(&before), "{text}");
    assert_eq!(after, before, "{text}");
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
    let lines = "colobus-trace 1\nviewport 640x400\nA open \"ORIGIN/sealed\" +0\nA click /html/body/x-sealed 5,5 +1\n";
    let script = script(&(lines.to_string() + &typed("/html/body/x-sealed", "hunterzwei")), &server);
    let windows = open(&script, true);
    let recorder = Recorder::start(&windows);
    play(&windows, &script, &[]);
    assert_eq!(windows.evaluate_all("document.title").unwrap()[0].1, "hunterzwei", "it was typed");
    let recording = recorder.recording(&windows, script.viewport).unwrap();
    let secrets = recording.lines.iter().filter(|line| matches!(line.event, Event::Secret { .. })).count();
    let letters =
        recording.lines.iter().filter(|line| matches!(line.event, Event::Type { .. } | Event::Down { .. })).count();
    assert_eq!((secrets, letters), (1, 0), "{recording}");
}

#[test]
fn most_steps_survive_another_build_of_the_page() {
    let server = Server::start();
    let script = script(&widgets(), &server);
    let windows = open(&script, true);
    let recorder = Recorder::start(&windows);
    play(&windows, &script, &[]);
    let mut recording = recorder.recording(&windows, script.viewport).unwrap();
    drop(windows);
    recording.lines[0].event = Event::Open(server.url("/widgets?shuffled"));
    let windows = open(&recording, false);
    let secrets = [("COLOBUS_SECRET_PASSWORD", "hunterzwei"), ("COLOBUS_SECRET_HIDDEN", "geheim")];
    let played = play(&windows, &recording, &secrets);
    let (lost, all) = (performed(&recording, &played), played.len());
    assert!(played.iter().filter(|played| matches!(played, Played::Relaxed(_))).count() > 20, "ids and places differ");
    assert!(lost.len() * 20 <= all, "{} of {all} lost: {lost:#?}", lost.len());
    let found: Vec<String> =
        entries(&outcome(&windows)).into_iter().filter(|entry| entry.contains("mousedown")).collect();
    for target in ["count", "ask", "open", "name", "check", "radio", "area", "rich", "shadow", "inner"] {
        assert!(found.iter().any(|entry| entry.contains(&format!("\"on\":\"{target}\""))), "{target} was clicked");
    }
}
