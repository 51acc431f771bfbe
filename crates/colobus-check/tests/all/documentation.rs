//! docs/checks.md has one line for each check, in the words of the check.

use std::fs;
use std::path::Path;

use colobus_check::{CHECKS, PAGE_CHECKS, PageCheck};

/// The lines of the table of docs/checks.md that begins in this way.
fn written(beginning: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/checks.md");
    let text = fs::read_to_string(path).unwrap();
    let table = text.split("\n\n").find(|part| part.starts_with(beginning)).expect("a table of checks");
    table.lines().skip(2).map(str::to_string).collect()
}

#[test]
fn every_check_has_its_line_in_the_documentation_and_no_other_has_one() {
    let line = |check: &&dyn colobus_check::Check| {
        let kinds: Vec<String> = check.kinds().iter().map(|kind| format!("`{kind}`")).collect();
        format!("| `{}` | {} | {} | {} |", check.id(), check.demand(), check.applies_where(), kinds.join(", "))
    };
    let expected: Vec<String> = CHECKS.iter().map(line).collect();
    assert_eq!(
        written("| check | what must hold | applies |"),
        expected,
        "\nwrite this table:\n{}\n",
        expected.join("\n")
    );
}

#[test]
fn every_check_of_one_page_has_its_line_as_well() {
    let line = |check: &PageCheck| {
        let searches: Vec<String> = check.asked_by().iter().map(|search| format!("`{}`", search.command())).collect();
        format!("| `{check}` | {} | {} | `{}` |", check.demand(), searches.join(", "), check.kind())
    };
    let expected: Vec<String> = PAGE_CHECKS.iter().map(line).collect();
    assert_eq!(
        written("| check | what must hold | asked by |"),
        expected,
        "\nwrite this table:\n{}\n",
        expected.join("\n")
    );
}

/// The list has every one, the worst first; an id stands for one demand, and is what files hold.
#[test]
fn checks_of_one_page_have_ids_of_their_own() {
    assert!(PAGE_CHECKS.is_sorted_by(|one, other| one < other));
    assert_eq!(PAGE_CHECKS.len(), PageCheck::Reach as usize + 1, "the list has every variant; `Reach` is the last");
    let between_clients: Vec<String> = CHECKS.iter().map(|check| check.id().to_string()).collect();
    for check in PAGE_CHECKS {
        assert_eq!(serde_json::to_value(check).unwrap(), check.id().as_str());
        let is_shared = between_clients.contains(&check.id().to_string());
        assert_eq!(is_shared, *check == PageCheck::Invariant, "{check}");
    }
}
