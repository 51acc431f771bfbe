//! [`Renderer`]: something that shows a run while it goes on. [`Reporter`]: the list of all of them, as `--reporter`
//! names them. A new one is a file and a line here.

use std::fmt;
use std::io::{self, IsTerminal};
use std::str::FromStr;

use colobus_trace::RunEvent;

use crate::{GithubAnnotations, JsonReport, JunitNotice, Look, Terminal};

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

impl Reporter {
    pub const ALL: [Reporter; 4] = [Reporter::List, Reporter::Json, Reporter::Junit, Reporter::Github];
}

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

/// The renderers of a command line. Standard output is the JSON's alone if it is asked for: people then read standard error.
pub fn renderers(reporters: &[Reporter]) -> Vec<Box<dyn Renderer + Send>> {
    let stdout_is_data = reporters.contains(&Reporter::Json);
    let for_people = || -> Box<dyn io::Write + Send> {
        if stdout_is_data { Box::new(io::stderr()) } else { Box::new(io::stdout()) }
    };
    let is_terminal = if stdout_is_data { io::stderr().is_terminal() } else { io::stdout().is_terminal() };

    let mut chosen: Vec<Reporter> = Vec::new();
    for reporter in reporters {
        if !chosen.contains(reporter) {
            chosen.push(*reporter);
        }
    }
    chosen
        .into_iter()
        .map(|reporter| -> Box<dyn Renderer + Send> {
            match reporter {
                Reporter::List => Box::new(Terminal::new(for_people(), Look::detect(is_terminal))),
                Reporter::Json => Box::new(JsonReport::new(Box::new(io::stdout()))),
                Reporter::Junit => Box::new(JunitNotice::new(for_people())),
                Reporter::Github => Box::new(GithubAnnotations::new(for_people())),
            }
        })
        .collect()
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
