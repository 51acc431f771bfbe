//! HAR files of findings and of recorded sessions, read by a validator that is not ours. `make test` installs it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use colobus_demo::{DemoOptions, DemoServer};
use colobus_driver::{
    BrowserSource, BrowserStage, Pace, PlayOptions, Played, Player, Recorder, StageOptions, TrafficLog, WindowOptions,
    Windows,
};
use colobus_record::{Reach, Recording};
use colobus_world::Stage;
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(20);
const PASSWORD: &str = "correct horse/battery";

/// The entries of a HAR file that an independent validator accepts.
pub fn entries(path: &Path) -> Vec<Value> {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    assert!(packages.join("node_modules/har-validator").exists(), "har-validator is not installed: run `make test`");
    let check = "const file = require('fs').readFileSync(process.argv[1], 'utf8'); \
                 require('har-validator').har(JSON.parse(file)).catch((error) => { console.error(error.errors ?? error); process.exit(1); });";
    let output = Command::new("node").args(["-e", check]).arg(path).current_dir(packages).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let har: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    har["log"]["entries"].as_array().unwrap().clone()
}

/// Directions of the socket messages of one client, and how many entries are whole HTTP exchanges.
fn seen(entries: &[Value], client: &str) -> (BTreeSet<String>, usize) {
    let own = || entries.iter().filter(|entry| entry["pageref"] == client);
    let messages = own().filter_map(|entry| entry["_webSocketMessages"].as_array()).flatten();
    let directions = messages.map(|message| message["type"].as_str().unwrap().to_owned()).collect();
    let whole = own().filter(|entry| entry["response"]["status"] == 200 && entry["response"]["content"]["size"] != 0);
    (directions, whole.count())
}

fn both_ways() -> BTreeSet<String> {
    BTreeSet::from(["receive".to_owned(), "send".to_owned()])
}

/// Performs a script in windows whose traffic is recorded; what was recorded of it, and the HAR file.
fn perform(script: &Recording, folder: &Path) -> (Recording, PathBuf) {
    let traffic = TrafficLog::default();
    let windows = Windows::open(WindowOptions {
        browser: BrowserSource::default(),
        headed: false,
        clients: script.clients(),
        viewport: Some(script.viewport),
        redact: Vec::new(),
        record: true,
        play: true,
        traffic: Some(traffic.clone()),
        explore: None,
    })
    .unwrap();
    let recorder = Recorder::start(&windows);
    let secrets = vec![("COLOBUS_SECRET_KEY".to_owned(), PASSWORD.to_owned())];
    let options = PlayOptions {
        pace: Pace::Fast,
        strict: false,
        patience: PATIENCE,
        secrets,
        files: PathBuf::new(),
        reach: Reach::Anywhere,
    };
    let mut player = Player::new(&windows, script, options);
    for index in 0..script.lines.len() {
        let played = player.play(index).unwrap();
        assert!(!matches!(played, Played::Impossible(_)), "{}: {played:?}", script.lines[index]);
    }
    assert!(windows.settle(PATIENCE));
    let recording = recorder.recording(&windows, script.viewport).unwrap();
    let redaction = recorder.redaction();
    drop(player);
    drop(windows);
    let path = folder.join("session.har");
    fs::write(&path, traffic.take_har(&redaction)).unwrap();
    (recording, path)
}

#[test]
fn a_finding_has_the_traffic_of_all_clients_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let search = ["--depth=1", "--repeat=1", "--same", "--action=type a", "--action=type b"];
    let output = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["demo", "--port=0", "--no-open", "--bug=insert-order"])
        .args(search)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let run = folder.path().join("colobus-out/last");
    let report: Value = serde_json::from_str(&fs::read_to_string(run.join("report.json")).unwrap()).unwrap();
    for (index, finding) in report["findings"].as_array().unwrap().iter().enumerate() {
        assert_eq!(finding["traffic"], format!("{}/traffic.har", index + 1), "{}", report["notes"]);
    }
    let entries = entries(&run.join("1/traffic.har"));
    for client in ["A", "B"] {
        let (directions, whole) = seen(&entries, client);
        assert_eq!(directions, both_ways(), "of {client}");
        assert!(whole > 0, "of {client}");
    }
}

#[test]
fn a_recorded_session_of_the_demo_has_its_http_and_websocket_traffic() {
    let editor = DemoServer::start(DemoOptions { port: 0, ..DemoOptions::default() }).unwrap();
    let url = format!("{}?doc=har", editor.url());
    let field = "/html/body//div[@contenteditable=\"true\"]";
    let script = format!(
        "colobus-recording 1\nviewport 640x400\nA open {url:?} +0\nA click {field} 20,10 +1\nA type {field} [h,KeyH,72] +1\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let (recording, har) = perform(&Recording::parse(&script).unwrap(), folder.path());
    assert_eq!(recording.lines.len(), 3, "{recording}");
    let (directions, whole) = seen(&entries(&har), "A");
    assert_eq!(directions, both_ways());
    assert!(whole > 0);
}

const LOGIN: &str = r#"<!DOCTYPE html><title>login</title><form><input type=password name=key><button>go</button></form>
<script>document.forms[0].onsubmit = async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ renamed: document.forms[0].key.value, who: "somebody" });
  document.title = await (await fetch("/login", { method: "POST", body })).text();
};</script>"#;

/// Serves the page, and repeats whatever is sent to it.
fn login_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(thread::spawn(|| answer(stream)))));
    url
}

fn answer(stream: TcpStream) {
    let mut reader = BufReader::new(&stream);
    let (mut first, mut length) = (String::new(), 0);
    if reader.read_line(&mut first).is_err() {
        return;
    }
    for line in (&mut reader).lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some((_, digits)) = line.to_ascii_lowercase().split_once("content-length: ") {
            length = digits.parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let content = if first.starts_with("POST") { String::from_utf8(body).unwrap() } else { LOGIN.to_owned() };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: session=0123456789abcdef0123\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    // The browser may have gone.
    let _ = (&stream).write_all(format!("{head}{content}").as_bytes());
}

#[test]
fn what_was_typed_as_a_secret_is_nowhere_in_the_file() {
    let url = login_server();
    let field = "/html/body/form/input[@name=\"key\"]";
    let script = format!(
        "colobus-recording 1\nviewport 640x400\nA open {url:?} +0\nA secret {field} COLOBUS_SECRET_KEY +1\n\
         A click /html/body/form/button 5,5 +1\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let (recording, har) = perform(&Recording::parse(&script).unwrap(), folder.path());
    assert!(recording.to_string().contains("COLOBUS_SECRET_KEY"), "{recording}");
    let entries = entries(&har);
    let login = entries.iter().find(|entry| entry["request"]["method"] == "POST").expect("the form was sent");
    assert_eq!(login["request"]["postData"]["text"], r#"{"renamed":"[redacted]","who":"somebody"}"#);
    assert_eq!(login["response"]["content"]["text"], r#"{"renamed":"[redacted]","who":"somebody"}"#);
    // What is learned from the session has the login, and none of its secrets.
    let learned = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["learn", "session.har", "-o", "api"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(learned.status.success(), "{}", String::from_utf8_lossy(&learned.stderr));
    let files = fs::read_dir(folder.path().join("api")).unwrap().flatten();
    let api: String = files.map(|file| fs::read_to_string(file.path()).unwrap()).collect();
    assert!(api.contains("POST login()"), "{api}");
    // Findings of stumble are performed by a stage, whose secrets come from the environment.
    let secrets = vec![("COLOBUS_SECRET_KEY".to_owned(), PASSWORD.to_owned())];
    let mut stage =
        BrowserStage::open(StageOptions { secrets, reach: Reach::Anywhere, ..StageOptions::default() }, &recording)
            .unwrap();
    let staged = stage.perform_recorded(&recording).unwrap();
    assert_eq!(staged.run.stopped, None);
    assert!(staged.har.contains(r#"{\"renamed\":\"[redacted]\",\"who\":\"somebody\"}"#), "{}", staged.har);
    let text = fs::read_to_string(&har).unwrap() + &api + &staged.har;
    for secret in [PASSWORD, "correct%20horse", "correct+horse", "horse\\/battery", "0123456789abcdef0123"] {
        assert!(!text.contains(secret), "{secret}");
    }
}
