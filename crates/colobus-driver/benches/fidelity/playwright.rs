//! Playwright's recorder, as `playwright codegen` runs it (playwright.mjs), with the input of the same script.

use std::path::Path;
use std::process::{Command, Stdio};

use colobus_record::{Recording, unfold};
use serde_json::Value;

use crate::heard::Log;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/fidelity/playwright.mjs");
const PACKAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../colobus/tests/packages");

/// How it went with Playwright.
pub struct Theirs {
    /// What was heard when its steps were run.
    pub came_back: Log,
    /// What was heard on another build of the page.
    pub rebuilt: Log,
    pub steps: usize,
    /// Steps that were possible on the same page.
    pub replayed: usize,
    /// Steps that were possible on another build of the page.
    pub survived: usize,
}

/// Nothing if Playwright is not installed.
pub fn run(script: &Recording) -> Option<Theirs> {
    if !Path::new(PACKAGES).join("node_modules/playwright-core").exists() {
        eprintln!("fidelity: Playwright is left out: it is not installed; `make bench` does that");
        return None;
    }
    let parts = Recording { viewport: script.viewport, lines: unfold(&script.lines) };
    let output = Command::new("node")
        .args([PROGRAM, PACKAGES, &parts.to_string()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .expect("node is installed: run `make setup`");
    assert!(output.status.success(), "playwright.mjs failed, see above");
    let told: Value = serde_json::from_slice(&output.stdout).expect("playwright.mjs prints JSON");
    let count = |name: &str| told[name].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
    Some(Theirs {
        came_back: Log::of(&told["cameBack"]),
        rebuilt: Log::of(&told["rebuilt"]),
        steps: count("steps"),
        replayed: count("replayed"),
        survived: count("survived"),
    })
}
