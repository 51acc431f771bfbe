//! What a user meets when something around a run goes wrong: it ends with 2 and says what to do.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use colobus_model::Report;
use tempfile::TempDir;

const ACTIONS: &str = r#"
[[action]]
name = "type a"
steps = [{ type = "a" }]

[[action]]
name = "type b"
steps = [{ type = "b" }]
"#;

fn colobus(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command.args(arguments).current_dir(folder);
    command
}

fn refusal(output: &Output) -> String {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with("error: ") && !message.contains("panicked"), "{message}");
    message
}

/// What `colobus check` says of an application with these lines in `[app]`.
fn check_refused(app: &str) -> String {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("colobus.toml"), format!("[app]\n{app}\n{ACTIONS}")).unwrap();
    refusal(&colobus(folder.path(), &["check"]).output().unwrap())
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_browser_that_is_not_there() {
    let folder = TempDir::new().unwrap();
    let output = colobus(folder.path(), &["demo", "--browser", "no-such-browser"]).output().unwrap();
    let message = refusal(&output);
    assert!(message.contains("no browser at no-such-browser"), "{message}");
    assert!(!folder.path().join("colobus-out").exists(), "nothing ran");
}

#[test]
fn no_browser_at_all() {
    let folder = TempDir::new().unwrap();
    let output = colobus(folder.path(), &["demo"]).env("PATH", folder.path()).output().unwrap();
    let message = refusal(&output);
    assert!(message.contains("no Chromium found") && message.contains("apt-get install"), "{message}");
}

#[test]
fn an_application_that_exits() {
    let port = free_port();
    let message = check_refused(&format!(
        "url = \"http://127.0.0.1:{port}/{{doc}}\"\nstart = ['sh', '-c', 'echo the database is missing; exit 3']"
    ));
    assert!(message.contains("exit status: 3") && message.contains("the database is missing"), "{message}");
}

#[test]
fn an_application_that_cannot_be_started() {
    let port = free_port();
    let message = check_refused(&format!("url = \"http://127.0.0.1:{port}/{{doc}}\"\nstart = 'no-such-program'"));
    assert!(message.contains("could not be started: `no-such-program`"), "{message}");
}

#[test]
fn an_application_that_never_gets_ready() {
    let port = free_port();
    let message = check_refused(&format!(
        "url = \"http://127.0.0.1:{port}/{{doc}}\"\nstart = ['sh', '-c', 'echo thinking; exec sleep 60']\nstart_timeout_ms = 100"
    ));
    assert!(message.contains("did not get ready within 100 ms") && message.contains("thinking"), "{message}");
}

#[test]
fn a_port_that_is_taken() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let message = check_refused(&format!("url = \"http://127.0.0.1:{port}/{{doc}}\"\nstart = 'sleep 60'"));
    assert!(message.contains(&format!("port {port} is taken")), "{message}");
    let folder = TempDir::new().unwrap();
    let port = format!("--port={port}");
    let message = refusal(&colobus(folder.path(), &["serve-demo", &port]).output().unwrap());
    assert!(message.contains("is taken"), "{message}");
}

#[test]
fn an_application_that_does_not_run() {
    let port = free_port();
    let message = check_refused(&format!("url = \"http://127.0.0.1:{port}/{{doc}}\""));
    assert!(message.contains(&port.to_string()), "{message}");
}

/// A search that is long enough to be interrupted; its output is read line by line.
fn start_search(folder: &Path, further: &[&str]) -> Child {
    let arguments = ["demo", "--bug=insert-order", "--depth=2", "--repeat=1", "--workers=1"];
    colobus(folder, &[&arguments, further].concat()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Reads until a line begins with `beginning`. The rest is left to the caller to read: a writer must not be stopped by a full pipe.
fn read_until(child: &mut Child, beginning: &str) -> BufReader<std::process::ChildStdout> {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while lines.read_line(&mut line).unwrap() > 0 {
        if line.starts_with(beginning) {
            return lines;
        }
        line.clear();
    }
    panic!("the search ended before `{beginning}`");
}

fn report(folder: &Path) -> Report {
    report_of(folder).unwrap()
}

/// The report of the newest run, if there is one yet. One that is there can be read.
fn report_of(folder: &Path) -> Option<Report> {
    let text = fs::read_to_string(folder.join("colobus-out/last/report.json")).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn interrupting_a_search_leaves_a_report() {
    let folder = TempDir::new().unwrap();
    let mut child = start_search(folder.path(), &["--port=0"]);
    let rest = read_until(&mut child, "phase 1: 1");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = std::thread::spawn(move || rest.lines().map_while(Result::ok).last());
    let status = child.wait_with_output().unwrap();
    output.join().unwrap();
    let message = String::from_utf8_lossy(&status.stderr).into_owned();
    assert_eq!(status.status.code(), Some(2), "{message}");
    assert!(message.contains("--resume"), "{message}");
    assert!(report(folder.path()).stopped.is_some());
}

#[test]
fn a_killed_search_is_resumed() {
    let actions = ["--action=type a", "--action=type b", "--action=indent"];
    let whole = TempDir::new().unwrap();
    let complete = start_search(whole.path(), &[&actions[..], &["--port=0"]].concat()).wait_with_output().unwrap();
    assert_eq!(complete.status.code(), Some(1), "{}", String::from_utf8_lossy(&complete.stderr));

    let folder = TempDir::new().unwrap();
    let number = free_port();
    let port = format!("--port={number}");
    let mut child = start_search(folder.path(), &[&actions[..], &[&port]].concat());
    // A report of what was found is there before a further failure, or what is made of the first, is told.
    let mut lines = read_until(&mut child, "failed:");
    while report_of(folder.path()).is_none_or(|report| report.findings.is_empty()) {
        assert!(lines.read_line(&mut String::new()).unwrap() > 0, "the search ended without a report on the way");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(report(folder.path()).stopped.as_deref(), Some("the run has not ended yet"));
    // It is the same search, also if the port is taken now: the demo of the killed one may still be about to end.
    let _taken = TcpListener::bind(("127.0.0.1", number));
    let resumed = start_search(folder.path(), &[&actions[..], &[&port, "--resume"]].concat());
    let resumed = resumed.wait_with_output().unwrap();
    assert_eq!(resumed.status.code(), Some(1), "{}", String::from_utf8_lossy(&resumed.stderr));

    let names = |report: &Report| -> Vec<_> {
        report
            .findings
            .iter()
            .map(|finding| {
                (
                    finding.id,
                    finding.interaction().unwrap().prefix.clone(),
                    finding.interaction().unwrap().concurrent.clone(),
                )
            })
            .collect()
    };
    let (complete, resumed) = (report(whole.path()), report(folder.path()));
    assert_eq!(names(&resumed), names(&complete), "none is lost, none is there twice");
    assert_eq!(resumed.counts.interactions.ran(), complete.counts.interactions.ran());
    let runs = fs::read_dir(folder.path().join("colobus-out")).unwrap();
    let runs = runs.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("20"));
    assert_eq!(runs.count(), 1, "the same run went on");
}
