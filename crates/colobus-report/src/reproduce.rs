//! The line that reproduces a finding, ready to paste into a shell.

use std::path::Path;

use colobus_model::{Finding, Report};

use crate::printable::printable;

/// `colobus replay colobus-out/last/3` for finding 3 of the run in `folder`, with the configuration or the origin that it
/// needs and that is not found without being named.
pub fn replay_command(folder: &Path, finding: usize, configuration: &str) -> String {
    let path = folder.join(finding.to_string());
    let command = format!("colobus replay {}", quoted(&path.to_string_lossy()));
    match configuration {
        "" | "colobus.toml" => command,
        demo if demo.starts_with("demo:") => command,
        origin if origin.contains("://") => format!("{command} --at {}", quoted(&printable(origin))),
        file => format!("{command} -c {}", quoted(&printable(file))),
    }
}

/// `colobus replay 'type a, (bold || type b) : A1 B1 ~' -c colobus.toml`: runs the same without any file of the run.
/// Nothing for a session, which is run again from its file alone.
pub fn replay_line(report: &Report, finding: &Finding) -> Option<String> {
    let mut line = format!("colobus replay {}", quoted(&printable(&finding.interaction()?.line)));
    // A report of an earlier version does not know.
    if !report.configuration.is_empty() {
        line.push_str(&format!(" -c {}", quoted(&printable(&report.configuration))));
    }
    if let Some(trace) = &report.around {
        line.push_str(&format!(" --around {}", quoted(&printable(trace))));
    }
    Some(line)
}

/// `word` as one word of a POSIX shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=~".contains(c);
    if word.chars().all(plain) && !word.starts_with(['-', '~']) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_one_word_of_the_shell() {
        let command = |folder: &str| replay_command(Path::new(folder), 3, "colobus.toml");
        assert_eq!(command("colobus-out/last"), "colobus replay colobus-out/last/3");
        assert_eq!(command("my runs/it's"), r"colobus replay 'my runs/it'\''s/3'");
        assert_eq!(command("$(reboot)"), "colobus replay '$(reboot)/3'");
        let with = |configuration: &str| replay_command(Path::new("o"), 1, configuration);
        assert_eq!(with("my app/colobus.toml"), "colobus replay o/1 -c 'my app/colobus.toml'");
        assert_eq!(with("http://127.0.0.1:81"), "colobus replay o/1 --at http://127.0.0.1:81");
        assert_eq!(with("demo:lost-update"), "colobus replay o/1");
    }
}
