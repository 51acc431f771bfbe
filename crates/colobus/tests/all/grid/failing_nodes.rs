//! Nodes that end, stop and lose their network in the middle of a search, and a tool that is killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use colobus_driver::Hub;
use colobus_model::Report;
use tempfile::TempDir;

use super::network::Network;
use super::tool::Tool;
use super::{
    Events, Place, SEARCH, SESSION_TIMEOUT_S, Server, causes, colobus, expected, free_port, grid_of_nodes,
    happens_within, hub_at, no_session_is_left, no_session_is_left_after, running_sessions, text, wait_until,
};

/// A search on this Grid.
fn start(folder: &Path, hub: &str, more: &[&str]) -> Tool {
    let grid = [&format!("--grid={hub}"), "--grid-argument=--no-sandbox"];
    Tool::start(folder, |command| command.args(SEARCH).args(grid).args(more))
}

/// Waits until the newest run in the folder has judged so many interactions, or is over.
fn until_judged(folder: &Path, running: &mut Tool, count: usize) {
    let journal = folder.join("colobus-out/last/journal.jsonl");
    // The journal has other lines as well.
    let is_result = |line: &&str| line.starts_with("{\"result\":");
    let judged = || fs::read_to_string(&journal).is_ok_and(|lines| lines.lines().filter(is_result).count() >= count);
    while !judged() && !running.is_over() {
        thread::sleep(Duration::from_millis(20));
    }
}

/// One of three nodes is killed with its browsers, another one is stopped for a while: every node is in use.
#[test]
#[ignore = "a hub, three nodes and two searches with all bugs: make test-grid"]
fn a_node_that_is_killed_and_one_that_stops_cost_no_cause() {
    let (_server, hub, nodes) = grid_of_nodes(3);
    let (expected, there) = (expected(), TempDir::new().unwrap());
    let mut running = start(there.path(), hub.url(), &["--workers=3"]);
    until_judged(there.path(), &mut running, 3);
    nodes[0].signal("-KILL");
    until_judged(there.path(), &mut running, 8);
    nodes[1].signal("-STOP");
    let output = running.output();
    nodes[1].signal("-CONT");
    assert_eq!(causes(&output), *expected);
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report.counts.restarts >= 2, "both nodes were in use: {} restarts", report.counts.restarts);
    let seen: BTreeSet<_> = report.findings.iter().filter_map(|found| found.seen_in.clone()?.node).collect();
    assert!(report.findings.iter().all(|found| found.seen_in.is_some()), "{seen:?}");
    // The session of the stopped node could not be given back: the node ends it by its time-out when it goes on.
    assert!(no_session_is_left_after(&hub, SESSION_TIMEOUT_S + 30), "{} sessions", running_sessions(&hub));
}

/// One of the two nodes in use has too much to do, and takes several times as long as the other: its place is given back in the middle
/// of the search, and the third node is used.
#[test]
#[ignore = "a hub, three nodes and a search: make test-grid"]
fn a_node_that_is_slow_is_left_and_costs_no_interaction() {
    /// For how many milliseconds it does nothing, and then something, again and again.
    const STOPPED_AND_RUNNING: [u64; 2] = [240, 40];
    let (_server, hub, nodes) = grid_of_nodes(3);
    let there = TempDir::new().unwrap();
    let search = [
        "demo",
        "--correct",
        "--depth=2",
        "--naive",
        "--same",
        "--reporter=json",
        "--no-open",
        "--workers=2",
        "--log=info",
    ];
    // So many interactions that the other node does not do them all while the slow one is compared with it.
    let actions = ["type a", "type b", "Enter", "Space", "indent", "list"].map(|name| format!("--action={name}"));
    let grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox"];
    let mut running = Tool::start(there.path(), |command| command.args(search).args(&actions).args(grid));
    until_judged(there.path(), &mut running, 8);
    let slow = nodes.iter().find(|node| node.processes() > node.own).expect("two nodes have a browser");
    let is_over = AtomicBool::new(false);
    let is_left = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for (signal, ms) in ["-STOP", "-CONT"].into_iter().zip(STOPPED_AND_RUNNING) {
                    slow.signal(signal);
                    thread::sleep(Duration::from_millis(ms));
                }
            }
        });
        let is_left = happens_within(120, || slow.processes() <= slow.own);
        is_over.store(true, Ordering::Relaxed);
        is_left
    });
    assert!(is_left && !running.is_over(), "its browser is given back while the search goes on");
    let output = running.output();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{}{said}", text(&output.stdout));
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report.unknown.is_empty() && report.counts.restarts > 0, "{:#?} {:?}", report.unknown, report.counts);
    let log = fs::read_to_string(there.path().join("colobus-out/colobus.log")).unwrap();
    assert!(log.contains("its browser is much slower than others and is replaced"), "{log}");
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// What was seen on one node is run again on another, and the finding says on which.
#[test]
#[ignore = "a hub, two nodes and a search: make test-grid"]
fn a_finding_is_repeated_on_another_node() {
    let (_server, hub, _nodes) = grid_of_nodes(2);
    let folder = TempDir::new().unwrap();
    let more = ["--bug=lost-update", "--action=type a", "--action=type b"];
    let search =
        [&["demo", "--depth=1", "--repeat=2", "--reporter=json", "--no-open", "--workers=2"][..], &more].concat();
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox"];
    let output = colobus(folder.path(), &[&search, &on_grid[..]].concat());
    causes(&output);
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    for found in &report.findings {
        let seen = found.seen_in.clone().unwrap();
        let again = found.repeated_in.iter().find(|again| again.browser.is_apart_from(&seen));
        let again = again.unwrap_or_else(|| panic!("seen in {seen}, repeated in {:?}", found.repeated_in));
        assert_eq!(again.reproduced, again.attempts, "{again}");
    }
    let junit = fs::read_to_string(folder.path().join("colobus-out/last/junit.xml")).unwrap();
    assert!(junit.contains("seen in ") && !junit.contains("not repeated on another node"), "{junit}");
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// A tool that is killed gives nothing back: nodes end its sessions when they have heard nothing for their time-out. Its search goes on
/// from its journal.
#[test]
#[ignore = "a Grid, and a search with all bugs: make test-grid"]
fn sessions_of_a_tool_that_is_killed_end_by_themselves_and_its_search_is_resumed() {
    const TIMEOUT_S: u64 = 10;
    let port = free_port();
    let server = Server::with_timeout("standalone", &Place::here(), port, (2, TIMEOUT_S), &[]);
    let hub = hub_at(port);
    let before = server.processes();
    let folder = TempDir::new().unwrap();
    let mut running = start(folder.path(), hub.url(), &["--workers=2"]);
    until_judged(folder.path(), &mut running, 1);
    wait_until("both workers have a session", || running_sessions(&hub) == 2);
    running.kill();
    wait_until("the Grid ends sessions from which it hears nothing", || running_sessions(&hub) == 0);
    wait_until("their browsers end", || server.processes() <= before);
    let resumed = start(folder.path(), hub.url(), &["--workers=2", "--resume"]).output();
    assert_eq!(causes(&resumed), *expected());
    // Used for longer than they may be silent, and kept all the same.
    let Report { timing, counts, .. } = serde_json::from_slice(&resumed.stdout).unwrap();
    assert!(timing.phase2_s + timing.reduce_s > 2.0 * TIMEOUT_S as f64, "{timing:?}");
    assert_eq!(counts.restarts, 0, "{timing:?}");
    let runs = fs::read_dir(folder.path().join("colobus-out")).unwrap().flatten();
    let runs = runs.filter(|entry| entry.file_name().to_string_lossy().starts_with("20"));
    assert_eq!(runs.count(), 1, "the same run went on");
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// A hub that is killed with its node and does not come back: what was judged is kept, and another Grid goes on with the rest.
#[test]
#[ignore = "two Grids, and a search with all bugs: make test-grid"]
fn a_grid_that_is_gone_for_good_ends_the_search_which_another_one_continues() {
    let port = free_port();
    let standalone = || Server::with_browsers("standalone", &Place::here(), port, 2, &[]);
    let (server, hub, folder) = (standalone(), hub_at(port), TempDir::new().unwrap());
    let mut running = start(folder.path(), hub.url(), &["--workers=2"]);
    until_judged(folder.path(), &mut running, 4);
    server.signal("-KILL");
    let output = running.output();
    let report: Report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let judged = report.counts.interactions;
    assert!(judged.judged >= 4 && judged.adds_up() && judged.judged < judged.planned, "{judged:?}");
    // 1 if one of its findings had come back already.
    assert!(matches!(output.status.code(), Some(1 | 2)), "{:?}", output.status);
    let says_why = |doubt: &String| doubt.contains("unknown") && doubt.contains("no Selenium Grid could be reached");
    assert!(report.doubts.iter().any(says_why), "{:?}", report.doubts);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) || said.contains("`--resume` runs what is unknown again"), "{said}");
    // Nothing was executed to record their traffic.
    assert!(!report.notes.iter().any(|note| note.contains("did not come back")), "{:?}", report.notes);
    let _another = standalone();
    let resumed = start(folder.path(), hub.url(), &["--workers=2", "--resume"]).output();
    assert_eq!(causes(&resumed), *expected());
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// A hub that is restarted knows nothing of the sessions that it had opened: nodes end them by their time-out, and give their places to the
/// sessions that take over.
#[test]
#[ignore = "a hub that is started twice, two nodes and a search with all bugs: make test-grid"]
fn a_hub_that_is_restarted_costs_no_cause() {
    const TIMEOUT_S: u64 = 60;
    let (port, place) = (free_port(), Place::here());
    let events = Events::at(&place);
    let start_hub = || Server::start("hub", &place, port, &events.words());
    let (server, hub) = (start_hub(), hub_at(port));
    let node = |_| Server::with_timeout("node", &place, free_port(), (1, TIMEOUT_S), &events.words_of_node());
    let _nodes = [0, 1].map(node);
    wait_until("both nodes are there", || hub.status().unwrap().usable_slots() == 2);
    let (expected, there) = (expected(), TempDir::new().unwrap());
    let mut running = start(there.path(), hub.url(), &["--workers=2"]);
    until_judged(there.path(), &mut running, 4);
    server.signal("-KILL");
    wait_until("the hub has ended", || server.processes() == 0);
    let _again = start_hub();
    let output = running.output();
    assert_eq!(causes(&output), *expected);
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report.counts.restarts > 0, "the hub was in use");
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// How long a network is gone: longer than browsers may be silent.
const OUTAGE: Duration = Duration::from_secs(25);

/// Everything between Colobus and the Grid takes its time, and is lost for a while in the middle of a search.
#[test]
#[ignore = "a network with a Grid in it, which needs root: make test-grid"]
fn a_network_that_is_slow_or_gone_for_a_while_costs_no_cause() {
    let mut network = Network::start();
    let (port, far) = (free_port(), network.far());
    let _server = Server::with_browsers("standalone", &far, port, 2, &[]);
    let hub = Hub::new(&format!("http://{}:{port}", far.address), None).unwrap();
    let (listen, folder) = (format!("--listen={}", network.near()), TempDir::new().unwrap());
    let short = ["demo", "--bug=lost-update", "--depth=1", "--action=type a", "--action=type b", "--repeat=2"];
    let short = [&short[..], &["--reporter=json", "--no-open", "--workers=1"]].concat();
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox", listen.as_str()];
    let doctor = colobus(folder.path(), &["doctor", &format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox"]);
    let said = text(&doctor.stdout) + &text(&doctor.stderr);
    assert_eq!(doctor.status.code(), Some(2), "{said}");
    let advice = format!("try --listen {}", network.near());
    let from = format!("on {}, round trip", hub.url());
    let parts = ["does not reach proxies at 127.0.0.1", &advice, &from];
    assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    // A search says it as well: which address was tried, and from where.
    let blind = colobus(folder.path(), &[&short, &on_grid[..2]].concat());
    let (said, from) = (text(&blind.stderr), format!("the browser on {} cannot reach the proxy", hub.url()));
    assert_eq!(blind.status.code(), Some(2), "{said}");
    assert!(
        said.contains(&from) && said.contains("of its client at 127.0.0.1:") && said.contains("--listen"),
        "{said}"
    );
    let one_bug = causes(&colobus(folder.path(), &short));
    for round_trip in [1, 5, 20] {
        network.delay(round_trip);
        let found = causes(&colobus(folder.path(), &[&short, &on_grid[..]].concat()));
        assert_eq!(found, one_bug, "{round_trip} ms away");
    }
    network.delay(1);
    let expected = expected();
    let there = TempDir::new().unwrap();
    let mut running = start(there.path(), hub.url(), &[&listen, "--workers=2"]);
    until_judged(there.path(), &mut running, 4);
    network.cut(true);
    thread::sleep(OUTAGE);
    network.cut(false);
    let output = running.output();
    assert_eq!(causes(&output), *expected);
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// Connections that something on the way breaks, those to proxies included: what is lost with them is no bug of the application.
#[test]
#[ignore = "a network with a Grid in it, which needs root: make test-grid"]
fn connections_that_are_broken_cost_no_cause() {
    let mut network = Network::start();
    let (port, far) = (free_port(), network.far());
    let _server = Server::with_browsers("standalone", &far, port, 2, &[]);
    let hub = Hub::new(&format!("http://{}:{port}", far.address), None).unwrap();
    let (listen, there) = (format!("--listen={}", network.near()), TempDir::new().unwrap());
    let mut running = start(there.path(), hub.url(), &[&listen, "--workers=2"]);
    for judged in [2, 6, 10, 14] {
        until_judged(there.path(), &mut running, judged);
        network.break_connections();
    }
    let output = running.output();
    assert_eq!(causes(&output), *expected());
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report.counts.restarts > 0, "sessions in use lost their connections");
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// How long Linux waits at most until it tries again to send what was not acknowledged, and hears that nothing listens any more.
const LONGEST_PAUSE_OF_TCP_S: u64 = 120;

/// A hub and a node on this side of a network, and a node on the other, which is cut off in the middle of a search and stays so.
#[test]
#[ignore = "a network with a node in it, which needs root: make test-grid"]
fn a_node_that_is_cut_off_costs_no_cause() {
    const TIMEOUT_S: u64 = 60;
    let mut network = Network::start();
    let (near, far, port) = (Place::at(network.near()), network.far(), free_port());
    let events = Events::at(&near);
    let _server = Server::start("hub", &near, port, &events.words());
    let hub = Hub::new(&format!("http://{}:{port}", near.address), None).unwrap();
    let node = |place| Server::with_timeout("node", place, free_port(), (1, TIMEOUT_S), &events.words_of_node());
    let mut nodes = [&near, &far].map(node);
    wait_until("both nodes are there", || hub.status().unwrap().usable_slots() == 2);
    let (expected, there, listen) = (expected(), TempDir::new().unwrap(), format!("--listen={}", near.address));
    let mut running = start(there.path(), hub.url(), &[&listen, "--workers=2"]);
    until_judged(there.path(), &mut running, 4);
    network.cut(true);
    let output = running.output();
    network.cut(false);
    assert_eq!(causes(&output), *expected);
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report.counts.restarts > 0, "the node that was cut off was in use");
    // The session of the node that was cut off could not be given back: the node ends it by its time-out.
    assert!(no_session_is_left_after(&hub, TIMEOUT_S + 60), "{} sessions", running_sessions(&hub));
    // What the pages say on counts as use of the session as well, until the node knows that its connection is broken.
    nodes[1].timeout += LONGEST_PAUSE_OF_TCP_S;
}
