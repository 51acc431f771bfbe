//! What is found on a Grid is what is found here, by every search.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use colobus_model::Report;
use tempfile::TempDir;

use super::{Place, Server, causes, colobus, free_port, hub_at, no_session_is_left, running_sessions, text};
use crate::race::server::Site;
use crate::shop::Shop;

const RECORDING: &str = include_str!("../shop/order.rec");
const PAGE: &str = "<!doctype html><button onclick=\"start()\">Go</button><script async src=\"/lib.js\"></script>";
const LATE: &str = "function start() {\n  document.title = 'started';\n}\n";

#[test]
fn a_search_on_a_grid_finds_what_a_search_here_finds_and_leaves_no_session() {
    let port = free_port();
    let (_server, hub) = (Server::with_browsers("standalone", &Place::here(), port, 2, &[]), hub_at(port));
    let folder = TempDir::new().unwrap();
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox"];

    let doctor = colobus(folder.path(), &[&["doctor"], &on_grid[..]].concat());
    let said = text(&doctor.stdout);
    assert_eq!(doctor.status.code(), Some(0), "{said}{}", text(&doctor.stderr));
    let expected = ["2 browsers can run at the same time", "reaches proxies at 127.0.0.1"];
    assert!(expected.iter().all(|part| said.contains(part)), "{said}");

    // Ended while its session is being opened.
    let mut interrupted = Command::new(env!("CARGO_BIN_EXE_colobus"));
    let mut interrupted =
        interrupted.args(["doctor"]).args(on_grid).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(interrupted.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("can run at the same time")));
    Command::new("kill").args(["-INT", &interrupted.id().to_string()]).status().unwrap();
    // 0: it was done before it heard of it.
    assert!(matches!(interrupted.wait().unwrap().code(), Some(0 | 2)));
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));

    // An address of documentation, which no machine has.
    let nowhere =
        colobus(folder.path(), &[&["demo", "--correct", "--no-open", "--listen=203.0.113.7"], &on_grid[..]].concat());
    let said = text(&nowhere.stderr);
    assert_eq!(nowhere.status.code(), Some(2), "{said}");
    assert!(said.contains("could not listen on 203.0.113.7") && said.contains("an address of this machine?"), "{said}");

    let search = ["demo", "--bug=lost-update", "--depth=1", "--action=type a", "--action=type b", "--repeat=2"];
    let search = [&search[..], &["--reporter=json", "--no-open", "--workers=1"]].concat();
    // Encrypted to the proxies as well: a browser that was not told of the key of this run would reach none.
    let output = colobus(folder.path(), &[&search, &on_grid[..], &["--listen-tls"]].concat());
    let (found, interactions) = causes(&output);
    // As `subjects/demo/expect.toml` says of a search here.
    assert_eq!(found, ["only if messages meet in the application"]);
    assert_eq!((interactions.judged, interactions.ran()), (1, 1));
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    let seen = report.findings[0].seen_in.clone().expect("a finding says on which node it was seen");
    assert_eq!(seen.node.as_deref(), Some(hub.url()), "a standalone Grid is its only node");
    assert!(seen.version.contains("Chrome/"), "{seen}");
    assert_eq!(report.findings[0].repeated_in.len(), 1, "{:?}", report.findings[0].repeated_in);
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// The findings of a search, by what they are and how often they came back, and the nodes that showed them.
pub fn findings(folder: &Path, arguments: &[&str]) -> (BTreeSet<String>, BTreeSet<Option<String>>) {
    let output = colobus(folder, arguments);
    let report = fs::read_to_string(folder.join("colobus-out/last/report.json"));
    let report: Report = serde_json::from_str(&report.unwrap_or_else(|_| panic!("{}", text(&output.stderr)))).unwrap();
    assert!(report.stopped.is_none() && report.unknown.is_empty(), "{:?} {:?}", report.stopped, report.unknown);
    let told = report.findings.iter().map(|found| format!("{} {}", found.cause, found.reproduced == found.attempts));
    let nodes = report.findings.iter().map(|found| found.seen_in.clone().and_then(|seen| seen.node));
    (told.collect(), nodes.collect())
}

#[test]
#[ignore = "four searches here and on a Grid: make test-grid"]
fn races_explored_pages_lines_and_mistakes_are_found_on_a_grid_as_here() {
    let port = free_port();
    let (_server, hub) = (Server::with_browsers("standalone", &Place::here(), port, 2, &[]), hub_at(port));
    let (site, shop) = (Site::page(PAGE).script("/lib.js", LATE, 50).serve(), Shop::open());
    let broken = Site::page("<button onclick=\"nothing.here()\">Break</button><p>text</p>").serve();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("order.rec"), RECORDING.replace("ORIGIN", &shop.url("buggy"))).unwrap();
    let (site, broken, shop) = (site.url(), broken.url(), shop.url(""));
    let searches: [&[&str]; 4] = [
        &["race", &site, "--bound=1", "--repeat=2"],
        &["explore", &broken, "--budget=6", "--repeat=2"],
        &["reach", &site, "lib.js:2", "--repeat=2"],
        &["stumble", "order.rec", "--delay=50ms", "--repeat=1", "--at", &shop],
    ];
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox"];
    for (number, search) in searches.into_iter().enumerate() {
        let (here, _) = findings(folder.path(), search);
        // Every second one over encrypted proxies.
        let way: &[&str] = if number % 2 == 1 { &["--listen-tls"] } else { &[] };
        let (there, nodes) = findings(folder.path(), &[search, &on_grid[..], way].concat());
        assert!(!here.is_empty(), "{search:?} finds nothing");
        assert_eq!(there, here, "{search:?}");
        assert_eq!(nodes, BTreeSet::from([Some(hub.url().to_string())]), "{search:?}");
        assert!(no_session_is_left(&hub), "{} sessions after {search:?}", running_sessions(&hub));
    }
    let (_, replayed) = (findings(folder.path(), searches[1]), &["replay", "1", "--at", &broken]);
    let output = colobus(folder.path(), &[&replayed[..], &on_grid[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).ends_with("\nreproduced\n"), "{}", text(&output.stdout));
    let replayed = ["replay", "order.rec", "--at", &shop];
    let output = colobus(folder.path(), &[&replayed[..], &on_grid[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}
