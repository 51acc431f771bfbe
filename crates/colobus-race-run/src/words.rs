//! What reports say of differences, reversals and orders.

use colobus_check::PageCheck;
use colobus_race::conflicts::ConflictReason;
use colobus_race::explore::Reversal;
use colobus_race::verdict::{Differences, Harm};

/// More lines of a document than these are not shown.
const MOST_LINES: usize = 40;
const LONGEST_LINE: usize = 160;

/// What an order changes, in one line.
pub fn summary(differences: &Differences) -> String {
    let mut parts = Vec::new();
    let (holds, broken) = &differences.invariants;
    parts.extend(broken.first().map(|name| format!("the invariant \"{}\" does not hold", shortened(name))));
    parts.extend(holds.first().map(|name| format!("the invariant \"{}\" holds", shortened(name))));
    let (gone, new) = &differences.lines;
    match (gone.first(), new.first()) {
        (Some(gone), Some(new)) => parts.push(format!("the page shows {} instead of {}", line(new), line(gone))),
        (Some(gone), None) => parts.push(format!("the page does not show {}", line(gone))),
        (None, Some(new)) => parts.push(format!("the page shows {} in addition", line(new))),
        (None, None) if differences.screenshot => parts.push("the page looks different".to_string()),
        (None, None) => {}
    }
    let (gone, new) = &differences.exceptions;
    parts.extend(new.first().map(|text| format!("an exception is thrown: {}", shortened(text))));
    parts.extend(gone.first().map(|text| format!("an exception is not thrown any more: {}", shortened(text))));
    let (gone, new) = &differences.requests;
    let request =
        |request: &colobus_race::model::Request| format!("{} {}", request.method, shortened(&request.address));
    parts.extend(new.first().map(|sent| format!("{} is sent in addition", request(sent))));
    parts.extend(gone.first().map(|sent| format!("{} is not sent", request(sent))));
    if parts.is_empty() { "values of variables differ".to_string() } else { parts.join("; ") }
}

fn line(text: &str) -> String {
    shortened(text.trim())
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Lines for a report: not too many, and none too long.
pub fn bounded(lines: &[String]) -> Vec<String> {
    lines.iter().take(MOST_LINES).map(|text| shortened(text)).collect()
}

/// The check that a harm fails.
pub fn check(harm: Harm) -> PageCheck {
    match harm {
        Harm::Page => PageCheck::RacePage,
        Harm::Exceptions => PageCheck::Uncaught,
        Harm::Requests => PageCheck::RaceRequest,
        Harm::Assertion => PageCheck::Invariant,
    }
}

/// What both events touch: the place by which the search found them, and the others.
pub fn shared(reversal: &Reversal) -> String {
    match &reversal.cause {
        ConflictReason::Place(shared) => {
            let mut places: Vec<String> = shared.accesses().map(|(first, _)| first.place.to_string()).collect();
            let unnamed = shared.further.saturating_sub(shared.others.len());
            let more = if unnamed > 0 { format!(" and {unnamed} more") } else { String::new() };
            places.dedup();
            format!("{}{more}", places.join(", "))
        }
        ConflictReason::Cancels { by } => format!("{by} cancels the other"),
        ConflictReason::Opaque { reason } if reason.is_empty() => "not known".to_string(),
        ConflictReason::Opaque { reason } => format!("not known: {reason}"),
    }
}

/// Where in the sources each of the two touches it.
pub fn positions(reversal: &Reversal) -> (String, String) {
    let position = |site: &Option<colobus_race::model::Site>, event: &colobus_race::model::EventName| {
        site.as_ref().map_or_else(|| event.to_string(), ToString::to_string)
    };
    match &reversal.cause {
        ConflictReason::Place(shared) => {
            (position(&shared.first.site, &reversal.first), position(&shared.second.site, &reversal.second))
        }
        _ => (reversal.first.to_string(), reversal.second.to_string()),
    }
}

pub fn list(names: Vec<String>) -> String {
    let more = names.len().saturating_sub(5);
    let shown = names.into_iter().take(5).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}
