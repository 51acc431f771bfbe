//! The answer of `colobus reach`: what is printed, and the files that replay it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use colobus_reach::crawl::Crawled;
use colobus_reach::line::Line;
use colobus_reach::search::{Found, Note, Outcome};
use colobus_reach::ui::picture::{mermaid, svg};
use colobus_record::exchange::{self, Format};
use colobus_record::{Event, Line as RecordedLine, Recording, Viewport, Who};
use colobus_world::PageStep;

use super::results::Answered;

/// Reasons beyond these are counted.
const MOST_REASONS: usize = 12;

/// What a user does, as a recording.
pub fn recording(url: &str, viewport: Viewport, steps: &[PageStep]) -> Recording {
    let open = RecordedLine::new(Who { client: 0, tab: 1 }, Event::Open(url.to_string()), 0);
    let lines = std::iter::once(open).chain(steps.iter().flat_map(|step| step.lines.iter().cloned()));
    Recording { viewport, lines: lines.collect() }
}

/// Writes the recording and a Playwright test of it; where they are.
pub fn write(recording: &Recording, line: &Line, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '-' };
    let name: String = line.to_string().chars().map(safe).collect();
    let test = exchange::export(recording, Format::Playwright, &format!("reaches {line}"));
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let files = [(format!("{name}.rec"), recording.to_string()), (format!("{name}.spec.mjs"), test.text)];
    let mut paths = Vec::new();
    for (name, content) in files {
        let path = folder.join(name);
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
        paths.push(path);
    }
    Ok(paths)
}

/// A picture of the model beside the recordings; where it is.
pub fn picture(crawled: &Crawled, folder: &Path) -> anyhow::Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let path = folder.join("model.svg");
    fs::write(&path, svg(&crawled.model)).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// How much is known of the page.
pub fn size(crawled: &Crawled) -> String {
    format!(
        "{} states, {} events, {} summaries of {} runs",
        crawled.model.states().len(),
        crawled.model.events.len(),
        crawled.summaries.len(),
        crawled.runs
    )
}

/// One line on several targets.
pub fn totals(answered: &[Answered]) -> String {
    let reached = answered.iter().filter(|answered| answered.reached).count();
    format!("{reached} of {} lines are reached\n", answered.len())
}

/// The reason that says most why a line was not reached.
pub fn reason(found: &Found, crawled: &Crawled) -> String {
    let first = found.reasons.first().or(crawled.reasons.first());
    first.map(|reason| format!("  {reason}\n")).unwrap_or_default()
}

/// One line on how it ended.
pub fn verdict(line: &Line, found: &Found, crawled: &Crawled) -> String {
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
            "{line} is not reached: the limit of {} partial sequences ended the search (--iterations, --timeout)",
            found.statistics.iterations
        ),
        Outcome::Undecided => format!("{line} is not reached: not all sequences could be decided"),
    }
}

/// Why it was not reached, or is not certain.
pub fn reasons(found: &Found, crawled: &Crawled, limits: &[String]) -> String {
    let all: Vec<&String> = found.reasons.iter().chain(limits).chain(&crawled.reasons).collect();
    let mut text: String = all.iter().take(MOST_REASONS).map(|reason| format!("  {reason}\n")).collect();
    if all.len() > MOST_REASONS {
        let _ = writeln!(text, "  and {} more (--explain)", all.len() - MOST_REASONS);
    }
    text
}

/// Everything that is known.
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

/// What the search did.
pub fn search(found: &Found) -> String {
    let mut text = String::from("\nsearch:\n");
    for note in found.notes.iter().take(400) {
        let mark = if matches!(note, Note::Replayed { .. }) { "*" } else { " " };
        let _ = writeln!(text, " {mark} {note}");
    }
    let _ = writeln!(text, "{:?}", found.statistics);
    text
}
