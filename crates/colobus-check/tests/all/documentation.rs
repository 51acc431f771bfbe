//! docs/checks.md has one line for each check, in the words of the check.

use std::fs;
use std::path::Path;

use colobus_check::CHECKS;

#[test]
fn every_check_has_its_line_in_the_documentation_and_no_other_has_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/checks.md");
    let text = fs::read_to_string(path).unwrap();
    let table = text.split("\n\n").find(|part| part.starts_with("| check |")).expect("a table of checks");
    let written: Vec<&str> = table.lines().skip(2).collect();
    let line = |check: &&dyn colobus_check::Check| {
        let kinds: Vec<String> = check.kinds().iter().map(|kind| format!("`{kind}`")).collect();
        format!("| `{}` | {} | {} | {} |", check.id(), check.demand(), check.applies_where(), kinds.join(", "))
    };
    let expected: Vec<String> = CHECKS.iter().map(line).collect();
    assert_eq!(written, expected, "\nwrite this table:\n{}\n", expected.join("\n"));
}
