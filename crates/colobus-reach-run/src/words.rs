//! How a search ended, in sentences.

use std::fmt::Write;

use colobus_reach::crawl::Crawled;
use colobus_reach::line::Line;
use colobus_reach::search::{Found, Note, Outcome};
use colobus_reach::ui::picture::mermaid;

/// Notes of a search that are shown.
const MOST_NOTES: usize = 400;

/// How much is known of the page.
pub(crate) fn size(crawled: &Crawled) -> String {
    format!(
        "{} states, {} events, {} summaries of {} runs",
        crawled.model.states().len(),
        crawled.model.events.len(),
        crawled.summaries.len(),
        crawled.runs
    )
}

/// One sentence on how it ended.
pub(crate) fn verdict(line: &Line, found: &Found, crawled: &Crawled) -> String {
    let incomplete = crawled.model.incomplete.len();
    match &found.outcome {
        Outcome::Reached(steps) if steps.is_empty() => format!("{line} is reached when the page opens"),
        Outcome::Reached(steps) if steps.len() == 1 => format!("{line} is reached by 1 event"),
        Outcome::Reached(steps) => format!("{line} is reached by {} events", steps.len()),
        Outcome::Unreachable if incomplete == 0 && crawled.reasons.is_empty() => {
            format!("{line} is not reached: no sequence of the model leads there")
        }
        Outcome::Unreachable => {
            format!("{line} is not reached: no sequence of the model leads there, but the model is not complete")
        }
        Outcome::Limit => format!(
            "{line} is not reached: a limit ended the search after {} partial sequences (--iterations, --line-time)",
            found.statistics.iterations
        ),
        Outcome::Undecided if found.is_external => {
            format!("{line} is not reached: it depends on something that no event sets")
        }
        Outcome::Undecided => format!("{line} is not reached: not all sequences could be decided"),
    }
}

/// Everything that is known of the page.
pub fn explanation(crawled: &Crawled) -> String {
    let mut text = String::from("summaries:\n");
    for summary in &crawled.summaries {
        let _ = writeln!(text, "  {summary}");
    }
    let _ = writeln!(text, "\nmodel:\n{}", mermaid(&crawled.model));
    for (event, registration) in &crawled.model.events {
        let _ =
            writeln!(text, "  {event}: {} on {}, {}", registration.kind, registration.element, registration.handler);
    }
    text.push_str("\nnot followed:\n");
    for reason in &crawled.reasons {
        let _ = writeln!(text, "  {reason}");
    }
    text
}

/// What a search did.
pub(crate) fn search(found: &Found) -> String {
    let mut text = String::from("\nsearch:\n");
    for note in found.notes.iter().take(MOST_NOTES) {
        let mark = if matches!(note, Note::Replayed { .. }) { "*" } else { " " };
        let _ = writeln!(text, " {mark} {note}");
    }
    let _ = writeln!(text, "{:?}", found.statistics);
    text
}
