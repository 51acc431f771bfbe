//! Windows that can be seen, on a display that nobody looks at. The display belongs to the environment of a process, so
//! that what needs one runs in a process of its own: this one, started again.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use colobus_demo::{DemoOptions, DemoServer};
use colobus_record::{Event, Recording};
use rustix::process::{Pid, Signal, kill_process};

use crate::performed;

/// An X server of our own.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn open() -> Display {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed: run `make setup`");
        // It says the number as soon as it can be used.
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Display { server, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn script(url: &str) -> Recording {
    let editor = "/html/body//div[@contenteditable=\"true\"]";
    let keys: String = "Hi"
        .chars()
        .map(|letter| {
            let upper = letter.to_ascii_uppercase();
            format!("A type {editor} [{letter},Key{upper},{}] +1\n", u32::from(upper))
        })
        .collect();
    let text = format!("colobus-recording 1\nviewport 640x400\nA open {url:?} +0\nA click {editor} 20,10 +1\n{keys}");
    Recording::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// Performs a recording in windows that can be seen, while the recorder listens.
#[test]
#[ignore = "started by the other test, with a display"]
fn inside() {
    let url = env::var("COLOBUS_TEST_URL").expect("the other test says where the editor is");
    let script = script(&url);
    let recording = performed::record(&script, true);
    fs::write(env::var("COLOBUS_TEST_RECORDING").unwrap(), recording.to_string()).unwrap();
}

fn in_display(display: &Display, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("DISPLAY", &display.name).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn windows_on_a_display_are_recorded_and_replayed() {
    let display = Display::open();
    let editor = DemoServer::start(DemoOptions { port: 0, ..DemoOptions::default() }).unwrap();
    let url = format!("{}?doc=headed", editor.url());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headed.rec");

    let recorded = in_display(&display, &env::current_exe().unwrap())
        .args(["--exact", "headed::inside", "--ignored", "--nocapture"])
        .env("COLOBUS_TEST_URL", &url)
        .env("COLOBUS_TEST_RECORDING", &path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&recorded.stderr);
    let recording = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{said}"));
    let recording = Recording::parse(&recording).unwrap();
    let typed = recording.lines.iter().filter(|line| matches!(line.event, Event::Type { .. })).count();
    assert_eq!(typed, 2, "{recording}");

    let colobus = Path::new(env!("CARGO_BIN_EXE_colobus"));
    let replayed = in_display(&display, colobus)
        .arg("replay")
        .arg(&path)
        .args(["--headed", "--at", &editor.url()])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&[replayed.stdout, replayed.stderr].concat()).into_owned();
    assert!(replayed.status.success() && said.contains("4 of 4 lines replayed"), "{said}");

    // A person ends a recording in the terminal, or by closing the window.
    let file = folder.path().join("own.rec");
    let mut recorder = in_display(&display, colobus)
        .args(["record", &url, "--as-action=look", "--har=own.har", "-o"])
        .arg(&file)
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(recorder.stdout.take().unwrap());
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    if !first.starts_with("recording ") {
        let mut said = String::new();
        recorder.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        panic!("{first}{said}");
    }
    kill_process(Pid::from_child(&recorder), Signal::INT).unwrap();
    let mut said = String::new();
    recorder.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.ends_with("error: nothing was done that an action could do\n"), "{said}");
    assert_eq!(recorder.wait().unwrap().code(), Some(2));
    assert!(!folder.path().join("colobus.toml").exists());
    let own = Recording::parse(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(own.address(), Some(url.as_str()));
    let har = fs::read_to_string(folder.path().join("own.har")).unwrap();
    assert!(har.contains("\"_webSocketMessages\""), "{har}");
}
