//! `--reporter github`: one annotation per root cause, or per line whose answer is not the expected one, in the syntax of workflow commands.

use std::path::Path;

use colobus_model::Report;

use crate::at_end::AtEnd;
use crate::figures::counted;
use crate::printable::{case, printable};
use crate::root_cause::{findings_of, name};
use crate::{Output, Reporter, replay_command};

/// Annotations that GitHub's workflows show beside the job.
pub(crate) const GITHUB: Reporter = Reporter {
    name: "github",
    describe: "annotations of GitHub Actions",
    output: Output::ForPeople,
    renderer: |out, _| Box::new(AtEnd::new(out, |report, folder| Ok(annotations(report, folder)))),
};

fn annotations(report: &Report, output: &Path) -> String {
    let mut text = String::new();
    for answer in report.lines.iter().flat_map(|lines| &lines.answers).filter(|answer| !answer.as_expected) {
        let title = format!("Colobus: {}", printable(&answer.line));
        let reasons = answer.reasons.iter().take(1).map(|reason| format!("\n{}", printable(reason)));
        let message = format!("{}{}", printable(&answer.verdict), reasons.collect::<String>());
        text.push_str(&command("error", &title, &message));
    }
    // A line that is reached is what the user wants.
    for cause in report.root_causes.iter().filter(|_| report.lines.is_none()) {
        let Some(finding) = findings_of(cause, report).next() else { continue };
        let title = format!("Colobus: {}", name(cause));
        let message = format!(
            "{}: {}\n{}\nReproduced {} of {} times: {}",
            printable(finding.check.as_str()),
            printable(&finding.difference.summary),
            case(&finding.case()),
            finding.reproduced,
            finding.attempts,
            replay_command(output, finding.id, &report.configuration),
        );
        let level = if cause.accepted.is_some() { "notice" } else { "error" };
        text.push_str(&command(level, &title, &message));
    }
    if let Some(reason) = &report.stopped {
        text.push_str(&command("warning", "Colobus: the search is not complete", &printable(reason)));
    }
    for doubt in &report.doubts {
        text.push_str(&command("warning", "Colobus: the search is in doubt", &printable(doubt)));
    }
    if !report.unknown.is_empty() {
        let count = counted(report.unknown.len(), "case");
        let message = format!("Of {count} nothing can be said; the report lists them with the reasons.");
        text.push_str(&command("notice", "Colobus: unknown", &message));
    }
    text
}

fn command(level: &str, title: &str, message: &str) -> String {
    let message = escaped(message);
    let title = escaped(title).replace(':', "%3A").replace(',', "%2C");
    format!("::{level} title={title}::{message}\n")
}

/// The one escape that workflow commands know; a `%` first, so that none is escaped twice.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_start_a_command_of_its_own() {
        let line = command("error", "50%: a, b\n::set-env", "100%\r\n::error::x");
        assert_eq!(line, "::error title=50%25%3A a%2C b%0A%3A%3Aset-env::100%25%0D%0A::error::x\n");
    }
}
