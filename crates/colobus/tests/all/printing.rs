//! Text of pages, recordings and traces is printed by one function, and by the renderers of reports, which have tests of their own.

use std::fs;
use std::path::Path;

use crate::promises::sources;

/// The files that may write to the terminal, or ask whether it is one.
const PRINTERS: [&str; 3] = ["colobus/src/output.rs", "colobus-report/src/renderer.rs", "colobus/src/commands/demo.rs"];
const WAYS: [&str; 7] = ["println!(", "print!(", "eprintln!(", "eprint!(", "dbg!(", "stdout()", "stderr()"];

#[test]
fn nothing_else_prints() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).unwrap().flatten().filter(|entry| entry.path().join("src").is_dir()) {
        sources(&entry.path().join("src"), &mut files);
    }
    assert!(files.len() > 500, "{}", files.len());
    let mut printers = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let code =
            text.split("#[cfg(test)]").next().unwrap().lines().filter(|line| !line.trim_start().starts_with("//"));
        // `Command::stdout(…)` has an argument.
        if code.into_iter().any(|line| WAYS.iter().any(|way| line.contains(way))) {
            printers.push(path);
        }
    }
    let known = |path: &Path| PRINTERS.iter().any(|printer| path.ends_with(printer));
    let others: Vec<_> = printers.iter().filter(|path| !known(path)).collect();
    assert!(others.is_empty(), "print through colobus/src/output.rs: {others:?}");
    assert_eq!(printers.len(), PRINTERS.len(), "{printers:?}");
}
