//! [`Renderer`]: something that shows a run while it goes on. [`Reporter`]: a way to show one, as `--reporter` names it;
//! [`REPORTERS`] lists them all. A new one is a file and a line here.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::str::FromStr;

use colobus_model::RunEvent;

use crate::{Look, github, json, junit, terminal};

/// Every reporter, in the order in which they speak.
pub const REPORTERS: &[Reporter] = &[terminal::LIST, json::JSON, junit::JUNIT, github::GITHUB];

/// Consumes the events of a run. Rendering never fails a run: the reader of the output may go away at any time.
pub trait Renderer {
    fn event(&mut self, event: &RunEvent);
}

/// A way to show a run, by its name.
///
/// ```
/// use colobus_model::RunEvent;
/// use colobus_report::{Output, Renderer, Reporter};
///
/// /// Rings when a run is over.
/// struct Bell(Box<dyn std::io::Write + Send>);
///
/// impl Renderer for Bell {
///     fn event(&mut self, event: &RunEvent) {
///         if let RunEvent::Finished { .. } = event {
///             let _ = self.0.write_all(b"\x07");
///         }
///     }
/// }
///
/// const BELL: Reporter = Reporter {
///     name: "bell",
///     describe: "a bell when the run is over",
///     output: Output::ForPeople,
///     renderer: |out, _| Box::new(Bell(out)),
/// };
/// assert_eq!(BELL.to_string(), "bell");
/// ```
#[derive(Clone, Copy)]
pub struct Reporter {
    pub name: &'static str,
    /// What it shows, in a few words.
    pub describe: &'static str,
    pub output: Output,
    /// Makes what shows a run on the given output.
    pub renderer: fn(Box<dyn Write + Send>, Look) -> Box<dyn Renderer + Send>,
}

/// Who reads what a reporter writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    ForPeople,
    /// A program: standard output is its alone, and people read standard error.
    ForPrograms,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a reporter: choose from {names}", names = names())]
pub struct UnknownReporter(String);

fn names() -> String {
    REPORTERS.iter().map(|reporter| reporter.name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Debug for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Names tell them apart.
impl PartialEq for Reporter {
    fn eq(&self, other: &Reporter) -> bool {
        self.name == other.name
    }
}

impl Eq for Reporter {}

impl FromStr for Reporter {
    type Err = UnknownReporter;

    fn from_str(word: &str) -> Result<Reporter, UnknownReporter> {
        let found = REPORTERS.iter().find(|reporter| reporter.name == word);
        found.copied().ok_or_else(|| UnknownReporter(word.to_string()))
    }
}

/// The renderers of a command line, each once.
pub fn renderers(reporters: &[Reporter]) -> Vec<Box<dyn Renderer + Send>> {
    let stdout_is_data = reporters.iter().any(|reporter| reporter.output == Output::ForPrograms);
    let is_terminal = if stdout_is_data { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let out = |reporter: &Reporter| -> Box<dyn Write + Send> {
        let to_stdout = !stdout_is_data || reporter.output == Output::ForPrograms;
        if to_stdout { Box::new(io::stdout()) } else { Box::new(io::stderr()) }
    };
    let wanted = REPORTERS.iter().filter(|reporter| reporters.contains(reporter));
    wanted.map(|reporter| (reporter.renderer)(out(reporter), Look::detect(is_terminal))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reporter_is_found_by_its_name() {
        for reporter in REPORTERS {
            assert_eq!(reporter.to_string().parse(), Ok(*reporter));
        }
        let error = "lsit".parse::<Reporter>().unwrap_err().to_string();
        assert_eq!(error, "`lsit` is not a reporter: choose from list, json, junit, github");
        assert_eq!(renderers(&[terminal::LIST, github::GITHUB, terminal::LIST]).len(), 2);
    }
}
