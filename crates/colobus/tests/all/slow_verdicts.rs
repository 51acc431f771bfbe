//! Verdicts on servers that take their time, by exit code: the bug is found and comes back, the repaired twin is clean.

use tempfile::TempDir;

use crate::small::{colobus, report, subject, text};

/// Searches one of the small applications, started by Colobus, with its bug and repaired.
fn search(name: &str, delay: &str, further: &[&str]) {
    for (bug, code) in [("1", 1), ("0", 0)] {
        let folder = TempDir::new().unwrap();
        let configuration = format!("--config={}", subject(name).join("colobus.toml").display());
        let fixed = ["check", &configuration, "--workers=1", "--repeat=2", "--max-findings=1"];
        let found = colobus(folder.path(), &[&fixed, further].concat(), &[("BUG", bug), ("DELAY", delay)]);
        assert_eq!(found.status.code(), Some(code), "{name} after {delay} ms, BUG={bug}: {}", text(&found));
        let seen = report(folder.path());
        assert!(seen.counts.interactions.judged > 0, "{}", text(&found));
        assert_eq!(seen.counts.interactions.unknown, 0, "{}", text(&found));
        for finding in &seen.findings {
            assert_eq!((finding.reproduced, finding.attempts), (2, 2), "{}", text(&found));
        }
    }
}

#[test]
fn a_chat_that_tells_others_after_300_ms() {
    search("chat", "300", &[]);
}

#[test]
fn a_double_booking_whose_answer_takes_300_ms() {
    search("booking", "300", &["--action=book the first seat"]);
}

/// As in the small application, a poll takes twice as long as anything is waited for, and so the server always has the timer of an older
/// one. Four seconds instead of twenty show it sooner.
#[test]
fn long_polls_stay_open_however_long_the_search_goes_on() {
    let folder = TempDir::new().unwrap();
    let small = subject("todo-long-polling");
    let mut configuration: toml::Table = std::fs::read_to_string(small.join("colobus.toml")).unwrap().parse().unwrap();
    let app = configuration["app"].as_table_mut().unwrap();
    app.insert("directory".into(), small.display().to_string().into());
    configuration.insert("settle".into(), toml::toml! { limit_ms = 2000 }.into());
    std::fs::write(folder.path().join("colobus.toml"), configuration.to_string()).unwrap();
    let arguments = ["check", "--naive", "--depth=2", "--workers=1"];
    let found = colobus(folder.path(), &arguments, &[("POLL", "4000"), ("BUG", "0")]);
    assert_eq!(found.status.code(), Some(0), "{}", text(&found));
    let interactions = report(folder.path()).counts.interactions;
    assert_eq!((interactions.judged, interactions.unknown), (interactions.ran(), 0), "{}", text(&found));
}

#[test]
#[ignore = "minutes: make test-long"]
fn servers_that_take_two_seconds() {
    search("booking", "2000", &[]);
    search("chat", "2000", &[]);
}

#[test]
#[ignore = "minutes: make test-long"]
fn a_list_over_events_after_300_ms() {
    search("todo-events", "300", &[]);
}
