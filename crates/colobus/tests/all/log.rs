//! `--log`: a file beside the results shows the protocol, the gate's decisions and settling, and no secret.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use colobus_demo::{DemoOptions, DemoServer};
use tempfile::TempDir;

const SECRET: &str = "correct horse/battery";

fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command.args(arguments).current_dir(folder).env("COLOBUS_SECRET_NOTE", SECRET).output().unwrap()
}

#[test]
fn a_log_shows_the_protocol_the_gate_and_settling_by_worker_and_client() {
    let folder = TempDir::new().unwrap();
    let replay = ["replay", "(type a || type b) : A1 B1 ~", "--config=demo:correct"];
    let quiet = colobus(folder.path(), &replay);
    assert_eq!(quiet.status.code(), Some(0), "{}", String::from_utf8_lossy(&quiet.stderr));
    assert!(!folder.path().join("colobus-out").exists(), "nothing is logged unless it is asked for");

    let logged = colobus(folder.path(), &[&replay[..], &["--log=debug"]].concat());
    assert_eq!(logged.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&logged.stderr).trim_end(), "log: colobus-out/colobus.log");
    let log = fs::read_to_string(folder.path().join("colobus-out/colobus.log")).unwrap();
    for part in [
        "protocol: sent session=",
        "method=",
        "protocol: answered id=",
        "milliseconds=",
        "client{id=A}",
        "client{id=B}",
        "gate: opened connection=",
        "gate: holds from now on",
        "gate: held connection=",
        "gate: released number=",
        "settling: a page has processed what happened to it milliseconds=",
        "world: steps client=A",
        "world: settled milliseconds=",
    ] {
        assert!(log.contains(part), "{part} is missing:\n{}", log.lines().take(200).collect::<Vec<_>>().join("\n"));
    }
    assert!(!log.contains("body="), "bodies are written at trace only");
}

#[test]
fn a_log_has_no_secrets() {
    let folder = TempDir::new().unwrap();
    let editor = DemoServer::start(DemoOptions { port: 0, ..DemoOptions::default() }).unwrap();
    let field = "//div[@id=\"editor\"]";
    let recording = format!(
        "colobus-recording 1\nviewport 640x400\nA open \"{}?doc=log\" +0\nA click {field} 20,20 +1\nA secret {field} COLOBUS_SECRET_NOTE +1\n",
        editor.url()
    );
    fs::write(folder.path().join("note.rec"), recording).unwrap();
    let replayed = colobus(folder.path(), &["replay", "note.rec", "--at", &editor.url(), "--log=trace"]);
    let said = String::from_utf8_lossy(&replayed.stdout);
    assert!(said.contains("of 3 lines replayed"), "{said}{}", String::from_utf8_lossy(&replayed.stderr));
    let log = fs::read_to_string(folder.path().join("colobus-out/colobus.log")).unwrap();
    assert!(log.contains("body="), "{said}");
    assert!(log.contains("settling: pages came to rest milliseconds="), "{said}");
    for hidden in [SECRET, "horse"] {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(hidden)).collect();
        assert!(lines.is_empty(), "{lines:#?}");
    }
}
