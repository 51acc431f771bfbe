//! Searches that are interrupted while their sessions are being opened.

use std::fs::{self, File};
use std::sync::{Arc, Condvar, Mutex};

use tempfile::TempDir;

use super::fake_hub::{DEVTOOLS, FakeHub, session};
use super::tool::Tool;
use super::{text, wait_until};

/// Closed until it is opened.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    fn wait(&self) {
        drop(self.opened.wait_while(self.is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
    }
}

/// Worlds, pages in windows, and single pages open their browsers in different places.
#[test]
fn a_session_that_comes_after_the_end_of_its_search_is_given_back() {
    const NOWHERE: &str = "http://127.0.0.1:1/";
    let searches: [&[&str]; 3] =
        [&["demo", "--correct", "--depth=1", "--no-open"], &["explore", NOWHERE], &["race", NOWHERE]];
    for search in searches {
        let gate = Arc::<Gate>::default();
        let closed = gate.clone();
        let hub = FakeHub::opening(move |_| {
            closed.wait();
            (200, session(DEVTOOLS))
        });
        let folder = TempDir::new().unwrap();
        let told = folder.path().join("told");
        let file = File::create(&told).unwrap();
        let running =
            Tool::start(folder.path(), |command| command.args(search).args(["--grid", &hub.url]).stderr(file));
        wait_until("a session is asked for", || hub.count("POST /session") > 0);
        running.signal("-INT");
        let said = || fs::read_to_string(&told).unwrap();
        wait_until("it says what it waits for", || said().contains("waiting for the Grid, to give back the sessions"));
        gate.open();
        let output = running.output();
        assert_eq!(output.status.code(), Some(2), "{}{}", text(&output.stdout), said());
        assert_eq!(hub.count("POST /session"), hub.count("DELETE /session/s-1"), "{search:?} {:?}", hub.asked());
        assert!(!said().contains("has not answered"), "{}", said());
    }
}
