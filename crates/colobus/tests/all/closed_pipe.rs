//! Readers that go away (`colobus … | head -1`): every command that prints without a browser ends as it would have, and says
//! nothing of it. A search and a replay go on to their end.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use colobus_model::{CheckId, Difference, DifferenceKind, FailingSession, Finding, Report, RootCause, Searched};
use tempfile::TempDir;

const COMMANDS: &[&str] = &[
    "--help",
    "--version",
    "help check",
    "schema",
    "init new.toml",
    "list",
    "export order.rec --to playwright",
    "export order.rec --to recorder",
    "export order.rec --to action",
    "import order.json -o imported.rec",
    "open sent.json",
    "accept 1 --why #12",
    "merge --out whole shard",
    "learn app.har -o api",
    "learn --diff old.ail new.ail",
    "ot list",
    "ot list --json",
    "ot check sun",
    "ot check --js inserts.js",
    "ot tp sun",
    "ot explain sun",
    "ot paper --help",
];

/// Mistakes are told on standard error, whose reader may be gone as well.
const MISTAKES: &[&str] = &["list -c nowhere.toml", "ot check unheard-of", "--no-such-flag"];

fn colobus(folder: &Path, command: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_colobus"));
    program.args(command.split(' ')).current_dir(folder).stdin(Stdio::null());
    program
}

/// A pipe of which nobody reads the other end.
fn closed() -> Stdio {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// What the commands read.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let script = tests.join("../../colobus-ot-js/tests/fixtures/good/inserts.js");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    fs::copy(tests.join("counter/colobus.toml"), folder.path().join("colobus.toml")).unwrap();
    fs::copy(tests.join("all/shop/order.rec"), folder.path().join("order.rec")).unwrap();
    fs::copy(script, folder.path().join("inserts.js")).unwrap();
    write("order.json", r#"{"title": "t", "steps": [{"type": "navigate", "url": "http://127.0.0.1/"}]}"#);
    write("old.ail", "URL http://h\nGET a() : *\n");
    write("new.ail", "URL http://h\nGET b() : *\n");
    write(
        "app.har",
        r#"{"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "time": 1,
        "request": {"method": "GET", "url": "http://h/a", "httpVersion": "HTTP/1.1", "headers": [], "queryString": []},
        "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [],
            "content": {"size": 2, "mimeType": "application/json", "text": "{}"}}}]}}"#,
    );
    let sent = colobus_send::BugReport {
        note: "it went wrong".into(),
        recording: fs::read_to_string(tests.join("all/shop/order.rec")).unwrap(),
        picture: None,
        versions: Default::default(),
    };
    write("sent.json", &sent.to_json().unwrap());
    let mut shard = Report { version: 1, shard: Some((1, 1)), ..Report::default() };
    (shard.counts.interactions.planned, shard.counts.interactions.judged) = (1, 1);
    write("shard/report.json", &serde_json::to_string(&shard).unwrap());
    write("colobus-out/last/report.json", &serde_json::to_string(&with_a_cause()).unwrap());
    folder
}

fn with_a_cause() -> Report {
    let mut findings = vec![Finding {
        id: 1,
        searched: Searched::Session(FailingSession { mistake: "a slip".into(), script: Vec::new() }),
        check: CheckId::new("errors"),
        difference: Difference { kind: DifferenceKind::Text, summary: "it differs".into() },
        also: Vec::new(),
        reduced: true,
        reproduced: 1,
        attempts: 1,
        seen_in: None,
        repeated_in: Vec::new(),
        cause: "a cause".into(),
        root_cause: 1,
        trace: "1/trace.json".into(),
        traffic: None,
        failures: 1,
    }];
    let root_causes = RootCause::group(&mut findings);
    Report { version: 1, findings, root_causes, ..Report::default() }
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap()
}

#[test]
fn every_command_ends_quietly_when_its_reader_is_gone() {
    for command in COMMANDS.iter().chain(MISTAKES) {
        // Each on files of its own: some write beside printing.
        let (read, unread) = (folder(), folder());
        let expected = run(&mut colobus(read.path(), command));
        let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(expected.status.code() == Some(2), MISTAKES.contains(command), "{command}: {}", said(&expected));
        let output = run(colobus(unread.path(), command).stdout(closed()));
        assert_eq!(output.status, expected.status, "{command}: {}", said(&output));
        assert_eq!(said(&output), said(&expected), "{command}");
    }
    for command in MISTAKES {
        let output = run(colobus(folder().path(), command).stdout(closed()).stderr(closed()));
        assert_eq!(output.status.code(), Some(2), "{command}");
    }
}

/// What a search finds is more than what it prints of it.
#[test]
fn a_search_and_a_replay_go_on_when_their_reader_is_gone() {
    let application = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counter").canonicalize().unwrap();
    let folder = TempDir::new().unwrap();
    let configuration = fs::read_to_string(application.join("colobus.toml")).unwrap();
    let directory = format!("[app]\ndirectory = '{}'\n", application.display());
    fs::write(folder.path().join("colobus.toml"), configuration.replace("[app]\n", &directory)).unwrap();
    for command in ["check --depth=1 --schedules=20 --workers=1 --repeat=1 --max-findings=1", "replay 1"] {
        let output = run(colobus(folder.path(), command).stdout(closed()));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {said}");
        assert!(!said.contains("panicked") && !said.contains("pipe"), "{command}: {said}");
    }
    let report = fs::read_to_string(folder.path().join("colobus-out/last/report.json")).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&report).unwrap().findings.len(), 1);
}
