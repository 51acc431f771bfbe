//! Text from pages, made safe for a terminal or a log: one line, nothing that moves the cursor, changes colours or turns
//! the direction of what follows.

use colobus_model::foreign::in_line;
use colobus_model::{Case, CheckId, Difference, FailedCheck, Finding};

const LONGEST: usize = 400;

/// What is said of a place that differs by design and has no line for `ignore`.
pub(crate) const NOT_TO_BE_IGNORED: &str = "not to be ignored: what users write stands there";

/// `text` as one printable line, cut if it is very long.
pub(crate) fn printable(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(LONGEST * 4));
    let mut kept = text.chars().filter_map(in_line);
    line.extend(kept.by_ref().take(LONGEST));
    if kept.next().is_some() {
        line.push('…');
    }
    line
}

/// Every check that failed in a finding, the worst first: `conservation (lost): A typed …`.
pub(crate) fn failed_checks(finding: &Finding) -> Vec<String> {
    let told = |check: &CheckId, difference: &Difference| {
        format!("{} ({}): {}", printable(check.as_str()), difference.kind, printable(&difference.summary))
    };
    let others = finding.also.iter().map(|FailedCheck { check, difference }| told(check, difference));
    std::iter::once(told(&finding.check, &finding.difference)).chain(others).collect()
}

/// A case as people read it: `type a, (bold || type b)`. No name is longer than a line.
pub(crate) fn case(case: &Case) -> String {
    match case {
        Case::Sequence { actions } => listed(actions, ", "),
        Case::Interaction { prefix, concurrent } => {
            let mut parts: Vec<String> = prefix.iter().map(|name| printable(name)).collect();
            parts.push(format!("({})", listed(concurrent, " || ")));
            parts.join(", ")
        }
        Case::Session { mistake } => printable(mistake),
        other @ (Case::Order { .. } | Case::Line { .. }) => printable(&other.to_string()),
    }
}

/// What a root cause is called: `bold || type b`, or the mistake.
pub(crate) fn title(case: &Case) -> String {
    match case {
        Case::Sequence { actions } => listed(actions, ", "),
        Case::Interaction { concurrent, .. } => listed(concurrent, " || "),
        Case::Session { mistake } => printable(mistake),
        other @ (Case::Order { .. } | Case::Line { .. }) => printable(&other.to_string()),
    }
}

fn listed(names: &[String], separator: &str) -> String {
    let names: Vec<String> = names.iter().map(|name| printable(name)).collect();
    names.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::foreign::is_deceptive;
    use proptest::prelude::*;

    #[test]
    fn hostile_text_becomes_one_harmless_line() {
        assert_eq!(printable("a\x1b[31m\x07b\r\nc\td\u{9b}e\u{202e}f\u{2028}g"), "a[31mb  c de\u{66} g");
        assert_eq!(printable("👩‍👩‍👧 שלום \u{7f}"), "👩‍👩‍👧 שלום ");
        assert_eq!(printable(&"x".repeat(401)), format!("{}…", "x".repeat(400)));
    }

    proptest! {
        #[test]
        fn nothing_printable_contains_a_control(text in any::<String>()) {
            let line = printable(&text);
            prop_assert!(!line.chars().any(is_deceptive));
            prop_assert_eq!(printable(&line), line);
        }
    }
}
