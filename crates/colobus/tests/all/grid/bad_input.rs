//! Hubs that cannot be used: each is named in a sentence, with what to do.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use super::fake_hub::{DEVTOOLS, FakeHub, session, status, without_nodes};
use super::tool::Tool;
use super::{colobus, text};

const SEARCH: [&str; 4] = ["demo", "--correct", "--depth=1", "--no-open"];

/// Refuses with 2, and says all of this.
fn refuses(output: &Output, parts: &[&str]) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{}{said}", text(&output.stdout));
    assert!(parts.iter().all(|part| said.contains(part)), "{parts:?}: {said}");
}

/// `doctor`, a search of worlds, and one of a single page.
fn every_way_refuses(hub: &str, parts: &[&str]) {
    let folder = TempDir::new().unwrap();
    for command in [&["doctor"][..], &SEARCH, &["explore", "http://127.0.0.1:1/"]] {
        refuses(&colobus(folder.path(), &[command, &["--grid", hub]].concat()), parts);
    }
}

#[test]
fn what_is_no_grid_is_named() {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let nobody = format!("http://{}", free.local_addr().unwrap());
    let encrypted = nobody.replace("http", "https");
    drop(free);
    let editor = colobus_demo::DemoServer::start(colobus_demo::DemoOptions::default()).unwrap();
    let editor = editor.url();
    for (address, expected) in [
        (nobody.as_str(), "no Selenium Grid could be reached"),
        (encrypted.as_str(), "no Selenium Grid could be reached"),
        (editor.as_str(), "not what a Selenium Grid says"),
        ("hub:4444", "not the address of a Selenium Grid"),
    ] {
        every_way_refuses(address, &[expected]);
    }
}

#[test]
fn a_grid_without_a_browser_that_can_be_driven_names_its_nodes() {
    let hub = FakeHub::start(|_| (200, status("firefox")));
    every_way_refuses(&hub.url, &["has a browser with DevTools", "http://node-7:5555 has firefox", "start one: java"]);
    assert_eq!(hub.count("POST /session"), 0, "it would be kept in the queue for minutes");
}

/// Grids on Kubernetes have no node while nobody wants one: all commands ask for a session then, `doctor` too.
#[test]
fn a_grid_without_nodes_is_asked_for_a_session() {
    let hub = FakeHub::start(|asked| match asked.what.as_str() {
        "GET /status" => (200, without_nodes()),
        _ => (500, r#"{ "value": { "error": "no", "message": "No pod could be started" } }"#.to_string()),
    });
    every_way_refuses(&hub.url, &["opened no session: No pod could be started"]);
    assert!(hub.count("POST /session") >= 3, "{:?}", hub.asked());
    let folder = TempDir::new().unwrap();
    let said = text(&colobus(folder.path(), &["doctor", "--grid", &hub.url]).stdout);
    assert!(said.contains("no node is there: asking for a session"), "{said}");
}

#[test]
fn a_session_without_devtools_is_given_back_and_told() {
    // The hub says on which node it has opened the session.
    let running = status("chrome").replace("\"session\": null", "\"session\": { \"sessionId\": \"s-1\" }");
    let hub = FakeHub::start(move |asked| match asked.what.as_str() {
        "GET /status" => (200, running.clone()),
        "POST /session" => (200, session(r#""browserVersion": "150""#)),
        _ => (200, r#"{ "value": null }"#.to_string()),
    });
    let parts =
        ["opened a session without a DevTools endpoint (se:cdp), on http://node-7:5555", "must not switch it off"];
    every_way_refuses(&hub.url, &parts);
    assert_eq!(hub.count("POST /session"), hub.count("DELETE /session/s-1"), "{:?}", hub.asked());
}

#[test]
fn a_session_that_answers_garbage_is_given_back_and_told() {
    let hub = FakeHub::opening(|asked| match asked.what.as_str() {
        "POST /session" => (200, session(DEVTOOLS)),
        _ => (200, "what?".to_string()),
    });
    every_way_refuses(&hub.url, &["no browser could be reached at ws://127.0.0.1:", "is it running"]);
    assert!(hub.count("POST /session") > 0);
    assert_eq!(hub.count("POST /session"), hub.count("DELETE /session/s-1"), "{:?}", hub.asked());
    let hub = FakeHub::opening(|_| (200, "<html>".to_string()));
    every_way_refuses(&hub.url, &["not what a Selenium Grid says", "is it the address of the hub?"]);
    let hub = FakeHub::opening(|_| {
        (500, r#"{ "value": { "error": "no", "message": "All the chairs are taken" } }"#.to_string())
    });
    every_way_refuses(&hub.url, &["opened no session: All the chairs are taken"]);
}

#[test]
fn a_password_is_asked_for_shown_and_written_nowhere() {
    let hub = FakeHub::start(|asked| {
        // `ann:secret-word`, in lower case as all headers are here.
        match asked.headers.contains("authorization: basic yw5uonnly3jldc13b3jk") {
            true => (200, status("firefox")),
            false => (401, "{}".to_string()),
        }
    });
    every_way_refuses(&hub.url, &["wants a password: set COLOBUS_GRID_USER to `name:password`"]);
    let folder = TempDir::new().unwrap();
    let with = |user: &str| {
        let log = ["--log=trace", "--grid", &hub.url];
        Tool::start(folder.path(), |command| command.args(SEARCH).args(log).env("COLOBUS_GRID_USER", user)).output()
    };
    let inside = colobus(folder.path(), &["doctor", "--grid=http://ann:secret-word@hub:4444"]);
    refuses(&inside, &["set COLOBUS_GRID_USER"]);
    assert!(!text(&inside.stderr).contains("secret-word"));
    refuses(&with("ann:wrong-word"), &["refuses the name and password in COLOBUS_GRID_USER"]);
    let right = with("ann:secret-word");
    refuses(&right, &["has a browser with DevTools"]);
    assert!(!text(&right.stderr).contains("secret-word"));
    assert!(!is_anywhere(folder.path(), "secret-word") && !is_anywhere(folder.path(), "YW5uOnNlY3JldC13b3Jk"));
}

/// An application that writes down what it is told, and ends.
#[test]
fn the_password_of_a_grid_is_not_told_to_the_application() {
    let folder = TempDir::new().unwrap();
    let application = "[app]\nurl = \"http://127.0.0.1:{port}/?doc={doc}\"\nstart = \"sh tell.sh\"\n";
    let action = "[[action]]\nname = \"go\"\nsteps = [{ click = \"button\" }]\n";
    let configuration = [application, action].concat();
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    fs::write(folder.path().join("tell.sh"), "env > told.txt\n").unwrap();
    let search = Tool::start(folder.path(), |command| {
        command
            .args(["check", "--same", "--timeout=60s"])
            .env("COLOBUS_GRID_USER", "ann:secret-word")
            .env("SEEN", "by all")
    });
    assert_eq!(search.output().status.code(), Some(2));
    let told = fs::read_to_string(folder.path().join("told.txt")).unwrap();
    assert!(told.contains("SEEN=by all") && !told.contains("secret-word"), "{told}");
}

pub fn is_anywhere(folder: &Path, word: &str) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| match entry.path().is_dir() {
        true => is_anywhere(&entry.path(), word),
        false => text(&fs::read(entry.path()).unwrap()).contains(word),
    })
}

#[test]
fn what_makes_no_sense_with_or_without_a_grid_is_said() {
    let folder = TempDir::new().unwrap();
    let without: &[&str] = &["demo", "--correct", "--no-open", "--listen=127.0.0.1"];
    for (arguments, expected) in [
        (without, "--listen is for browsers of other machines"),
        (&["race", "http://127.0.0.1:1/", "--listen=127.0.0.1"], "--listen is for browsers of other machines"),
        (
            &["explore", "http://127.0.0.1:1/", "--connect=ws://127.0.0.1:1/x", "--listen-tls"],
            "--listen-tls is for the browsers of a Grid",
        ),
        (&["race", "http://127.0.0.1:1/", "--listen-tls"], "--listen-tls is for the browsers of a Grid"),
        (&["doctor"], "name the hub of a Selenium Grid"),
        (&["explore", "http://127.0.0.1:1/", "--connect=ws://127.0.0.1:1/x"], "no browser could be reached"),
    ] {
        refuses(&colobus(folder.path(), arguments), &[expected]);
    }
}
