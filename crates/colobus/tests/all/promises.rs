//! `docs/reliability.md` names a test for every promise: each of them is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Rust files below a folder, except those of packages and of builds.
pub fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && name != "node_modules" && name != "target" {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// What a module is called: its file, or the folder of a `mod.rs`.
fn module(path: &Path) -> String {
    let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
    if stem == "mod" { path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned() } else { stem }
}

/// Every test of the sources, `module::name`, and whether it is left out of `make test`.
fn tests() -> BTreeMap<String, bool> {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let mut found = BTreeMap::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (mut is_test, mut is_ignored) = (false, false);
        for line in text.lines().map(str::trim) {
            is_test |= line == "#[test]" || line.starts_with("#[tokio::test");
            is_ignored |= line.starts_with("#[ignore");
            let Some(rest) = line.trim_start_matches("async ").strip_prefix("fn ") else { continue };
            if let (true, Some((name, _))) = (is_test, rest.split_once('(')) {
                found.insert(format!("{}::{name}", module(&path)), is_ignored);
            }
            (is_test, is_ignored) = (false, false);
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_promise_names_tests_that_are_there() {
    let promises = fs::read_to_string(root().join("docs/reliability.md")).unwrap();
    let named: BTreeSet<&str> = quoted(&promises).filter(|word| word.contains("::")).collect();
    assert!(named.len() > 50, "{named:?}");
    let tests = tests();
    let missing: Vec<&&str> = named.iter().filter(|name| !tests.contains_key(**name)).collect();
    assert_eq!(missing, [] as [&&str; 0]);
    // What `make test` leaves out stands beside the target that runs it.
    for row in promises.lines().filter(|line| !line.contains("`make ")) {
        let ignored: Vec<&str> = quoted(row).filter(|word| tests.get(*word) == Some(&true)).collect();
        assert_eq!(ignored, [] as [&str; 0], "{row}");
    }
}

/// What went wrong in settling, each with its test.
#[test]
fn what_went_wrong_once_has_a_test_that_is_there() {
    let page = fs::read_to_string(root().join("docs/settling.md")).unwrap();
    let (_, seen) = page.split_once("## What went wrong once").unwrap();
    let is_test = |word: &&str| word.len() > 20 && word.chars().all(|c| c.is_ascii_lowercase() || "_".contains(c));
    let named: BTreeSet<&str> = quoted(seen).filter(is_test).collect();
    assert!(named.len() > 25, "{named:?}");
    let tests = tests();
    let tests: BTreeSet<&str> = tests.keys().filter_map(|name| Some(name.rsplit_once("::")?.1)).collect();
    let missing: Vec<&&str> = named.iter().filter(|name| !tests.contains(**name)).collect();
    assert_eq!(missing, [] as [&&str; 0]);
}
