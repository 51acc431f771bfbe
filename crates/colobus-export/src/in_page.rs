//! What runs inside the pages: those of the driver's own scripts that the test needs, as one function.

use colobus_model::{Aspect, CaretAccess, Trace};

use crate::assertions::Demands;

const OPEN: &str = include_str!("../../../page/open.js");
const NATIVE: &str = include_str!("../../../page/native.js");
const DISGUISE: &str = include_str!("../../../page/wrap-native.js");
const RANDOM: &str = include_str!("../../../page/random.js");
const APPEARANCE: &str = include_str!("../../../page/appearance.js");
const NAMES: &str = include_str!("../../../page/names.js");
const LOCATORS: &str = include_str!("../../../page/locators.js");
const INPUT: &str = include_str!("../../../page/input.js");
const CARET: &str = include_str!("../../../page/caret.js");
const CANONICAL_DOM: &str = include_str!("../../../page/canonical-dom.js");
const VISIBLE_TEXT: &str = include_str!("../../../page/visible-text.js");
const CARETS: &str = include_str!("../../../page/carets.js");
const SETTINGS: &str = include_str!("../playwright/settings.js");

pub fn function(trace: &Trace, demands: &Demands) -> String {
    let mut parts = vec![OPEN, SETTINGS, NATIVE, DISGUISE];
    if trace.application.deterministic.random {
        parts.push(RANDOM);
    }
    parts.extend([APPEARANCE, NAMES, LOCATORS, INPUT]);
    if matches!(trace.application.caret, CaretAccess::BuiltIn(_)) {
        parts.push(CARET);
    }
    if demands.aspects().contains(&Aspect::Dom) {
        parts.push(CANONICAL_DOM);
    }
    if demands.beyond_comparing() {
        parts.push(VISIBLE_TEXT);
    }
    if demands.looks_at_carets() {
        parts.push(CARETS);
    }
    let body: String = parts.iter().flat_map(|part| part.lines()).map(indented).collect();
    format!("// Runs in every page before its own scripts do.\nfunction inPage(settings) {{\n{body}}}\n")
}

fn indented(line: &str) -> String {
    if line.is_empty() { "\n".to_string() } else { format!("  {line}\n") }
}
