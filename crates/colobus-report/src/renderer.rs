//! [`Renderer`]: something that shows a run while it goes on. [`Reporter`]: the list of all of them, as `--reporter`
//! names them. A new one is a file and a line here.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::str::FromStr;

use colobus_model::RunEvent;

use crate::at_end::AtEnd;
use crate::github::annotations;
use crate::json::report_json;
use crate::junit::junit_notice;
use crate::{Look, Terminal};

/// Consumes the events of a run. Rendering never fails a run: whoever reads the output may go away at any time.
pub trait Renderer {
    fn event(&mut self, event: &RunEvent);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reporter {
    /// Lines for people: progress, findings as they come, a closing table.
    List,
    /// The report as JSON on standard output, at the end.
    Json,
    /// Where `junit.xml` is, at the end.
    Junit,
    /// Annotations that GitHub's workflows show beside the job.
    Github,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no reporter: choose from list, json, junit, github")]
pub struct UnknownReporter(String);

impl fmt::Display for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reporter::List => "list",
            Reporter::Json => "json",
            Reporter::Junit => "junit",
            Reporter::Github => "github",
        })
    }
}

impl FromStr for Reporter {
    type Err = UnknownReporter;

    fn from_str(word: &str) -> Result<Reporter, UnknownReporter> {
        Reporter::ALL
            .into_iter()
            .find(|reporter| reporter.to_string() == word)
            .ok_or_else(|| UnknownReporter(word.to_string()))
    }
}

impl Reporter {
    pub const ALL: [Reporter; 4] = [Reporter::List, Reporter::Json, Reporter::Junit, Reporter::Github];

    /// What shows a run in this way, on `out`.
    pub fn renderer(self, out: Box<dyn Write + Send>, look: Look) -> Box<dyn Renderer + Send> {
        match self {
            Reporter::List => Box::new(Terminal::new(out, look)),
            Reporter::Json => Box::new(AtEnd::new(out, report_json)),
            Reporter::Junit => Box::new(AtEnd::new(out, junit_notice)),
            Reporter::Github => Box::new(AtEnd::new(out, annotations)),
        }
    }
}

/// The renderers of a command line, each once. Standard output is the JSON's alone if that is asked for: people then read
/// standard error.
pub fn renderers(reporters: &[Reporter]) -> Vec<Box<dyn Renderer + Send>> {
    let stdout_is_data = reporters.contains(&Reporter::Json);
    let is_terminal = if stdout_is_data { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let out = |reporter: Reporter| -> Box<dyn Write + Send> {
        if stdout_is_data && reporter != Reporter::Json { Box::new(io::stderr()) } else { Box::new(io::stdout()) }
    };
    let wanted = Reporter::ALL.into_iter().filter(|reporter| reporters.contains(reporter));
    wanted.map(|reporter| reporter.renderer(out(reporter), Look::detect(is_terminal))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reporter_is_found_by_its_name() {
        for reporter in Reporter::ALL {
            assert_eq!(reporter.to_string().parse(), Ok(reporter));
        }
        let error = "lsit".parse::<Reporter>().unwrap_err().to_string();
        assert_eq!(error, "`lsit` is no reporter: choose from list, json, junit, github");
        assert_eq!(renderers(&[Reporter::List, Reporter::Github, Reporter::List]).len(), 2);
    }
}
