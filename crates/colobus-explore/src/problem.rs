//! [`Problem`]: what a page does that no user wants. [`problems`] reads them from a visit, the worst first.

use std::fmt;

use colobus_learn::schema::marker;
use colobus_world::{GivenAnswer, MarkKind, ProblemKind, SeenMark, SeenProblem, Visit};

/// What noticed a problem, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oracle {
    Hang,
    Injection,
    Uncaught,
    FailedRequest,
    Console,
}

impl Oracle {
    pub fn name(self) -> &'static str {
        match self {
            Oracle::Hang => "hang",
            Oracle::Injection => "injection",
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
            Oracle::Injection => "injection",
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
    if visit.answers.iter().any(|answer| marker::has_marker(&answer.body)) {
        // No server sends such texts but by the hand of an attacker: what else they break says nothing.
        found.clear();
    }
    found.extend(visit.marks.iter().filter_map(|mark| injection(mark, &visit.answers)));
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
        ProblemKind::FailedRequest { status: Some(400..=499) } => return None,
        ProblemKind::FailedRequest { .. } => Oracle::FailedRequest,
    };
    Some(Problem { oracle, text, place: seen.place.clone() })
}

/// The field is that of the first answer with the marked text: what repeats it later got it from there.
fn injection(mark: &SeenMark, answers: &[GivenAnswer]) -> Option<Problem> {
    let (answer, field) = answers.iter().find_map(|answer| {
        let body = serde_json::from_str(&answer.body).ok()?;
        Some((answer, marker::field_of(&body, mark.number)?))
    })?;
    let operation = if answer.operation.is_empty() { &answer.request } else { &answer.operation };
    let became = match mark.became {
        MarkKind::Markup => "markup",
        MarkKind::Script => "script",
    };
    let text = format!("the field {field} of {operation} becomes {became} in the page");
    let place = Some(mark.place.clone()).filter(|place| !place.is_empty());
    Some(Problem { oracle: Oracle::Injection, text, place })
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
        let failed = |status, text: &str| problems(&visit(ProblemKind::FailedRequest { status }, text));
        assert_eq!(failed(Some(404), "http://h/a?b=1 answered with status 404"), []);
        let found = failed(Some(500), "http://h/a?b=1 answered with status 500");
        assert_eq!(found[0].signature(), "failed-request: http://h/a answered with status #");
        let unreachable = failed(None, "http://h/answered with status 404 failed: net::ERR_CONNECTION_REFUSED");
        assert_eq!(unreachable.len(), 1, "the text of an address is not a status");
    }

    #[test]
    fn a_marked_text_is_traced_back_to_its_field() {
        let answer = |request: &str, body: &str| GivenAnswer {
            request: request.to_string(),
            number: 0,
            operation: "GET people/person:*()".to_string(),
            status: 200,
            content_type: None,
            body: body.to_string(),
            as_observed: false,
        };
        let answers = vec![
            answer("GET /people/1", "no JSON"),
            answer("GET /people/2", "{\"tags\": [\"a\", \"colobusMark(5)//\"]}"),
        ];
        let mark = |number| SeenMark { number, became: MarkKind::Markup, place: "li#x2".to_string() };
        let thrown = visit(ProblemKind::Uncaught, "SyntaxError");
        let visit = Visit { answers, marks: vec![mark(5), mark(6)], ..thrown };
        let found: Vec<String> = problems(&visit).iter().map(Problem::to_string).collect();
        assert_eq!(
            found,
            ["injection: the field /tags/* of GET people/person:*() becomes markup in the page at li#x2"],
            "a number that no answer has is not ours, and marked texts may break other things"
        );
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
