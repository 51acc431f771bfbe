//! `colobus race` on a page whose function comes with a late script, on its repaired twin, and with input that it refuses.

// The tests of the driver use all of it.
#[allow(dead_code)]
#[path = "../../../colobus-driver/tests/race/server.rs"]
pub mod server;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use colobus_model::{Report, Searched};
use server::{Server, Site};

const BROKEN: &str = include_str!("../../../colobus-driver/tests/race/pages/undefined-function.html");
const REPAIRED: &str = include_str!("../../../colobus-driver/tests/race/pages/undefined-function-repaired.html");
const SCRIPT: &str = "function start() { document.getElementById('status').textContent = 'started'; }";

fn colobus(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn serve(html: &str, script: &str) -> Server {
    Site::page(html).script("/lib.js", script, 50).serve()
}

/// The exit code, what was printed, and the report of the newest run.
fn race(url: &str, folder: &Path) -> (Option<i32>, String, Report) {
    let output = colobus(&["race", url, "--bound", "1", "--repeat", "2"], folder);
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let report = fs::read_to_string(folder.join("colobus-out/last/report.json")).unwrap_or_else(|_| panic!("{said}"));
    (output.status.code(), said, serde_json::from_str(&report).unwrap())
}

#[test]
fn a_click_before_the_script_is_found_confirmed_and_replayed() {
    let (folder, server) = (tempfile::tempdir().unwrap(), serve(BROKEN, SCRIPT));
    let (code, said, report) = race(&server.url(), folder.path());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("fully explored up to 1 reversal"), "{said}");
    let [finding] = &report.findings[..] else { panic!("one pair of positions is one finding: {said}") };
    assert_eq!((finding.reproduced, finding.attempts), (2, 2));
    let Searched::Order(order) = &finding.searched else { panic!("orders are searched") };
    assert_eq!((order.first.as_str(), order.second.as_str()), ("A<script:lib.js", "A:click 1"));
    assert_eq!((order.place.as_str(), order.first_at.as_str()), ("global start", "lib.js:1:10"));
    assert!(order.confirmed && order.by_hand.starts_with("A<script:lib.js "), "{}", order.by_hand);
    assert!(order.exceptions.1[0].contains("start is not"), "{:?}", order.exceptions);
    for file in ["race.json", "client-A.png", "client-B.png"] {
        assert!(folder.path().join("colobus-out/last/1").join(file).is_file(), "{file}");
    }
    let refused = colobus(&["replay", "1"], folder.path());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("nobody has said that it may"), "{said}");
    let replayed = colobus(&["replay", "1", "--times", "2", "--at", &server.url()], folder.path());
    assert_eq!(replayed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&replayed.stdout).ends_with("failed 2 of 2 times\n"));
}

#[test]
fn the_repaired_page_is_clean() {
    let (folder, server) = (tempfile::tempdir().unwrap(), serve(REPAIRED, &format!("{SCRIPT}\nbegin();")));
    let (code, said, report) = race(&server.url(), folder.path());
    assert_eq!(code, Some(0), "{said}");
    assert!(report.findings.is_empty() && report.counts.potential_conflicts > 0, "{said}");
}

#[test]
fn what_cannot_be_run_says_why() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "no recording").unwrap();
    for (arguments, why) in [
        (vec!["race", "ftp://example.org/"], "is no address of a page"),
        (vec!["race", "http://127.0.0.1:1/", "--session", "notes.txt"], "is no recording"),
        (vec!["race", "http://127.0.0.1:1/"], "could not be loaded"),
    ] {
        let output = colobus(&arguments, folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    }
}
