//! Applications that are not there, or do not stay.

use std::fs;
use std::net::TcpListener;
use std::process::{Command, Output};

use colobus_model::Report;
use tempfile::TempDir;

const SERVER: &str = "const [port, fatal, code] = process.argv.slice(2);
require('http').createServer((request, response) => {
  if (request.url.startsWith(fatal)) {
    console.log('out of bananas');
    process.exit(Number(code));
  }
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><p>hello');
}).listen(Number(port), '127.0.0.1');
";

/// A configuration of this server, which exits when something below `fatal` is asked for; it is started unless `start` is false.
fn folder(fatal: &str, start: bool) -> (TempDir, u16) {
    let folder = TempDir::new().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let start = if start { format!("start = 'node server.js {port} {fatal} 3'\n") } else { String::new() };
    let script =
        |name: &str, script: &str| format!("[[action]]\nname = {name:?}\nsteps = [{{ evaluate = {script:?} }}]\n");
    let actions = script("wave", "1") + &script("nod", "2") + &script("crash", "void fetch('/crash').catch(() => {})");
    let configuration = format!("[app]\nurl = 'http://127.0.0.1:{port}/?doc={{doc}}'\n{start}{actions}");
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    fs::write(folder.path().join("server.js"), SERVER).unwrap();
    (folder, port)
}

fn check(folder: &TempDir) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["check", "--naive", "--depth=1", "--repeat=2", "--workers=1", "--reporter=json"])
        .current_dir(folder.path())
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_interaction_that_ends_the_application_is_a_finding_and_the_search_goes_on() {
    let (folder, _) = folder("/crash", true);
    let output = check(&folder);
    let report: Report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    assert_eq!(output.status.code(), Some(1), "{report:#?}");
    let interactions = &report.counts.interactions;
    assert_eq!((interactions.judged, interactions.unknown, interactions.not_run), (3, 0, 0), "{report:#?}");
    for finding in &report.findings {
        assert!(finding.interaction().unwrap().concurrent.contains(&"crash".to_string()), "{finding:#?}");
        assert!(finding.difference.summary.contains("the application exits (exit status: 3)"), "{finding:#?}");
        assert_eq!((finding.reproduced, finding.attempts), (2, 2), "{finding:#?}");
    }
    assert!(report.notes.iter().any(|note| note.starts_with("the application exited")), "{:?}", report.notes);
}

#[test]
fn an_application_that_only_exits_shows_its_last_words() {
    let (folder, _) = folder("/", true);
    let output = check(&folder);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("exit status: 3") && said(&output).contains("out of bananas"), "{}", said(&output));
}

/// As `nodemon` and other programs do that watch over a server.
#[test]
fn a_server_that_ends_behind_a_command_that_goes_on_is_a_finding_and_is_started_again() {
    let (folder, _) = folder("/crash", true);
    let path = folder.path().join("colobus.toml");
    let configuration = fs::read_to_string(&path).unwrap();
    let wrapped = configuration
        .replace("start = 'node server.js", "start = \"sh -c 'node server.js")
        .replace(" 3'\n", " 3; sleep 1000'\"\n");
    fs::write(path, wrapped).unwrap();
    let output = check(&folder);
    let report: Report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    assert_eq!(output.status.code(), Some(1), "{report:#?}");
    assert_eq!((report.counts.interactions.judged, report.counts.interactions.unknown), (3, 0), "{report:#?}");
    let summaries = report.findings.iter().map(|finding| &finding.difference.summary);
    assert!(
        summaries.into_iter().all(|summary| summary.contains("the application exits (its address is silent")),
        "{report:#?}"
    );
}

#[test]
fn one_user_who_ends_the_application_is_a_finding() {
    let (folder, _) = folder("/crash", true);
    let output = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["check", "--depth=1", "--repeat=1", "--workers=1", "--reporter=json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let report: Report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    assert_eq!(output.status.code(), Some(1), "{report:#?}");
    let [finding] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!(finding.interaction().unwrap().concurrent, ["crash"]);
}

#[test]
fn an_application_that_is_not_there_is_named_with_the_reason() {
    let (folder, port) = folder("/", false);
    let output = check(&folder);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let reason = format!("cannot be opened: no connection to 127.0.0.1:{port}: Connection refused");
    assert!(said(&output).contains(&reason), "{}", said(&output));
}
