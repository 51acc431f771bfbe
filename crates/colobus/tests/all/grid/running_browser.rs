//! `--connect`: searches in a browser that runs already, which goes on to run and has none of their pages afterwards.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::{io, thread};

use tempfile::TempDir;

use super::searches::findings;
use super::{causes, colobus, happens_within, on_path, processes_of_group, text, wait_until};
use crate::race::server::Site;

/// A browser that somebody else has started. It ends with this.
struct Running {
    process: Child,
    /// Where its DevTools are.
    url: String,
    _profile: TempDir,
}

impl Running {
    fn start() -> Running {
        let profile = TempDir::new().unwrap();
        let mut process = Command::new(on_path("chromium-headless-shell"))
            .args(["--headless", "--remote-debugging-port=0", "--no-first-run", "--disable-gpu", "--no-sandbox"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("DevTools listening on ") {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "the browser ends by itself");
        }
        thread::spawn(move || io::copy(&mut said, &mut io::sink()));
        let url = line.trim().rsplit(' ').next().unwrap().to_string();
        Running { process, url, _profile: profile }
    }

    /// How many pages it has.
    fn pages(&self) -> usize {
        let address = self.url.trim_start_matches("ws://").split('/').next().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET /json/list HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        // It keeps the connection: what it says has an end by its length.
        let (mut said, mut length) = (BufReader::new(stream), 0);
        for header in said.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()) {
            let header = header.to_ascii_lowercase();
            length = header.strip_prefix("content-length:").map_or(length, |value| value.trim().parse().unwrap());
        }
        let mut answer = String::new();
        said.take(length).read_to_string(&mut answer).unwrap();
        answer.matches("\"type\": \"page\"").count()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.process.wait();
        let is_gone = happens_within(20, || processes_of_group(self.process.id()) == 0);
        assert!(is_gone || thread::panicking(), "processes of the browser are left");
    }
}

#[test]
fn a_browser_that_runs_already_is_searched_with_and_goes_on_without_our_pages() {
    let (running, folder) = (Running::start(), TempDir::new().unwrap());
    let connect = format!("--connect={}", running.url);
    assert_eq!(running.pages(), 1, "its own");
    let search = ["demo", "--bug=lost-update", "--depth=1", "--action=type a", "--action=type b", "--repeat=2"];
    let output = colobus(folder.path(), &[&search[..], &["--reporter=json", "--no-open", &connect]].concat());
    let (found, interactions) = causes(&output);
    // As `subjects/demo/expect.toml` says of a search with browsers of our own.
    assert_eq!(found, ["only if messages meet in the application"]);
    assert_eq!(interactions.judged, 1);
    wait_until("the pages of the search are closed", || running.pages() == 1);

    let broken = Site::page("<button onclick=\"nothing.here()\">Break</button><p>text</p>").serve();
    let explore = ["explore", &broken.url(), "--budget=6", "--repeat=2"];
    let (here, _) = findings(folder.path(), &explore);
    let (there, _) = findings(folder.path(), &[&explore[..], &[&connect]].concat());
    assert!(!here.is_empty());
    assert_eq!(there, here);
    let output = colobus(folder.path(), &["replay", "1", "--at", &broken.url(), &connect]);
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).ends_with("\nreproduced\n"), "{}", text(&output.stdout));
    wait_until("the pages of the search are closed", || running.pages() == 1);
}
