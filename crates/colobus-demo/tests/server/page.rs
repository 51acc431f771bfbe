//! The page's own modules, tested in Node.js.

use std::path::{Path, PathBuf};
use std::process::Command;

fn test_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page");
    let entries = folder.read_dir().expect("the folder of the tests");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.to_string_lossy().ends_with(".test.mjs")).collect()
}

#[test]
fn the_pages_modules_pass_their_tests() {
    let files = test_files();
    assert!(!files.is_empty());
    let output = Command::new("node")
        .arg("--test")
        .args(files)
        .env_remove("NODE_OPTIONS")
        .output()
        .expect("node runs (install Node.js 20 or newer)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
