//! [`judge`]: what a page did wrong in a visit. Asked after every sequence, when it is shrunk, and when a finding is run again.

use std::collections::BTreeSet;

use colobus_check::{PageCheck, PageFailure, invalid_html};
use colobus_learn::schema::marker;
use colobus_model::UrlParts;
use colobus_world::{GivenAnswer, MarkKind, ProblemKind, SeenMark, SeenProblem, SentDocument, Visit};

/// What went wrong in a visit, each failure once, the worst first.
pub fn judge(visit: &Visit) -> Vec<PageFailure> {
    let mut found: Vec<PageFailure> = visit.problems.iter().filter_map(judged).collect();
    let document = visit.document.as_ref().filter(|document| !is_made_up(document, &visit.answers));
    found.extend(document.and_then(|document| invalid_html(&document.url, &document.text)));
    if visit.answers.iter().any(|answer| marker::has_marker(&answer.body)) {
        // No server sends such texts but by the hand of an attacker: what else they break says nothing.
        found.clear();
    }
    found.extend(visit.marks.iter().filter_map(|mark| injection(mark, &visit.answers)));
    if !visit.rested {
        let text = match &visit.stopped {
            Some(why) => format!("the page hangs: {why}"),
            None => "the page does not come to rest any more".to_string(),
        };
        found.push(PageFailure::new(PageCheck::Hang, text));
    }
    found.sort();
    let mut known = BTreeSet::new();
    found.retain(|failure| known.insert(failure.identity()));
    found
}

/// A refusal (status 4xx) is the server's answer to what was asked; that it breaks down, or cannot be reached, is a problem.
fn judged(seen: &SeenProblem) -> Option<PageFailure> {
    let text = seen.problem.text.clone();
    let check = match seen.problem.kind {
        ProblemKind::Uncaught => PageCheck::Uncaught,
        ProblemKind::Console => PageCheck::Console,
        ProblemKind::FailedRequest { status: Some(400..=499) } => return None,
        ProblemKind::FailedRequest { .. } => PageCheck::FailedRequest,
    };
    Some(PageFailure { check, text, place: seen.place.clone() })
}

/// Whether the document is an answer in the server's place: what is wrong with it says nothing of the server.
fn is_made_up(document: &SentDocument, answers: &[GivenAnswer]) -> bool {
    let without_query = |text: &str| text.split(['?', '#']).next().unwrap_or_default().to_string();
    let path = UrlParts::of(&document.url).map(|parts| without_query(parts.rest)).unwrap_or_default();
    answers.iter().any(|answer| answer.request.split_once(' ').is_some_and(|(_, asked)| without_query(asked) == path))
}

/// The field is that of the first answer with the marked text: what repeats it later got it from there.
fn injection(mark: &SeenMark, answers: &[GivenAnswer]) -> Option<PageFailure> {
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
    Some(PageFailure { check: PageCheck::Injection, text, place })
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
        let failed = |status, text: &str| judge(&visit(ProblemKind::FailedRequest { status }, text));
        assert_eq!(failed(Some(404), "http://h/a?b=1 answered with status 404"), []);
        let found = failed(Some(500), "http://h/a?b=1 answered with status 500");
        assert_eq!(found[0].identity().to_string(), "failed-request: http://h/a answered with status #");
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
        let found: Vec<String> = judge(&visit).iter().map(PageFailure::to_string).collect();
        assert_eq!(
            found,
            ["the field /tags/* of GET people/person:*() becomes markup in the page at li#x2"],
            "a number that no answer has is not ours, and marked texts may break other things"
        );
    }

    /// Neither texts that the page inserts, which are not known, nor documents in the server's place, with whatever `<` and `&`.
    #[test]
    fn only_documents_of_the_server_are_validated() {
        let document = |text: &str| SentDocument { url: "http://h/notes/1?b=2".to_string(), text: text.to_string() };
        let visit = |text: &str, asked: &str| {
            let body = "a < b & </p>".to_string();
            let answer = GivenAnswer {
                request: asked.to_string(),
                number: 0,
                operation: String::new(),
                status: 200,
                content_type: None,
                body,
                as_observed: false,
            };
            Visit { rested: true, document: Some(document(text)), answers: vec![answer], ..Visit::default() }
        };
        let found = judge(&visit("<!doctype html>\n<p>x</div>", "GET /notes"));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].check, PageCheck::InvalidHtml);
        assert_eq!(found[0].to_string(), "line 2: </div> is not allowed here (1 of 1 errors) at http://h/notes/1");
        assert_eq!(judge(&visit("<!doctype html><p>x", "GET /notes")), []);
        assert_eq!(judge(&visit("<p>x</div>", "GET /notes/1?b=2")), [], "made up");
    }

    #[test]
    fn a_failure_that_comes_again_with_another_number_is_one() {
        let texts = ["Error 1: b", "Error 1: c", "Error 2: b"];
        let problems = texts.iter().flat_map(|text| visit(ProblemKind::Uncaught, text).problems).collect();
        let found = judge(&Visit { rested: true, problems, ..Visit::default() });
        assert_eq!(found.iter().map(PageFailure::to_string).collect::<Vec<_>>(), ["Error 1: b", "Error 1: c"]);
    }

    #[test]
    fn a_page_that_does_not_rest_comes_first() {
        let mut hanging = visit(ProblemKind::Uncaught, "Error: 17 of 18");
        hanging.rested = false;
        let checks: Vec<PageCheck> = judge(&hanging).iter().map(|failure| failure.check).collect();
        assert_eq!(checks, [PageCheck::Hang, PageCheck::Uncaught]);
    }
}
