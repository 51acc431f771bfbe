//! Sessions that expire, wait for a place in the queue for too long, or are slow.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use colobus_driver::Hub;
use colobus_model::Report;
use tempfile::TempDir;

use super::tool::Tool;
use super::{
    Place, Server, causes, colobus, free_port, grid_of_nodes, hub_at, no_session_is_left, running_sessions, wait_until,
};

const SEARCH: [&str; 6] = ["demo", "--bug=all", "--depth=1", "--repeat=2", "--reporter=json", "--no-open"];
/// Of a browser that the test itself uses.
const OWN: [&str; 2] = ["--headless=new", "--no-sandbox"];

/// A search takes longer than a session may live without a word, and a worker may wait for others.
#[test]
#[ignore = "a Grid, and two searches with all bugs: make test-grid"]
fn a_search_that_is_longer_than_the_time_out_of_sessions_costs_no_cause() {
    let port = free_port();
    let (_server, hub) = (Server::with_timeout("standalone", &Place::here(), port, (2, 10), &[]), hub_at(port));
    let folder = TempDir::new().unwrap();
    let expected = causes(&colobus(folder.path(), &[&SEARCH[..], &["--workers=2"]].concat()));
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox", "--workers=2"];
    let output = colobus(folder.path(), &[&SEARCH[..], &on_grid[..]].concat());
    assert_eq!(causes(&output), expected);
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    let took_s = report.timing.phase1_s + report.timing.phase2_s;
    println!("{took_s:.0} s with a time-out of 10 s: {} sessions were renewed", report.counts.restarts);
    assert!(took_s > 20.0, "{took_s} s");
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

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

/// The only place is taken by others until a request has waited for too long, and then there is one place for two workers.
#[test]
#[ignore = "a Grid, and two searches with all bugs: make test-grid"]
fn sessions_that_time_out_in_the_queue_are_asked_for_again() {
    let port = free_port();
    let queue = ["--session-request-timeout", "4", "--session-request-timeout-period", "1"];
    let _server = Server::with_browsers("standalone", &Place::here(), port, 1, &queue);
    let hub = hub_at(port);
    let folder = TempDir::new().unwrap();
    let expected = causes(&colobus(folder.path(), &[&SEARCH[..], &["--workers=2"]].concat()));
    let of_others = hub.open(&OWN.map(String::from)).unwrap();
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox", "--workers=2"];
    let running = Tool::start(folder.path(), |command| command.args(SEARCH).args(on_grid));
    wait_until("a session is asked for", || queued(&hub) == 1);
    wait_until("the hub gives the request up", || queued(&hub) == 0);
    drop(of_others);
    let output = running.output();
    assert_eq!(causes(&output), expected);
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// One of two nodes has its processes stopped most of the time, as those of a machine that has too much to do.
#[test]
#[ignore = "a hub, three nodes and two searches with all bugs: make test-grid"]
fn a_session_that_is_slow_is_given_back_and_replaced() {
    const STOPPED: Duration = Duration::from_millis(190);
    const RUNNING: Duration = Duration::from_millis(10);
    let (_server, hub, nodes) = grid_of_nodes(3);
    let folder = TempDir::new().unwrap();
    let expected = causes(&colobus(folder.path(), &[&SEARCH[..], &["--workers=2"]].concat()));
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox", "--workers=3", "--log=info"];
    let is_over = AtomicBool::new(false);
    let output = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                nodes[0].signal("-STOP");
                thread::sleep(STOPPED);
                nodes[0].signal("-CONT");
                thread::sleep(RUNNING);
            }
        });
        let output = colobus(folder.path(), &[&SEARCH[..], &on_grid[..]].concat());
        is_over.store(true, Ordering::Relaxed);
        output
    });
    let log = super::text(&output.stderr);
    assert_eq!(causes(&output), expected);
    assert!(log.contains("its browser is much slower than others and is replaced"), "{log}");
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}
