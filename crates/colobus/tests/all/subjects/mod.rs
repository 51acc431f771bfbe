//! The whole tool on real applications: every run that a subject's `expect.toml` names finds what it says and nothing else.
//! Short runs of two of them belong to the ordinary tests; `make test-subjects` does all.

mod expectation;
mod unconfigured;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use colobus_model::Report;
use expectation::{Expectation, Run};
use tempfile::TempDir;
use unconfigured::{first_run, ignored, names, search_alone};

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
    assert_eq!(names, TESTED);
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

/// Every run of a subject, as a test of its own: `make test-subjects SUBJECT=firepad` does one of them.
macro_rules! all_runs_hold {
    ($($test:ident: $subject:literal,)+) => {
        $(
            #[test]
            #[ignore = "minutes, and needs the packages of all subjects: make test-subjects"]
            fn $test() {
                let surprises = surprises($subject, |_| true);
                assert!(surprises.is_empty(), "{}", surprises.join("\n"));
            }
        )+

        /// The subjects that have a test.
        const TESTED: &[&str] = &[$($subject),+];
    };
}

all_runs_hold! {
    automerge_prosemirror: "automerge-prosemirror",
    firepad: "firepad",
    sharedb_quill: "sharedb-quill",
    slate_yjs: "slate-yjs",
    tiptap: "tiptap",
    y_prosemirror_1_2_11: "y-prosemirror-1.2.11",
    y_prosemirror_1_2_9: "y-prosemirror-1.2.9",
    yjs_codemirror: "yjs-codemirror",
    yjs_prosemirror: "yjs-prosemirror",
    yjs_quill: "yjs-quill",
}

/// Plain typing, a menu and buttons without a name; carets of two kinds that are no part of the text.
#[test]
#[ignore = "takes minutes: make test-subjects"]
fn firepad_needs_no_configuration() {
    let (written, report) = first_run("firepad", &["write a word", "firepad-tb-bold on the line before"]);
    assert!(written["app"]["url"].as_str().unwrap().ends_with("/?doc={doc}"));
    assert_eq!(written["app"]["caret"].as_str(), Some("codemirror5"));
    for selector in [".CodeMirror-cursors", ".other-client"] {
        assert!(ignored(&written).contains(&selector), "{written}");
    }
    for name in ["Enter", "Backspace", "undo", "Font Arial on the line before", "firepad-tb-italic on the line before"]
    {
        assert!(names(&written).contains(&name), "{name}: {written}");
    }
    assert_eq!((report.findings.len(), report.counts.interactions.unknown), (0, 0), "{:#?}", report.findings);
}

/// A toolbar that follows the caret.
#[test]
#[ignore = "takes minutes: make test-subjects"]
fn sharedb_and_quill_need_no_configuration() {
    let (written, report) = first_run("sharedb-quill", &["Enter", "write a word", "header: 1 on the line before"]);
    assert_eq!(ignored(&written), [".ql-toolbar"]);
    assert!(names(&written).contains(&"list: bullet on the line before"), "{written}");
    assert_eq!((report.findings.len(), report.counts.interactions.unknown), (0, 0), "{:#?}", report.findings);
    assert!(report.counts.interactions.ran() > 0, "{report:#?}");
}

/// Carets of others, with names, that stand in the text.
#[test]
#[ignore = "needs the packages of all subjects: make test-subjects"]
fn yjs_and_prosemirror_need_no_configuration() {
    let (written, report) = first_run("yjs-prosemirror", &["write a word", "write at the line start"]);
    for selector in [".ProseMirror-yjs-cursor", ".ProseMirror-menubar"] {
        assert!(ignored(&written).contains(&selector), "{written}");
    }
    assert!(names(&written).contains(&"Toggle strong style on the line before"), "{written}");
    assert_eq!((report.findings.len(), report.counts.interactions.unknown), (0, 0), "{:#?}", report.findings);
    assert!(report.counts.interactions.ran() > 0, "{report:#?}");
}

/// The user's own caret and line, and carets, selections and names of others, are all that differs: the address alone is enough to
/// search it, and nothing is found.
#[test]
#[ignore = "takes minutes: make test-long"]
fn yjs_and_codemirror_need_nothing_but_the_address() {
    let (exit_code, report) = search_alone("yjs-codemirror");
    assert_eq!(report.findings.len(), 0, "{:#?}", report.findings);
    assert_eq!(
        (report.personal.len(), report.counts.interactions.unknown),
        (0, 0),
        "{:#?} {:#?}",
        report.personal,
        report.unknown
    );
    assert!(report.counts.interactions.ran() > 0, "{report:#?}");
    assert_eq!(exit_code, Some(0), "{:?}", report.doubts);
}
