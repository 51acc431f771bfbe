//! `--connect`: sessions in a browser that runs already. It keeps its own pages, and goes on afterwards.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use colobus_browser::find_browser;
use colobus_record::Recording;
use rustix::process::{Pid, Signal, geteuid, kill_process, kill_process_group};
use tempfile::TempDir;

use crate::shop::Shop;

const RECORDING: &str = include_str!("shop/order.rec");

/// A browser with an open port; ends with the test.
struct Running {
    child: Child,
    address: String,
    _profile: TempDir,
}

impl Running {
    fn start() -> Running {
        let profile = TempDir::new().unwrap();
        let mut command = Command::new(find_browser(None, false).unwrap());
        command.args(["--headless", "--remote-debugging-port=0", "--no-first-run", "--disable-gpu"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if geteuid().is_root() {
            command.arg("--no-sandbox");
        }
        // The program may be a script that starts another one: they end together.
        command.process_group(0);
        let mut child = command.arg("data:,mine").stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let said = lines
            .map_while(Result::ok)
            .find_map(|line| line.split_once("DevTools listening on ").map(|(_, url)| url.trim().to_string()));
        Running { child, address: said.expect("the browser says where it listens"), _profile: profile }
    }

    /// The addresses of its pages, as it lists them itself.
    fn pages(&self) -> Vec<String> {
        let host = self.address.trim_start_matches("ws://").split('/').next().unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /json/list HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        // The browser keeps the connection open, so that the end of the answer has to be counted.
        let mut answer = BufReader::new(stream);
        let mut size = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            if let Some((_, length)) = line.to_lowercase().split_once("content-length:") {
                size = length.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut list = vec![0; size];
        answer.read_exact(&mut list).unwrap();
        let list: Vec<serde_json::Value> = serde_json::from_slice(&list).unwrap();
        list.iter()
            .filter(|page| page["type"] == "page")
            .map(|page| page["url"].as_str().unwrap().to_string())
            .collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nothing to do if it is gone already.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

fn colobus(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_running_browser_replays_and_records_and_keeps_its_own_pages() {
    let (shop, browser, folder) = (Shop::open(), Running::start(), TempDir::new().unwrap());
    fs::write(folder.path().join("order.rec"), RECORDING.replace("ORIGIN", &shop.url("sound"))).unwrap();
    let connect = format!("--connect={}", browser.address);
    let replayed = colobus(folder.path(), &["replay", "order.rec", "--at", &shop.url(""), &connect]).output().unwrap();
    let said = String::from_utf8_lossy(&replayed.stdout);
    assert!(said.contains("8 of 8 lines replayed"), "{said}{}", String::from_utf8_lossy(&replayed.stderr));
    assert_eq!(shop.placed(), 1);
    assert_eq!(browser.pages(), ["data:,mine"]);

    let url = shop.url("sound") + "/shop";
    let mut recorder = colobus(folder.path(), &["record", &url, &connect, "-o", "own.rec"]).spawn().unwrap();
    let mut lines = BufReader::new(recorder.stdout.take().unwrap());
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert!(first.starts_with("recording "), "{first}");
    assert!(browser.pages().contains(&url), "the session has a page there");
    kill_process(Pid::from_child(&recorder), Signal::INT).unwrap();
    assert!(recorder.wait().unwrap().success());
    let own = Recording::parse(&fs::read_to_string(folder.path().join("own.rec")).unwrap()).unwrap();
    assert_eq!(own.address(), Some(url.as_str()));
}

#[test]
fn browsers_that_cannot_be_used_are_refused_with_a_reason() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("order.rec"), RECORDING.replace("ORIGIN", "http://127.0.0.1:9")).unwrap();
    for (arguments, why) in [
        (
            &["replay", "order.rec", "--at=http://127.0.0.1:9", "--connect=ws://127.0.0.1:1/x"][..],
            "no browser could be reached",
        ),
        (
            &["replay", "(type a || type b) : A1 B1 ~", "--config=demo:correct", "--connect=ws://127.0.0.1:1/x"],
            "no browser could be reached",
        ),
        (&["record", "http://127.0.0.1:9", "--connect=http://x"], "is not the address of a browser"),
        (&["record", "http://127.0.0.1:9", "--connect=ws://x", "--har=x.har"], "cannot be used with"),
        (&["record", "http://127.0.0.1:9", "--connect=ws://x", "--learn=api"], "cannot be used with"),
    ] {
        let output = colobus(folder.path(), arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(why), "{arguments:?}: {said}");
    }
}
