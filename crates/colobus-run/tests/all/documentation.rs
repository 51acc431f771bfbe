//! docs/schedules.md has one line for each strategy that is offered, in its own words.

use std::fs;
use std::path::Path;

use colobus_run::{OfferedStrategy, STRATEGIES};

#[test]
fn every_strategy_has_its_line_in_the_documentation_and_no_other_has_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schedules.md");
    let text = fs::read_to_string(path).unwrap();
    let table = text.split("\n\n").find(|part| part.starts_with("| strategy |")).expect("a table of strategies");
    let written: Vec<&str> = table.lines().skip(2).collect();
    let line = |strategy: &OfferedStrategy| format!("| `{}` | {} |", strategy.name, strategy.describe);
    let expected: Vec<String> = STRATEGIES.iter().map(line).collect();
    assert_eq!(written, expected, "\nwrite this table:\n{}\n", expected.join("\n"));
}
