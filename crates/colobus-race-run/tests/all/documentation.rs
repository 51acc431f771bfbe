//! docs/race.md has one line for each filter, in its own words.

use std::fs;
use std::path::Path;

use colobus_race::verdict::{Effect, Filter, filters};

#[test]
fn every_filter_has_its_line_in_the_documentation_and_no_other_has_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/race.md");
    let text = fs::read_to_string(path).unwrap();
    let table = text.split("\n\n").find(|part| part.starts_with("| filter |")).expect("a table of filters");
    let written: Vec<&str> = table.lines().skip(2).collect();
    let effect = |effect: Effect| match effect {
        Effect::Harmless => "harmless",
        Effect::Apart => "reported apart",
        Effect::Harmful => "harmful",
    };
    let line =
        |filter: &dyn Filter| format!("| `{}` | {} | {} |", filter.name(), effect(filter.effect()), filter.reason());
    let expected: Vec<String> = filters::all().iter().map(|filter| line(&**filter)).collect();
    assert_eq!(written, expected, "\nwrite this table:\n{}\n", expected.join("\n"));
}
