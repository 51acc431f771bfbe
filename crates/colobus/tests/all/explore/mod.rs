//! `colobus explore` in a real browser: bugs that are seeded in small applications are found, shrunk and replayed, their
//! repaired twins are clean, and a learned server shows what the database never does.

mod shared;
mod site;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use colobus_model::{FailingSequence, Finding, Report, Searched};
use site::{Site, Twin, capture};

use crate::traffic::entries;

fn colobus(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

struct Explored {
    url: String,
    folder: tempfile::TempDir,
    code: Option<i32>,
    stdout: String,
    told: String,
    report: Report,
}

impl Explored {
    fn run(&self, name: &str) -> PathBuf {
        self.folder.path().join("colobus-out/last").join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.run(name)).unwrap()
    }

    fn sequence(&self, finding: &Finding) -> FailingSequence {
        match &finding.searched {
            Searched::Sequence(found) => found.clone(),
            other => panic!("{other:?}"),
        }
    }
}

/// Learns the server of these paths if there are any, and explores the page.
fn explore(twin: Twin, page: &str, paths: &[&str], more: &[&str]) -> Explored {
    let (site, folder) = (Site::start(twin), tempfile::tempdir().unwrap());
    let url = format!("{}/{page}", site.url);
    let mut arguments = vec!["explore", &url];
    if !paths.is_empty() {
        fs::write(folder.path().join("app.har"), capture(&site.url, paths).to_string()).unwrap();
        let learned = colobus(&["learn", "app.har", "-o", "api"], folder.path());
        assert_eq!(learned.status.code(), Some(0), "{}", text(&learned.stderr));
        arguments.extend(["--server", "api/api.ail"]);
    }
    arguments.extend(more);
    let output = colobus(&arguments, folder.path());
    let stdout = text(&output.stdout);
    let told = stdout.clone() + &text(&output.stderr);
    let report = fs::read_to_string(folder.path().join("colobus-out/last/report.json"));
    let report = report.unwrap_or_else(|error| panic!("{error}: {told}"));
    let report = serde_json::from_str(&report).unwrap();
    Explored { url: site.url, folder, code: output.status.code(), stdout, told, report }
}

const APPLICATIONS: &[&str] =
    &["/api/applications", "/api/applications/a17", "/api/applications/b23", "/api/applications/c31"];
const FOLDERS: &[&str] =
    &["/api/folders/root", "/api/folders/l1_t", "/api/folders/l1_p", "/api/folders/l2_l", "/api/folders/l2_r"];

#[test]
fn a_bug_behind_a_code_of_the_script_is_found_shrunk_and_replayed() {
    let explored = explore(Twin::Bug, "shop.html", &[], &["--budget", "24", "--coverage", "--reporter=json"]);
    let printed: Report = serde_json::from_str(&explored.stdout).unwrap();
    assert_eq!(printed, explored.report, "nothing but the report is on standard output");
    assert_eq!((explored.code, explored.report.findings.len()), (Some(1), 1), "{}", explored.told);
    let finding = &explored.report.findings[0];
    assert_eq!((finding.reproduced, finding.attempts), (3, 3), "{}", explored.told);
    let actions = explored.sequence(finding).actions;
    assert_eq!(&actions[1..], ["enter \"open sesame\" in “Code”", "click “Enter”", "click “Pay”"], "{}", explored.told);
    assert!(finding.difference.summary.contains("Reduce of empty array"), "{}", finding.difference.summary);

    let again = colobus(&["replay", "1", "--times", "2", "--at", &explored.url], explored.folder.path());
    assert_eq!(again.status.code(), Some(1), "{}", text(&again.stderr));
    assert!(text(&again.stdout).ends_with("reproduced 2 of 2 times\n"), "{}", text(&again.stdout));

    let entries = entries(&explored.run(finding.traffic.as_ref().unwrap()));
    let asked: Vec<&str> = entries.iter().map(|entry| entry["request"]["url"].as_str().unwrap()).collect();
    assert_eq!(asked, ["/shop.html", "/total.js"].map(|path| format!("{}{path}", explored.url)));

    let lcov = explored.read("coverage/lcov.info");
    assert!(lcov.contains("/total.js\nDA:1,1\nDA:2,1\n"), "{lcov}");
    let page = explored.read("coverage/index.html");
    assert!(page.contains("open sesame&quot; in"), "the sequence that ran a piece of code is named");
    assert!(explored.read("ui-model.txt").contains("= click"));
    let exported = colobus(&["export", "1", "--to", "playwright"], explored.folder.path());
    assert_eq!(exported.status.code(), Some(0), "{}", text(&exported.stderr));
    assert!(
        text(&exported.stdout).contains("open sesame"),
        "the sequence is also a recording: {}",
        text(&exported.stdout)
    );
}

#[test]
fn the_mouse_hovers_and_drags_and_keys_are_heard_by_ancestors() {
    let explored = explore(Twin::Bug, "gestures.html", &[], &["--budget", "12", "--repeat", "1"]);
    let found: Vec<&str> = explored.report.findings.iter().map(|it| it.difference.summary.as_str()).collect();
    for gesture in ["hovering", "dragging", "dropping", "entering"] {
        let told = format!("{gesture} is not expected");
        assert!(found.iter().any(|summary| summary.contains(&told)), "{gesture}: {}", explored.told);
    }
}

#[test]
fn a_learned_server_shows_what_the_database_never_does() {
    let explored = explore(Twin::Bug, "resume.html", APPLICATIONS, &["--budget", "24", "--max-findings", "1"]);
    assert_eq!(explored.code, Some(1), "{}", explored.told);
    let finding = &explored.report.findings[0];
    assert!(finding.difference.summary.contains("reading 'author'"), "{}", finding.difference.summary);
    assert!(finding.difference.summary.contains("/latest.js:3"), "{}", finding.difference.summary);
    assert_eq!((finding.reproduced, finding.attempts), (3, 3), "{}", explored.told);
    let found = explored.sequence(finding);
    assert_eq!(found.actions.len(), 2, "{found:?}");
    let unobserved: Vec<_> = found.answers.iter().filter(|answer| !answer.of_observed_values).collect();
    assert_eq!(unobserved.len(), 1, "{found:?}");
    assert!(unobserved[0].text.contains("\"comments\":[]"), "{found:?}");
    assert!(
        explored.told.contains("needs an answer that was not observed: GET /api/applications/"),
        "{}",
        explored.told
    );

    let entries = entries(&explored.run(finding.traffic.as_ref().unwrap()));
    let entry = entries.iter().find(|entry| entry["request"]["url"].as_str().unwrap().contains("/api/applications/"));
    let body = entry.unwrap()["response"]["content"]["text"].as_str().unwrap();
    assert!(body.contains("\"comments\":[]"), "the answer that the page got: {body}");

    let again = colobus(&["replay", "1", "--at", &explored.url], explored.folder.path());
    assert_eq!(again.status.code(), Some(1), "{}{}", text(&again.stdout), text(&again.stderr));
}

#[test]
fn texts_that_become_markup_or_script_are_found_with_their_field() {
    let explored = explore(Twin::Bug, "people.html", &["/api/applications"], &["--budget", "12", "--repeat", "1"]);
    let found = explored.report.findings.iter().filter(|finding| finding.check.as_str() == "injection");
    let mut summaries: Vec<&str> = found.map(|finding| finding.difference.summary.as_str()).collect();
    summaries.sort_unstable();
    let becomes = |field: &str, what: &str| format!("the field /*/{field} of GET api/applications() becomes {what}");
    let expected = [becomes("id", "script in the page at a[href]"), becomes("name", "markup in the page at b")];
    assert_eq!(summaries, expected, "{}", explored.told);
    assert!(
        explored.told.contains("needs an answer that was not observed: GET /api/applications ->"),
        "{}",
        explored.told
    );
    let repaired = explore(Twin::Fixed, "people.html", &["/api/applications"], &["--budget", "10"]);
    assert_eq!((repaired.code, repaired.report.findings.len()), (Some(0), 0), "{}", repaired.told);
}

/// The document behind a link is invalid; the one with the link, and what a script puts into a page, are not reported.
#[test]
fn a_document_that_is_no_valid_html_is_found() {
    let explored = explore(Twin::Fixed, "markup.html", &[], &["--budget", "3", "--repeat", "1"]);
    let found: Vec<(&str, &str)> = explored
        .report
        .findings
        .iter()
        .map(|finding| (finding.check.as_str(), finding.difference.summary.as_str()))
        .collect();
    let summary = format!("line 6: <div> is not allowed here (1 of 3 errors) at {}/table.html", explored.url);
    assert_eq!(found, [("invalid-html", summary.as_str())], "{}", explored.told);
    assert_eq!(explored.sequence(&explored.report.findings[0]).actions[1..], ["click “Table”"], "{}", explored.told);
    let again = colobus(&["replay", "1", "--at", &explored.url], explored.folder.path());
    assert_eq!(again.status.code(), Some(1), "{}{}", text(&again.stdout), text(&again.stderr));
}

#[test]
#[ignore = "long: the twins are explored with the whole budget"]
fn repaired_twins_are_clean() {
    for (page, paths) in [("shop.html", &[][..]), ("resume.html", APPLICATIONS), ("files.html", FOLDERS)] {
        let explored = explore(Twin::Fixed, page, paths, &["--budget", "60"]);
        assert_eq!((explored.code, explored.report.findings.len()), (Some(0), 0), "{page}: {}", explored.told);
    }
}

#[test]
#[ignore = "long: pages that hang take their time"]
fn a_loop_of_folders_that_never_ends_is_found() {
    let explored = explore(Twin::Bug, "files.html", FOLDERS, &["--budget", "30", "--max-findings", "1"]);
    assert_eq!(explored.code, Some(1), "{}", explored.told);
    let finding = &explored.report.findings[0];
    assert_eq!((finding.check.as_str(), finding.reproduced), ("hang", 3), "{}", explored.told);
}

/// Serves a page until it is asked to end: then nothing listens any more.
fn mortal_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (end, ended) = (Arc::new(AtomicBool::new(false)), Arc::new(Barrier::new(2)));
    let (is_over, gone) = (end.clone(), ended.clone());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if is_over.load(Ordering::SeqCst) {
                break;
            }
            let (end, ended) = (end.clone(), ended.clone());
            thread::spawn(move || {
                let mut head = String::new();
                let _ = BufReader::new(&stream).read_line(&mut head);
                if head.starts_with("GET /end") && !end.swap(true, Ordering::SeqCst) {
                    let _wakes_it = TcpStream::connect(address);
                    ended.wait();
                }
                let page = "<!doctype html><button onclick=\"fetch('/end')\">End</button>";
                let length = page.len();
                let kind = "Content-Type: text/html\r\nConnection: close";
                let _ = write!(&stream, "HTTP/1.1 200 OK\r\n{kind}\r\nContent-Length: {length}\r\n\r\n{page}");
            });
        }
        drop(listener);
        gone.wait();
    });
    format!("http://{address}/")
}

#[test]
fn an_application_that_ends_is_told_and_is_no_finding() {
    let (url, folder) = (mortal_server(), tempfile::tempdir().unwrap());
    let output = colobus(&["explore", &url, "--budget", "6", "--walk", "0", "--repeat", "1"], folder.path());
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("Connection refused (os error 111). Has the application ended?"), "{told}");
    let report = fs::read_to_string(folder.path().join("colobus-out/last/report.json")).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&report).unwrap().findings, []);
}
