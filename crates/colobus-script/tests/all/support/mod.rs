//! Node, and the folders that tests read from.

pub mod generator;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The folder of an installed npm package.
pub fn package(name: &str) -> PathBuf {
    let path = folder("packages/node_modules").join(name);
    assert!(
        path.exists(),
        "{} is missing: run scripts/install-packages crates/colobus-script/tests/packages",
        path.display()
    );
    path
}

/// Runs Node and returns what it printed.
pub fn node<I: AsRef<std::ffi::OsStr>>(at: &Path, arguments: impl IntoIterator<Item = I>) -> Output {
    Command::new("node").current_dir(at).args(arguments).output().expect("node runs: scripts/setup installs it")
}

pub fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

/// What each direct `eval` of rewritten code hands over of the functions around it.
pub fn evaluations(code: &str) -> BTreeSet<String> {
    let starts = [",\"sloppy,", ",\"strict,"].into_iter().flat_map(|start| code.match_indices(start));
    starts.filter_map(|(at, _)| code[at + 2..].split('"').next().map(str::to_string)).collect()
}
