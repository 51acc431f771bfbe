//! Findings of the built-in editor, exported: the tests fail on the editor with its bug and pass on the correct one, run
//! by Playwright alone. `make test` installs it.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use colobus_demo::{Bug, DemoOptions, DemoServer};
use tempfile::TempDir;

const CONFIGURATION: &str = "export default { use: { launchOptions: { executablePath: process.env.CHROMIUM } } };\n";

/// A folder in which Playwright can be imported.
fn folder() -> TempDir {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/node_modules");
    assert!(packages.join("playwright-core").exists(), "Playwright is not installed: run `make test`");
    let folder = TempDir::new().unwrap();
    symlink(packages, folder.path().join("node_modules")).unwrap();
    fs::write(folder.path().join("playwright.config.mjs"), CONFIGURATION).unwrap();
    folder
}

fn browser() -> PathBuf {
    let names = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome"];
    let path = env::var_os("PATH").unwrap();
    let candidates = names.iter().flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_file()).expect("a Chromium is on PATH")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn colobus(folder: &Path, arguments: &[&str], code: i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output));
}

/// Finds the bug with two actions alone.
fn find(folder: &Path, bug: Bug, further: &[&str]) {
    let bug = format!("--bug={bug}");
    let search = ["--depth=1", "--repeat=1", "--max-findings=1", "--action=type a", "--action=type b"];
    let arguments = [&["demo", "--port=0", "--no-open", &bug], &search[..], further].concat();
    colobus(folder, &arguments, 1);
}

fn serve(bugs: BTreeSet<Bug>) -> DemoServer {
    DemoServer::start(DemoOptions { port: 0, bugs, ..DemoOptions::default() }).unwrap()
}

/// Runs the exported test against an editor with these bugs: whether it passed, and what it said.
fn run(folder: &Path, arguments: &[&str], bugs: BTreeSet<Bug>) -> (bool, String) {
    let editor = serve(bugs);
    let output = Command::new("node")
        .args(arguments)
        .current_dir(folder)
        .env("BASE_URL", editor.url().trim_end_matches('/'))
        .env("CHROMIUM", browser())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    (output.status.success(), text(&output))
}

fn fails_with_the_bug_alone(folder: &Path, arguments: &[&str], bug: Bug, said: &str) {
    let (passed, output) = run(folder, arguments, BTreeSet::from([bug]));
    assert!(!passed && output.contains(said), "with {bug}: {output}");
    let (passed, output) = run(folder, arguments, BTreeSet::new());
    assert!(passed, "without {bug}: {output}");
}

#[test]
fn a_simultaneous_edit_fails_under_playwright() {
    let folder = folder();
    find(folder.path(), Bug::InsertOrder, &[]);
    colobus(folder.path(), &["export", "1", "--to=playwright", "-o", "simultaneous.spec.mjs"], 0);
    let playwright = ["node_modules/@playwright/test/cli.js", "test", "--reporter=line"];
    fails_with_the_bug_alone(folder.path(), &playwright, Bug::InsertOrder, "toEqual");
}

#[test]
fn an_order_of_single_messages_and_disturbances_fail_under_node_alone() {
    for (bug, disturbance) in [(Bug::ReconnectDuplicate, ".loseNetwork();"), (Bug::RetryDuplicate, ".wait();")] {
        let folder = folder();
        find(folder.path(), bug, &["--schedules=20", "--faults"]);
        colobus(folder.path(), &["export", "1", "--to=playwright-core", "-o", "order.mjs"], 0);
        let exported = fs::read_to_string(folder.path().join("order.mjs")).unwrap();
        assert!(exported.contains(".send();") && exported.contains(disturbance), "{exported}");
        fails_with_the_bug_alone(folder.path(), &["--test", "order.mjs"], bug, "AssertionError");
    }
}
