//! `colobus stumble` on a small shop with three bugs that only show when people make mistakes, and on the same shop without
//! them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use colobus_model::{FailingSession, Finding, Report, Searched};
use serde_json::Value;

use crate::shop::Shop;
use crate::traffic::entries;

const RECORDING: &str = include_str!("shop/order.rec");

fn colobus(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn session(finding: &Finding) -> &FailingSession {
    match &finding.searched {
        Searched::Session(session) => session,
        other => panic!("only sessions are searched: {other:?}"),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The exit code, and the report of the newest run.
fn stumble(shop: &Shop, variant: &str, folder: &Path) -> (Option<i32>, Report) {
    fs::write(folder.join("order.rec"), RECORDING.replace("ORIGIN", &shop.url(variant))).unwrap();
    let output = colobus(&["stumble", "order.rec", "--delay", "50ms", "--at", &shop.url("")], folder);
    let report = fs::read_to_string(folder.join("colobus-out/last/report.json"));
    let report = report.unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    (output.status.code(), serde_json::from_str(&report).unwrap())
}

/// The requests of a HAR file, each with the status of its answer.
fn asked(har: &Path) -> String {
    let told = |entry: &Value| format!("{} {}", entry["request"]["url"], entry["response"]["status"]).replace('"', "");
    entries(har).iter().map(told).collect::<Vec<_>>().join("\n")
}

#[test]
fn three_bugs_are_found_and_nothing_else() {
    let shop = Shop::open();
    let folder = tempfile::tempdir().unwrap();
    let (code, report) = stumble(&shop, "buggy", folder.path());
    let found: Vec<(&str, &str)> =
        report.findings.iter().map(|finding| (finding.check.as_str(), session(finding).mistake.as_str())).collect();
    let back = format!("back and forth after: arrive at {}/confirm?name=ab", shop.url("buggy"));
    let expected = [
        ("uncaught", "before the page has its data: click “Prices”"),
        ("failed-request", "twice: click “Buy”"),
        ("lost-input", back.as_str()),
    ];
    assert_eq!(found, expected);
    assert_eq!(code, Some(1));
    assert!(report.findings.iter().all(|finding| finding.reproduced == finding.attempts), "{:#?}", report.findings);
    let lengths: Vec<usize> = report.findings.iter().map(|finding| session(finding).script.len()).collect();
    assert_eq!(lengths, [2, 4, 5], "shrunk: {:#?}", report.findings);

    let files =
        report.findings.iter().map(|finding| finding.traffic.clone().unwrap_or_else(|| panic!("{:?}", report.notes)));
    let requests: Vec<String> = files.map(|file| asked(&folder.path().join("colobus-out/last").join(file))).collect();
    assert!(requests.iter().all(|requests| requests.contains("/buggy/shop 200") && requests.contains("/shop.js 200")));
    assert!(requests[0].contains("/prices"), "{requests:?}");
    assert!(requests[1].contains(" 201") && requests[1].contains(" 409"), "the order that came twice: {requests:?}");

    let again = colobus(&["replay", "1", "--at", &shop.url("")], folder.path());
    assert!(text(&again.stdout).contains("uncaught exception: TypeError"), "{}", text(&again.stdout));
    let page = fs::read_to_string(folder.path().join("colobus-out/last/report.html")).unwrap();
    assert!(page.contains("before the page has its data"), "the report page tells it");
    let origin = shop.url("").trim_end_matches('/').to_string();
    assert!(page.contains(&format!("/1 --at {origin}")), "with the line that runs it again");
}

#[test]
fn nothing_is_found_in_a_sound_shop() {
    let shop = Shop::open();
    let folder = tempfile::tempdir().unwrap();
    let (code, report) = stumble(&shop, "sound", folder.path());
    assert_eq!(report.findings, []);
    assert_eq!(code, Some(0));
    assert!(report.counts.interactions.ran() > 20, "{:?}", report.counts);
}

#[test]
fn a_session_that_cannot_be_replayed_is_an_error() {
    let shop = Shop::open();
    let folder = tempfile::tempdir().unwrap();
    let recording =
        RECORDING.replace("ORIGIN", &shop.url("sound")).replace("prices", "costs").replace("Prices", "Costs");
    fs::write(folder.path().join("order.rec"), recording.replace("button[@id=\"costs\"]", "em[@id=\"costs\"]"))
        .unwrap();
    let output = colobus(&["stumble", "order.rec", "--at", &shop.url("")], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("line 2: /html/body/p[1]/em"), "{}", text(&output.stderr));
}
