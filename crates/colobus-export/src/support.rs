//! The file beside exported tests: what it takes to hold and release messages, to look at pages and to judge them.

use colobus_model::STILL_STYLE;

use crate::literal;

/// What tests import, from their own folder.
pub const SUPPORT_FILE: &str = "colobus-stage.mjs";

const STAGE: &str = include_str!("../playwright/stage.js");
const CLIENT: &str = include_str!("../playwright/client.js");
const GATE: &str = include_str!("../playwright/gate.js");
const VERDICT: &str = include_str!("../playwright/verdict.js");
/// How the code of tests waits for what it can only ask for.
pub const WAITING: &str = include_str!("../playwright/waiting.js");

/// What runs inside the pages: those of the driver's own scripts that tests need.
const IN_PAGE: [&str; 13] = [
    include_str!("../../../page/open.js"),
    include_str!("../playwright/settings.js"),
    include_str!("../../../page/native.js"),
    include_str!("../../../page/wrap-native.js"),
    include_str!("../../../page/random.js"),
    include_str!("../../../page/appearance.js"),
    include_str!("../../../page/names.js"),
    include_str!("../../../page/locators.js"),
    include_str!("../../../page/frame-corner.js"),
    include_str!("../../../page/input.js"),
    include_str!("../../../page/caret.js"),
    include_str!("../../../page/canonical-dom.js"),
    include_str!("../../../page/visible-text.js"),
];
const CARETS: &str = include_str!("../../../page/carets.js");

/// What tests may call.
const OFFERED: [&str; 11] = [
    "Stage",
    "answeredTooEarly",
    "brokenInvariants",
    "documents",
    "keptCounts",
    "letters",
    "lookAfterwards",
    "misplacedCarets",
    "shownCounts",
    "textOf",
    "wordCounts",
];

/// The text of [`SUPPORT_FILE`].
pub fn support() -> String {
    let head = "// What tests that Colobus exported have in common: they hold and release the messages of several users.\n\
                // `colobus export` writes it beside them. It needs nothing but Playwright.\n";
    let exports = format!("export {{ {} }};\n", OFFERED.join(", "));
    let still = format!("/** Nothing moves by itself. */\nconst STILL = {};\n", literal::string(STILL_STYLE));
    [head, &exports, STAGE, WAITING, CLIENT, &still, GATE, VERDICT, &in_page()].join("\n")
}

/// Imports what this test calls.
pub fn import(test: &str) -> String {
    let called = |name: &&&str| test.contains(&format!("{name}(")) || test.contains(&format!("{name}."));
    let names: Vec<&str> = OFFERED.iter().filter(called).copied().collect();
    format!("import {{ {} }} from \"./{SUPPORT_FILE}\";\n", names.join(", "))
}

fn in_page() -> String {
    in_pages(IN_PAGE.iter().chain([&CARETS]))
}

/// A function of these scripts for `addInitScript`.
pub fn in_pages<'a>(parts: impl Iterator<Item = &'a &'a str>) -> String {
    let body: String = parts.flat_map(|part| part.lines()).map(indented).collect();
    format!("// Runs in every page before its own scripts do.\nfunction inPage(settings) {{\n{body}}}\n")
}

fn indented(line: &str) -> String {
    if line.is_empty() { "\n".to_string() } else { format!("  {line}\n") }
}
