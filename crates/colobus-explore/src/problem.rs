//! [`Problem`]: what a page does that no user wants. [`problems`] reads them from a visit, the worst first.

use std::fmt;

use colobus_world::{ProblemKind, SeenProblem, Visit};

/// What noticed a problem, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oracle {
    Hang,
    Uncaught,
    FailedRequest,
    Console,
}

impl Oracle {
    pub fn name(self) -> &'static str {
        match self {
            Oracle::Hang => "hang",
            Oracle::Uncaught => "uncaught",
            Oracle::FailedRequest => "failed-request",
            Oracle::Console => "console",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub oracle: Oracle,
    pub text: String,
    /// Where, if that is known.
    pub place: Option<String>,
}

impl Problem {
    /// What is the same whenever the same thing goes wrong: numbers and what follows a path may differ.
    pub fn signature(&self) -> String {
        let place = self.place.as_ref().map(|place| format!(" at {}", without_queries(place))).unwrap_or_default();
        format!("{}: {}{place}", self.oracle.name(), signature_of(&self.text))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.oracle {
            Oracle::Hang => "the page hangs",
            Oracle::Uncaught => "uncaught exception",
            Oracle::FailedRequest => "failed request",
            Oracle::Console => "console error",
        };
        write!(f, "{what}: {}", self.text)?;
        match &self.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

/// What went wrong in a visit, each problem once, the worst first.
pub fn problems(visit: &Visit) -> Vec<Problem> {
    let mut found: Vec<Problem> = visit.problems.iter().filter_map(judged).collect();
    if !visit.rested {
        let text = visit.stopped.clone().unwrap_or_else(|| "it does not come to rest any more".to_string());
        found.push(Problem { oracle: Oracle::Hang, text, place: None });
    }
    found.sort();
    found.dedup_by_key(|problem| problem.signature());
    found
}

/// A refusal (status 4xx) is the server's answer to what was asked; that it breaks down, or cannot be reached, is a problem.
fn judged(seen: &SeenProblem) -> Option<Problem> {
    let text = seen.problem.text.clone();
    let oracle = match seen.problem.kind {
        ProblemKind::Uncaught => Oracle::Uncaught,
        ProblemKind::Console => Oracle::Console,
        ProblemKind::FailedRequest if is_refusal(&text) => return None,
        ProblemKind::FailedRequest => Oracle::FailedRequest,
    };
    Some(Problem { oracle, text, place: seen.place.clone() })
}

fn is_refusal(text: &str) -> bool {
    text.rsplit_once("answered with status ").is_some_and(|(_, status)| status.starts_with('4'))
}

/// A text without numbers and without what follows the paths of addresses.
pub(crate) fn signature_of(text: &str) -> String {
    let (mut signature, mut in_number) = (String::new(), false);
    for c in without_queries(text).chars() {
        match c.is_ascii_digit() {
            true if in_number => {}
            true => signature.push('#'),
            false => signature.push(c),
        }
        in_number = c.is_ascii_digit();
    }
    signature
}

/// Addresses without what follows their paths.
fn without_queries(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.contains("://") {
        true => word.split_once('?').map_or(word, |(path, _)| path),
        false => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_world::PageProblem;

    fn visit(kind: ProblemKind, text: &str) -> Visit {
        let problem = PageProblem { kind, text: text.to_string() };
        Visit { rested: true, problems: vec![SeenProblem { problem, place: None }], ..Visit::default() }
    }

    #[test]
    fn refusals_are_answers_and_breakdowns_are_problems() {
        let text = "http://h/a?b=1 answered with status 404";
        assert_eq!(problems(&visit(ProblemKind::FailedRequest, text)), []);
        let text = "http://h/a?b=1 answered with status 500";
        let found = problems(&visit(ProblemKind::FailedRequest, text));
        assert_eq!(found[0].signature(), "failed-request: http://h/a answered with status #");
    }

    #[test]
    fn a_page_that_does_not_rest_comes_first() {
        let mut hanging = visit(ProblemKind::Uncaught, "Error: 17 of 18");
        hanging.rested = false;
        let names: Vec<&str> = problems(&hanging).iter().map(|problem| problem.oracle.name()).collect();
        assert_eq!(names, ["hang", "uncaught"]);
        assert_eq!(problems(&hanging)[1].signature(), "uncaught: Error: # of #");
    }
}
