//! The whole tool on real applications: every run that a subject's `expect.toml` names finds what it says and nothing else.
//! Short runs of two of them belong to the ordinary tests; `make test-subjects` does all.

mod expectation;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use colobus_trace::Report;
use expectation::{Expectation, Run};
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

/// Every subject that is an application from npm.
fn subjects() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = entries
        .filter(|path| path.join("package.json").exists())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn search(subject: &str, run: &Run) -> Report {
    let results = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command.args(["check", "--reporter=json", "--config"]).arg(folder().join(subject));
    command.arg("--out").arg(results.path()).args(&run.arguments);
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{subject}: no report: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Everything about these runs that is not as expected.
fn surprises(subject: &str, wanted: fn(&Run) -> bool) -> Vec<String> {
    let expectation = Expectation::read(&folder().join(subject).join("expect.toml"));
    let runs = expectation.runs.iter().filter(|run| wanted(run));
    runs.flat_map(|run| {
        let report = search(subject, run);
        let found = run.surprises(&report);
        println!("{subject} {}: {} findings", run.arguments.join(" "), report.findings.len());
        found.into_iter().map(move |surprise| format!("{subject} {}: {surprise}", run.arguments.join(" ")))
    })
    .collect()
}

#[test]
fn every_subject_has_expectations() {
    let names = subjects();
    assert_eq!(names.len(), 8, "{names:?}");
    for name in names {
        let expectation = Expectation::read(&folder().join(&name).join("expect.toml"));
        assert!(!expectation.runs.is_empty(), "{name}");
        let lock = fs::read_to_string(folder().join(&name).join("package-lock.json")).unwrap();
        assert!(!lock.contains("\"resolved\""), "{name}: a lock file without download addresses works everywhere");
    }
}

#[test]
fn short_runs_of_firepad_hold() {
    assert_eq!(surprises("firepad", |run| run.short), [""; 0]);
}

#[test]
fn short_runs_of_sharedb_and_quill_hold() {
    assert_eq!(surprises("sharedb-quill", |run| run.short), [""; 0]);
}

#[test]
#[ignore = "minutes, and needs the packages of all subjects: make test-subjects"]
fn all_runs_of_all_subjects_hold() {
    let surprises: Vec<String> = subjects().iter().flat_map(|subject| surprises(subject, |_| true)).collect();
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}
