//! The diffs of CONTRIBUTING.md: they name files that exist, lines that stand in them, and every module that they add.

use std::fs;
use std::path::{Path, PathBuf};

/// What one diff does to one file.
struct Change {
    path: String,
    lines: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The changes of each diff on the page. Those to the files of a `NAME` are a list of what there is to write.
fn diffs() -> Vec<Vec<Change>> {
    let page = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let blocks = page.split("```diff\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let changes = |block: &str| {
        let files = block.split("+++ b/").skip(1).map(|file| {
            let (path, lines) = file.split_once('\n').unwrap_or((file, ""));
            Change { path: path.to_string(), lines: lines.lines().map(str::to_string).collect() }
        });
        files.filter(|change| !change.path.contains("NAME")).collect()
    };
    blocks.map(changes).collect()
}

#[test]
fn every_diff_applies() {
    let diffs = diffs();
    assert_eq!(diffs.len(), 7);
    for Change { path, lines } in diffs.iter().flatten() {
        let file = root().join(path);
        let Ok(text) = fs::read_to_string(&file) else {
            assert!(file.parent().unwrap().is_dir(), "there is no folder for {path}");
            assert!(lines.iter().all(|line| line.starts_with('+')), "{path} does not exist, and the diff changes it");
            continue;
        };
        for line in lines.iter().filter(|line| line.starts_with([' ', '-'])) {
            let there = text.lines().any(|found| found.trim() == line[1..].trim());
            assert!(there, "{path} has no line `{}`", line[1..].trim());
        }
    }
}

#[test]
fn every_file_that_a_diff_adds_is_a_module_of_its_crate() {
    for diff in diffs() {
        let added = |path: &str| path.ends_with(".rs") && !root().join(path).exists();
        for path in diff.iter().map(|change| change.path.as_str()).filter(|path| added(path)) {
            let declared = format!("+mod {};", Path::new(path).file_stem().unwrap().to_str().unwrap());
            let is_declared = |change: &Change| change.lines.contains(&declared);
            assert!(diff.iter().any(is_declared), "the diff with {path} has no `{declared}`");
        }
    }
}
