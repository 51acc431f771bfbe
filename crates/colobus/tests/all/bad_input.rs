//! Files that are missing, empty, folders or noise, addresses where nothing is, and lines that no file has: every command says what is
//! wrong and ends with 2.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;

use crate::small;
use crate::strangers::site::Site;

/// What is no input of any command.
const FILES: &[&str] = &["missing", "empty", "folder", "noise"];

/// Commands that read a file, and what they say of how to get one. `FILE` stands for it.
const READERS: &[(&str, &str)] = &[
    ("learn FILE", "HAR|har|record it again"),
    ("learn --diff FILE FILE", "`colobus learn|begins with `URL`"),
    ("mock FILE --port 0", "`colobus learn|begins with `URL`"),
    ("explore http://127.0.0.1:9/ --server FILE", "`colobus learn|begins with `URL`"),
    ("explore http://127.0.0.1:9/ --config FILE", "`colobus init`"),
    ("race --config FILE", "`colobus init`"),
    ("race http://127.0.0.1:9/ --recording FILE", "`colobus record"),
    ("stumble FILE", "`colobus record"),
    ("send FILE --note x", "`colobus record"),
    ("check --around FILE", "record|recording"),
    ("accept 1 --why x --out FILE", "`colobus check` writes it"),
    ("reach http://127.0.0.1:1/ --targets FILE", "docs/reach.md"),
];

/// Words that make no sense, and what is said of them.
const NONSENSE: &[(&str, &str)] = &[
    ("reach nowhere app.js:1", "is not the address of a page"),
    ("reach file:///etc/passwd app.js:1", "is not the address of a page"),
    ("reach http://127.0.0.1:9/ app.js", "write FILE:LINE"),
    ("reach http://127.0.0.1:9/ app.js:0", "write FILE:LINE"),
    ("reach http://127.0.0.1:9/ app.js:-1", "write FILE:LINE"),
    ("reach http://127.0.0.1:9/ app.js:99999999999", "write FILE:LINE"),
    ("reach http://127.0.0.1:9/ :1", "write FILE:LINE"),
    ("explore nowhere", "is not the address of a page"),
    ("explore http://127.0.0.1:9/ --budget 0", "at least 1"),
    ("explore http://127.0.0.1:9/ --log loudly", "info, debug, trace"),
    ("explore http://127.0.0.1:9/ --log info --out empty", "cannot write the log empty/colobus.log"),
    ("race nowhere", "it begins with http:// or https://"),
    ("race http://127.0.0.1:9/ --timeout 0s", "write 90s, 5m or 1h30m"),
    ("mock empty --port 99999", "0..=65535"),
    ("accept one --why x", "invalid digit"),
    ("accept 99999999999999999999 --why x", "too large"),
    ("accept 7 --why x --out newest", "the newest run has no cause 7"),
    ("accept 1 --why x --out torn", "is not a report"),
];

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    write("empty", b"");
    write("noise", &(0..5000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<u8>>());
    write("newest/last/report.json", serde_json::to_string(&colobus_model::Report::default()).unwrap().as_bytes());
    write("torn/last/report.json", b"{\"version\": 1, \"findings\": [");
    fs::create_dir(folder.path().join("folder")).unwrap();
    let counter = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counter/colobus.toml");
    fs::copy(counter, folder.path().join("colobus.toml")).unwrap();
    folder
}

/// What the command said on standard error. It ends with 2, and does not panic.
fn refusal(folder: &TempDir, command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(command.split(' '))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{command}: {said}");
    assert!(said.starts_with("error: ") || said.contains("\nerror: "), "{command}: {said}");
    assert!(!said.contains("panicked"), "{command}: {said}");
    said
}

#[test]
fn files_that_are_none_are_refused_with_advice() {
    let folder = folder();
    for (command, advice) in READERS {
        for file in FILES {
            let command = command.replace("FILE", file);
            let said = refusal(&folder, &command);
            assert!(said.contains(file), "{command}: {said}");
            assert!(advice.split('|').any(|advice| said.contains(advice)), "{command}: {said}");
        }
    }
}

#[test]
fn words_that_make_no_sense_are_refused_with_advice() {
    let folder = folder();
    for (command, expected) in NONSENSE {
        let said = refusal(&folder, command);
        assert!(said.contains(expected), "{command}: {said}");
    }
}

/// An address that nobody listens on.
fn nowhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/", listener.local_addr().unwrap())
}

/// A site of one page with a script of three lines, which offers nothing to do, with this status.
fn idle(status: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                let first = lines.next().transpose().ok().flatten().unwrap_or_default();
                let (kind, body) = match first.contains("app.js") {
                    true => ("text/javascript", "let a = 1;\nlet b = 2;\nlet c = 3;\n"),
                    false => (
                        "text/html",
                        "<!doctype html><link rel=icon href=data:,><p>gone</p><script src=app.js></script>",
                    ),
                };
                let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length:");
                let mut stream = stream;
                write!(stream, "{head} {}\r\n\r\n{body}", body.len())
            });
        }
    });
    address
}

#[test]
fn pages_that_are_not_there_are_named_with_the_reason() {
    let (folder, address) = (folder(), nowhere());
    for command in ["reach URL app.js:1", "explore URL", "race URL"] {
        let said = refusal(&folder, &command.replace("URL", &address));
        let reason = said.to_lowercase().replace('_', " ");
        assert!(said.contains(&address) && reason.contains("connection refused"), "{command}: {said}");
    }
}

/// Nothing found is not the same as nothing to do.
#[test]
fn pages_that_offer_nothing_are_in_doubt() {
    let (folder, address) = (folder(), idle("404 Not Found"));
    for command in ["explore URL", "race URL"] {
        let said = refusal(&folder, &command.replace("URL", &address));
        assert!(said.contains("there was nothing to do") && said.contains(&address), "{command}: {said}");
        let report = fs::read_to_string(folder.path().join("colobus-out/last/report.json")).unwrap();
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(report.contains("the browsers ran without their sandbox"), is_root, "{command}: {report}");
    }
}

#[test]
fn lines_behind_the_end_of_a_file_are_refused() {
    let (folder, address) = (folder(), idle("200 OK"));
    let said = refusal(&folder, &format!("reach {address} app.js:400"));
    assert!(said.contains("app.js has no line 400: it ends with line 3"), "{said}");
    let said = refusal(&folder, &format!("reach {address} other.js:1"));
    assert!(said.contains("has no file `other.js`"), "{said}");
}

/// A page that shares nothing: what was tried is told, and advice that was followed already is not given again.
#[test]
fn an_address_whose_documents_are_not_shared_is_refused_with_what_was_tried() {
    let site = Site::open(&[("/", "<!doctype html><textarea></textarea>")], "");
    let (folder, address) = (TempDir::new().unwrap(), format!("{}/?doc={{doc}}", site.origin()));
    let refused = small::colobus(folder.path(), &["check", &address], &[]);
    let said = small::text(&refused);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(!folder.path().join("colobus.toml").exists());
    assert!(said.contains(&format!("tried {address}: ")) && said.contains("`colobus init --url"), "{said}");
    assert!(!said.contains("put `{doc}`"), "{said}");
}
