//! Runs that are told to end: at the time that the user gave, by a signal, and twice. A page that never comes to rest does not
//! keep any of them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;

use colobus_model::Report;
use tempfile::TempDir;

/// A page that works until somebody types into it; then it asks its server without end, and would be waited for for an hour.
const RESTLESS: &str = "<!doctype html><textarea autofocus></textarea><script>\
    document.querySelector('textarea').oninput = () => { const ask = () => fetch('/ask').then(ask); ask(); };</script>";

/// Serves the page on any address. Ends with the test.
fn site() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut stream = stream;
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
                    if line == "\r\n" {
                        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length:";
                        if write!(stream, "{head} {}\r\n\r\n{RESTLESS}", RESTLESS.len()).is_err() {
                            return;
                        }
                    }
                    line.clear();
                }
            });
        }
    });
    port
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let configuration = format!(
        "[app]\nurl = \"http://127.0.0.1:{}/?doc={{doc}}\"\n[settle]\nlimit_ms = 3_600_000\n\
         [[action]]\nname = \"a\"\nsteps = [{{ type = \"a\" }}]\n[[action]]\nname = \"b\"\nsteps = [{{ type = \"b\" }}]\n",
        site()
    );
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    folder
}

fn check(folder: &TempDir, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["check", "--depth=1", "--workers=1"])
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the search has begun.
fn begun(child: &mut Child) {
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("ready after") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the search does not begin");
    }
    thread::spawn(move || output.read_to_end(&mut Vec::new()));
}

fn report(folder: &TempDir) -> Report {
    serde_json::from_str(&fs::read_to_string(folder.path().join("colobus-out/last/report.json")).unwrap()).unwrap()
}

#[test]
fn the_time_limit_ends_an_execution_under_way() {
    let folder = folder();
    let output = check(&folder, &["--timeout=4s"]).wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let report = report(&folder);
    assert_eq!(report.stopped.as_deref(), Some("the time given by --timeout is over"), "{report:#?}");
    assert!(report.counts.sequences.adds_up() && report.counts.sequences.not_run > 0, "{:?}", report.counts);
}

#[test]
fn signals_end_an_execution_under_way_and_what_is_known_is_reported() {
    for signal in ["-INT", "-TERM"] {
        let folder = folder();
        let mut child = check(&folder, &[]);
        begun(&mut child);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("interrupted: the report covers what had run until then"), "{said}");
        assert_eq!(report(&folder).stopped.as_deref(), Some("it was interrupted"));
    }
}
