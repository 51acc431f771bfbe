//! A search for races that was stopped and is continued, on a simulated page: it goes on where it was, and a file that cannot be read any
//! more is an error that names it.

use std::fs;
use std::path::{Path, PathBuf};

use colobus_model::Report;
use colobus_race_run::RaceError;

use crate::simulated::search_of;

fn search(out: &Path, resume: bool, executions: usize) -> Result<Report, RaceError> {
    search_of(out, resume, executions, &[])
}

/// The executions that the newest run has kept.
fn kept(out: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(out.join("last/executions")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_damaged_execution_is_named_and_nothing_goes_on_without_it() {
    let (whole, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = search(whole.path(), false, usize::MAX).unwrap();
    assert!(!expected.findings.is_empty());

    // The recorded order twice, and some others.
    let stopped = search(out.path(), false, 4).unwrap();
    assert!(stopped.stopped.is_some());
    let files = kept(out.path());
    assert_eq!(files.len(), 2);
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let (half, _) = text.split_at(text.len() / 2);
        for damaged in [half, "{}", ""] {
            fs::write(file, damaged).unwrap();
            let error = search(out.path(), true, usize::MAX).unwrap_err().to_string();
            assert!(error.contains(&format!("{} is damaged", name(file))), "{error}");
            assert!(error.ends_with("start a new run without --resume"), "{error}");
        }
        fs::remove_file(file).unwrap();
        let error = search(out.path(), true, usize::MAX).unwrap_err().to_string();
        assert!(error.contains(&format!("{} is damaged", name(file))), "{error}");
        fs::write(file, text).unwrap();
    }

    let continued = search(out.path(), true, usize::MAX).unwrap();
    assert_eq!(continued.findings, expected.findings, "nothing was lost on the way");
    assert_eq!(continued.counts.interactions, expected.counts.interactions);
}

fn name(file: &Path) -> String {
    Path::new("executions").join(file.file_name().unwrap()).display().to_string()
}
