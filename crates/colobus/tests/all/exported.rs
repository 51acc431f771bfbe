//! Findings of the built-in editor and of a counter over HTTP, exported: the tests fail on the application with its bug and
//! pass on the correct one, run by Playwright alone. `make test` installs it.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use colobus_demo::{Bug, DemoOptions, DemoServer};
use tempfile::TempDir;

use crate::demo::{expectation, search_agreed, tour};
use crate::small::{self, Running, subject};

const CONFIGURATION: &str = "export default { use: { launchOptions: { executablePath: process.env.CHROMIUM } } };\n";

/// A folder in which Playwright can be imported.
pub fn folder() -> TempDir {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/node_modules");
    assert!(packages.join("playwright-core").exists(), "Playwright is not installed: run `make test`");
    let folder = TempDir::new().unwrap();
    symlink(packages, folder.path().join("node_modules")).unwrap();
    fs::write(folder.path().join("playwright.config.mjs"), CONFIGURATION).unwrap();
    folder
}

fn browser() -> PathBuf {
    let names = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome"];
    let path = env::var_os("PATH").unwrap();
    let candidates = names.iter().flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_file()).expect("a Chromium is on PATH")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn colobus(folder: &Path, arguments: &[&str], code: i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output));
}

/// Finds the bug with two actions alone.
fn find(folder: &Path, bug: Bug, further: &[&str]) {
    let bug = format!("--bug={bug}");
    let search = ["--depth=1", "--repeat=1", "--workers=1", "--max-findings=1", "--action=type a", "--action=type b"];
    let arguments = [&["demo", "--port=0", "--no-open", &bug], &search[..], further].concat();
    colobus(folder, &arguments, 1);
}

fn serve(bugs: BTreeSet<Bug>) -> DemoServer {
    DemoServer::start(DemoOptions { port: 0, bugs, ..DemoOptions::default() }).unwrap()
}

/// Runs the exported test against an editor with these bugs: whether it passed, and what it said.
fn run(folder: &Path, arguments: &[&str], bugs: BTreeSet<Bug>) -> (bool, String) {
    let editor = serve(bugs);
    run_against(editor.url().trim_end_matches('/'), folder, arguments, &[])
}

pub fn run_against(url: &str, folder: &Path, arguments: &[&str], secrets: &[(&str, &str)]) -> (bool, String) {
    let output = Command::new("node")
        .args(arguments)
        .current_dir(folder)
        .env("BASE_URL", url)
        .env("CHROMIUM", browser())
        .env("NO_COLOR", "1")
        .envs(secrets.iter().copied())
        .output()
        .unwrap();
    (output.status.success(), text(&output))
}

fn fails_with_the_bug_alone(folder: &Path, arguments: &[&str], bug: Bug, said: &str) {
    let (passed, output) = run(folder, arguments, BTreeSet::from([bug]));
    assert!(!passed && output.contains(said), "with {bug}: {output}");
    let (passed, output) = run(folder, arguments, BTreeSet::new());
    assert!(passed, "without {bug}: {output}");
}

#[test]
fn a_simultaneous_edit_fails_under_playwright() {
    let folder = folder();
    let line = "(type a || type b) : A1 B1 ~";
    let demo = "--config=demo:insert-order";
    colobus(folder.path(), &["export", line, demo, "--to=playwright", "-o", "simultaneous.spec.mjs"], 0);
    let playwright = ["node_modules/@playwright/test/cli.js", "test", "--reporter=line"];
    fails_with_the_bug_alone(folder.path(), &playwright, Bug::InsertOrder, "toEqual");
}

/// A finding with an order of single messages and a fault, exported for Node's own test runner.
fn an_order_with_a_fault_fails_under_node_alone(bug: Bug, fault: &str) {
    let folder = folder();
    find(folder.path(), bug, &["--schedules=20", "--faults"]);
    colobus(folder.path(), &["export", "1", "--to=playwright-core", "-o", "order.mjs"], 0);
    let exported = fs::read_to_string(folder.path().join("order.mjs")).unwrap();
    assert!(exported.contains(".send();") && exported.contains(fault), "{exported}");
    fails_with_the_bug_alone(folder.path(), &["--test", "order.mjs"], bug, "AssertionError");
}

#[test]
fn an_order_of_single_messages_with_a_long_wait_fails_under_node_alone() {
    an_order_with_a_fault_fails_under_node_alone(Bug::RetryDuplicate, ".wait();");
}

/// One finding of each kind of the tour: an order, a view, a lost network, a word that is gone for everybody, and messages that
/// meet. All of them fail on the editor with its bugs and pass on the correct one.
#[test]
fn every_kind_of_finding_is_a_test_that_fails_with_its_bug_and_passes_without() {
    let (found, report) = tour();
    let folder = folder();
    let names: Vec<String> = report.findings.iter().map(|finding| format!("finding-{}.mjs", finding.id)).collect();
    for (finding, name) in report.findings.iter().zip(&names) {
        let output = folder.path().join(name).display().to_string();
        let id = finding.id.to_string();
        colobus(found.path(), &["export", &id, "--to=playwright-core", "-o", &output], 0);
    }
    for name in &names {
        let lines = fs::read_to_string(folder.path().join(name)).unwrap().lines().count();
        assert!(lines <= 70, "{name} is {lines} lines long, more than a screen");
    }
    let arguments: Vec<&str> =
        ["--test", "--test-reporter=tap"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let ended = |bugs: BTreeSet<Bug>| {
        let (_, said) = run(folder.path(), &arguments, bugs);
        let count = |what: &str| said.lines().filter(|line| line.starts_with(what)).count();
        ((count("ok "), count("not ok ")), said)
    };
    let (with_bugs, said) = ended(BTreeSet::from(Bug::TOUR));
    assert_eq!(with_bugs, (0, 5), "{said}");
    let (without, said) = ended(BTreeSet::new());
    assert_eq!(without, (5, 0), "{said}");
}

/// The second of two who book a seat at the same time is told so with a 409, which the browser logs as an error: in the repaired
/// application, too.
#[test]
fn a_refusal_that_the_browser_logs_fails_no_exported_test() {
    let folder = folder();
    let program = subject("booking");
    let line = "(book the first seat || book the first seat) : A1 A2 B1 B2 ~";
    let configuration = format!("--config={}", program.join("colobus.toml").display());
    let arguments = ["export", line, &configuration, "--to=playwright-core", "-o", "booking.mjs"];
    // Long enough for two requests to meet, also if Playwright passes them on one after the other.
    let delay = ("DELAY", "500");
    let exported = small::colobus(folder.path(), &arguments, &[("BUG", "1"), delay]);
    assert_eq!(exported.status.code(), Some(0), "{}", text(&exported));
    for (bug, passes) in [("1", false), ("0", true)] {
        let application = Running::start(&program.join("app.js"), &[("BUG", bug), delay]);
        let (passed, said) = run_against(&application.url, folder.path(), &["--test", "booking.mjs"], &[]);
        assert_eq!(passed, passes, "BUG={bug}: {said}");
    }
}

/// What all users agree on and is wrong: undo, reload, neutral actions, carets, pages that do not show their document.
#[test]
#[ignore = "minutes: make test-long"]
fn findings_that_all_users_agree_on_are_tests_that_fail_with_their_bug_alone() {
    for bug in expectation().agreed {
        let folder = folder();
        let report = search_agreed(folder.path(), &bug, "--repeat=1");
        let finding = bug.among(&report).unwrap_or_else(|| panic!("{}: {:#?}", bug.name, report.findings));
        colobus(folder.path(), &["export", &finding.id.to_string(), "--to=playwright-core", "-o", "agreed.mjs"], 0);
        let seeded: Bug = bug.name.parse().unwrap();
        fails_with_the_bug_alone(folder.path(), &["--test", "agreed.mjs"], seeded, "AssertionError");
    }
}

/// What C sees on the way, before it has seen all.
#[test]
#[ignore = "minutes: make test-long"]
fn an_answer_before_its_question_fails_an_exported_test() {
    let folder = folder();
    let line = "(type a || write at the line start[2] || type b) : C1 A1 A> B< B1 B> C< C< ~";
    colobus(folder.path(), &["export", line, "--config=demo:late-edit", "--to=playwright-core", "-o", "early.mjs"], 0);
    fails_with_the_bug_alone(folder.path(), &["--test", "early.mjs"], Bug::LateEdit, "AssertionError");
}

/// A page that throws when it hears of another user before its own message has come back.
const THROWS: &str = r##"
const page = `<!doctype html><button id="go">go</button><ol id="list"></ol><script>
  const socket = new WebSocket('ws://' + location.host + '/socket' + location.search);
  let waiting = 0;
  const own = String(Math.random());
  document.querySelector('#go').onclick = () => { waiting++; socket.send(JSON.stringify({ own })); };
  socket.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    if (told.own === own) waiting--;
    document.querySelector('#list').append(document.createElement('li'));
    if (/*broken*/false && told.own !== own && waiting > 0) throw new Error('not expected now');
  };
</script>`;
require(ROOMS).run({ page, room: () => ({}), heard: (room, message, { tell }) => tell(message) });
"##;

#[test]
fn an_error_of_a_page_fails_an_exported_test() {
    let folder = folder();
    let program = folder.path().join("app.js");
    fs::write(&program, THROWS.replace("ROOMS", &format!("{:?}", subject("rooms.js")))).unwrap();
    let configuration = "[app]\nurl = \"http://127.0.0.1:{port}/?doc={doc}\"\nstart = \"node app.js {port}\"\n\
                         [[action]]\nname = \"go\"\nsteps = [{ click = \"#go\" }]\n";
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    let arguments = ["export", "(go || go) : A1 B1 A> A< B< B> ~", "--to=playwright-core", "-o", "error.mjs"];
    let exported = small::colobus(folder.path(), &arguments, &[("BUG", "1")]);
    assert_eq!(exported.status.code(), Some(0), "{}", text(&exported));
    for (bug, passes) in [("1", false), ("0", true)] {
        let application = Running::start(&program, &[("BUG", bug)]);
        let (passed, said) = run_against(&application.url, folder.path(), &["--test", "error.mjs"], &[]);
        assert_eq!((passed, said.contains("not expected now")), (passes, !passes), "BUG={bug}: {said}");
    }
}

/// The counter of `counter/`, served by Node until it is dropped.
struct Counter {
    child: Child,
    url: String,
}

impl Counter {
    fn start(flaw: &[&str]) -> Counter {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = counter().join("server.mjs");
        let child = Command::new("node").arg(server).arg(port.to_string()).args(flaw).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        Counter { child, url: format!("http://127.0.0.1:{port}") }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn counter() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counter")
}

/// An old answer that is overtaken by a newer one: requests and responses wait for their turn, long polls among them.
#[test]
fn an_order_of_requests_and_answers_fails_under_node_alone() {
    let folder = folder();
    let configuration = format!("--config={}", counter().display());
    let search = ["--depth=1", "--schedules=16", "--repeat=1", "--max-findings=1"];
    colobus(folder.path(), &[&["check", &configuration], &search[..]].concat(), 1);
    colobus(folder.path(), &["export", "1", "--to=playwright-core", "-o", "requests.mjs", &configuration], 0);
    let exported = fs::read_to_string(folder.path().join("requests.mjs")).unwrap();
    assert!(exported.contains("POST /add") && exported.contains("GET /newer"), "{exported}");
    for (flaw, passes) in [(&["stale"][..], false), (&[], true)] {
        let counter = Counter::start(flaw);
        let (passed, said) = run_against(&counter.url, folder.path(), &["--test", "requests.mjs"], &[]);
        assert_eq!((passed, said.contains("AssertionError")), (passes, !passes), "{flaw:?}: {said}");
    }
}
