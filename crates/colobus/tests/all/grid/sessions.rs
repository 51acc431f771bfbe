//! Sessions that wait for a place in the queue for too long, and those that are used for longer than a session may be silent.

use std::io::{Read, Write};
use std::iter;
use std::net::TcpStream;

use colobus_driver::Hub;
use colobus_model::Report;
use tempfile::TempDir;

use super::tool::Tool;
use super::{
    Place, SEARCH, Server, causes, expected, free_port, hub_at, no_session_is_left, running_sessions, text, wait_until,
};

/// Of a browser that the test itself uses.
const OWN: [&str; 2] = ["--headless=new", "--no-sandbox"];

/// How many requests for a session wait at the hub.
fn queued(hub: &Hub) -> usize {
    let address = hub.url().trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let path = "/se/grid/newsessionqueue/queue";
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.matches("\"requestId\"").count()
}

/// The only place is taken by others until a request has waited for too long, and then there is one place for two workers: one of them
/// waits in the queue, again and again. The search takes longer than a session may live without a word.
#[test]
#[ignore = "a Grid, and two searches with all bugs: make test-grid"]
fn sessions_that_time_out_in_the_queue_are_asked_for_again_and_those_in_use_are_kept() {
    const TIMEOUT_S: u64 = 10;
    let port = free_port();
    // A busy machine takes seconds to start a browser, which the hub counts as well.
    let queue = ["--session-request-timeout", "8", "--session-request-timeout-period", "1"];
    let _server = Server::with_timeout("standalone", &Place::here(), port, (1, TIMEOUT_S), &queue);
    let hub = hub_at(port);
    let folder = TempDir::new().unwrap();
    let of_others = iter::repeat_with(|| hub.open(&OWN.map(String::from))).take(10).find_map(Result::ok);
    assert!(of_others.is_some(), "the test has a browser");
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox", "--workers=2"];
    let running = Tool::start(folder.path(), |command| command.args(SEARCH).args(on_grid));
    wait_until("a session is asked for", || queued(&hub) > 0);
    wait_until("the hub gives the request up", || queued(&hub) == 0);
    drop(of_others);
    let output = running.output();
    assert_eq!(causes(&output), *expected());
    let Report { timing, .. } = serde_json::from_slice(&output.stdout).unwrap();
    let took_s = timing.phase1_s + timing.phase2_s;
    assert!(took_s > 2.0 * TIMEOUT_S as f64, "{took_s} s");
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// The Grid of a search that is interrupted while its request waits for a place: nothing comes of the request later.
#[test]
#[ignore = "a Grid whose only place is in use: make test-grid"]
fn a_request_that_waits_for_a_place_when_its_search_is_interrupted_leaves_no_session() {
    let port = free_port();
    let (_server, hub) = (Server::with_browsers("standalone", &Place::here(), port, 1, &[]), hub_at(port));
    let folder = TempDir::new().unwrap();
    let of_others = hub.open(&OWN.map(String::from)).unwrap();
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox", "--workers=1"];
    let running = Tool::start(folder.path(), |command| command.args(SEARCH).args(on_grid));
    wait_until("a session is asked for", || queued(&hub) > 0);
    running.signal("-INT");
    let output = running.output();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    drop(of_others);
    wait_until("the request leaves the queue", || queued(&hub) == 0);
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}
