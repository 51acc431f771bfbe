//! An application with accounts and roles: clients log in once, by steps or with a stored state, and nothing of it is written.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

const ALICE: &str = "reviews-everything";
const BOB: &str = "writes-all-day";

/// The board of `accounts/`, served by Node until it is dropped.
struct Board {
    child: Child,
    port: u16,
}

impl Board {
    fn start(flaw: &[&str]) -> Board {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = folder().join("server.mjs");
        let child = Command::new("node").arg(server).arg(port.to_string()).args(flaw).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        Board { child, port }
    }

    /// Its configuration, in a folder of its own.
    fn configured(&self, change: impl Fn(String) -> String) -> TempDir {
        let folder = TempDir::new().unwrap();
        let text = fs::read_to_string(self::folder().join("colobus.toml")).unwrap();
        let text = change(text.replace("{port}", &self.port.to_string()));
        fs::write(folder.path().join("colobus.toml"), text).unwrap();
        folder
    }

    /// The whole answer to a request.
    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// What a user who logs in gets: the cookie and the token.
    fn log_in(&self, name: &str, password: &str) -> (String, String) {
        let form = format!("name={name}&password={password}");
        let answer = self.ask(&format!(
            "POST /login HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        ));
        let sid = between(&answer, "sid=", ";");
        let welcome =
            self.ask(&format!("GET /welcome HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: sid={sid}\r\n\r\n"));
        let token = between(&welcome, "token: \"", "\"");
        (sid, token)
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        // One that is gone already is not missed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accounts")
}

fn between(text: &str, start: &str, end: &str) -> String {
    let rest = text.split_once(start).unwrap_or_else(|| panic!("{start} in {text}")).1;
    rest.split_once(end).unwrap().0.to_string()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn colobus(folder: &Path, arguments: &[&str], secrets: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    let output = command.args(arguments).current_dir(folder).envs(secrets.iter().copied()).output().unwrap();
    (output.status.code(), text(&output))
}

/// All files below a folder in which one of these texts stands.
fn files_with(folder: &Path, texts: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            found.extend(files_with(&path, texts));
        } else {
            let bytes = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.extend(texts.iter().any(|text| bytes.contains(text)).then_some(path));
        }
    }
    found
}

const SECRETS: [(&str, &str); 2] = [("COLOBUS_SECRET_ALICE", ALICE), ("COLOBUS_SECRET_BOB", BOB)];
const SEARCH: [&str; 5] = ["check", "--depth=1", "--repeat=1", "--workers=2", "--log=trace"];

/// Two clients have logged in once each, and neither passwords nor what they got for them are in any file.
fn assert_nothing_is_written(folder: &Path, board: &Board) {
    let answer = board.ask("GET /secrets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    let sessions: Vec<&str> = answer.split('<').skip(1).map(|rest| rest.split_once('>').unwrap().0).collect();
    assert_eq!(sessions.len(), 2, "{answer}");
    let mut secrets: Vec<&str> = sessions.iter().flat_map(|session| session.split(' ')).collect();
    secrets.extend([ALICE, BOB]);
    assert!(folder.join("colobus-out/colobus.log").exists());
    assert_eq!(files_with(folder, &secrets), Vec::<PathBuf>::new());
}

#[test]
fn clients_with_roles_log_in_once_and_nothing_of_it_is_written() {
    let board = Board::start(&[]);
    let folder = board.configured(|text| text);
    let (code, said) = colobus(folder.path(), &SEARCH, &SECRETS);
    // Each of two actions by each of two clients; only client A, who is a reviewer, can approve.
    assert!(code == Some(0) && said.contains("not applicable             1\n"), "{said}");
    assert_nothing_is_written(folder.path(), &board);
}

#[test]
#[ignore = "takes half a minute"]
fn a_bug_between_roles_is_found_and_its_traffic_has_no_secrets() {
    let board = Board::start(&["broken"]);
    let folder = board.configured(|text| text);
    let (code, said) = colobus(folder.path(), &SEARCH, &SECRETS);
    assert!(code == Some(1) && said.contains("(approve || write") && said.contains("conservation (lost)"), "{said}");
    let har = fs::read_to_string(folder.path().join("colobus-out/last/1/traffic.har")).unwrap();
    assert!(har.contains("/approve?doc=") && har.contains("[redacted]"), "{har}");
    assert_nothing_is_written(folder.path(), &board);
}

#[test]
fn a_stored_state_logs_in() {
    let board = Board::start(&["broken"]);
    let folder = board.configured(|text| {
        let (before, rest) = text.split_once("[[client]]").unwrap();
        let actions = &rest[rest.find("[[action]]").unwrap()..];
        let client = |name: &str| format!("[[client]]\nstorage_state = \"{name}.json\"\n\n");
        format!("{before}{}{}{actions}", client("alice"), client("bob"))
    });
    for (name, password) in [("alice", ALICE), ("bob", BOB)] {
        let (sid, token) = board.log_in(name, password);
        let state = serde_json::json!({
            "cookies": [{ "name": "sid", "value": sid, "domain": "127.0.0.1", "path": "/", "expires": -1,
                "httpOnly": true, "secure": false, "sameSite": "Lax" }],
            "origins": [{ "origin": format!("http://127.0.0.1:{}", board.port), "localStorage": [
                { "name": "account", "value": serde_json::json!({ "token": token }).to_string() }] }]
        });
        fs::write(folder.path().join(format!("{name}.json")), state.to_string()).unwrap();
    }
    let (code, said) = colobus(folder.path(), &["replay", "(approve || write) : B1 B2 A1 B> A> ~"], &[]);
    assert!(code == Some(1) && said.contains("conservation fails (lost): B typed"), "{said}");
}

#[test]
fn a_login_that_fails_says_what_was_seen() {
    let board = Board::start(&[]);
    let folder = board.configured(|text| text.replace("quiet_ms = 0", "quiet_ms = 0\nlimit_ms = 3000"));
    let wrong = [("COLOBUS_SECRET_ALICE", ALICE), ("COLOBUS_SECRET_BOB", "guessed-wrong")];
    let (code, said) = colobus(folder.path(), &["check", "--depth=1"], &wrong);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("client B could not log in at `wait for text=Welcome`"), "{said}");
    assert!(said.contains("/login shows: Wrong name or password") && !said.contains("guessed-wrong"), "{said}");

    let (code, said) = colobus(folder.path(), &["check", "--depth=1"], &wrong[..1]);
    assert!(code == Some(2) && said.contains("COLOBUS_SECRET_BOB is not set"), "{said}");
}
