//! `docs/reliability.md` names a test for every promise: each of them is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Rust files below a folder, except those of packages and of builds.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
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

#[test]
fn every_promise_names_tests_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let promises = fs::read_to_string(root.join("docs/reliability.md")).unwrap();
    let named: BTreeSet<&str> = promises.split('`').skip(1).step_by(2).filter(|word| word.contains("::")).collect();
    assert!(named.len() > 50, "{named:?}");
    let mut files = Vec::new();
    sources(&root.join("crates"), &mut files);
    let mut tests = BTreeSet::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let functions = text.lines().filter_map(|line| line.trim().trim_start_matches("async ").strip_prefix("fn "));
        tests.extend(functions.filter_map(|rest| Some(format!("{}::{}", module(&path), rest.split_once('(')?.0))));
    }
    let missing: Vec<&&str> = named.iter().filter(|name| !tests.contains(**name)).collect();
    assert_eq!(missing, [] as [&&str; 0]);
}
