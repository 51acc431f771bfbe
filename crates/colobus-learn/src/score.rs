//! How a description compares with the truth. [`Truth`] is what a server really offers, written by people; [`score`] says of each true
//! operation what became of it. Consumed by tests and benchmarks.
//!
//! The measure: every request belongs to one true operation, and is taken by one operation of the description or by none. A true
//! operation is *matched* if one operation takes all of its requests and no others. It is *merged* (N -> 1) if an operation
//! that takes one of its requests takes another operation's, too; else *missing* if one of its requests is taken by none; else
//! *split* (1 -> N) if several take them.

use std::collections::{BTreeMap, BTreeSet};

use crate::request::Request;

/// Operations of a server, one a line: `GET /files/{path...}/history`, `POST /rpc method=read`. A parameter in braces takes one
/// fragment, with `...` at least one. A field behind the path selects by query, form or JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth(Vec<Template>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Template {
    method: String,
    path: Vec<Part>,
    fields: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Constant(String),
    One,
    Rest,
}

/// A line that names no operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: `{text}` is not an operation; write METHOD /path/{{parameter}}")]
pub struct NoOperation {
    pub line: usize,
    pub text: String,
}

/// What became of the true operations, as counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// True operations that have requests.
    pub operations: usize,
    pub matched: usize,
    pub merged: usize,
    pub missing: usize,
    pub split: usize,
}

impl Truth {
    /// Reads operations; what follows `#` at the beginning of a line is a comment.
    pub fn parse(text: &str) -> Result<Truth, NoOperation> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let template = |(index, line): (usize, &str)| {
            template(line).ok_or_else(|| NoOperation { line: index + 1, text: line.to_string() })
        };
        lines.map(template).collect::<Result<_, _>>().map(Truth)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The operation that takes a request: of several, the one with the most constants.
    pub fn operation_of(&self, request: &Request) -> Option<usize> {
        let fitting = self.0.iter().enumerate().filter(|(_, template)| template.takes(request));
        // The first of equals.
        fitting
            .max_by_key(|(index, template)| (template.constants(), std::cmp::Reverse(*index)))
            .map(|(index, _)| index)
    }
}

fn template(line: &str) -> Option<Template> {
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_ascii_uppercase(), words.next()?.strip_prefix('/')?);
    let fields = words.map(|word| word.split_once('=').map(|(name, value)| (name.to_string(), value.to_string())));
    let path = path.split('/').filter(|part| !part.is_empty()).map(|part| match part {
        rest if rest.starts_with('{') && rest.ends_with("...}") => Part::Rest,
        one if one.starts_with('{') && one.ends_with('}') => Part::One,
        constant => Part::Constant(crate::url::decode(constant, false)),
    });
    Some(Template { method, path: path.collect(), fields: fields.collect::<Option<_>>()? })
}

impl Template {
    fn takes(&self, request: &Request) -> bool {
        let path: Vec<&str> = request.path.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        let has = |(name, value): &(String, String)| {
            request.parameters.iter().any(|parameter| parameter.0 == *name && parameter.1 == *value)
                || request.body_field(name).as_ref() == Some(value)
        };
        self.method == request.method && fits(&self.path, &path) && self.fields.iter().all(has)
    }

    fn constants(&self) -> usize {
        self.fields.len() + self.path.iter().filter(|part| matches!(part, Part::Constant(_))).count()
    }
}

fn fits(parts: &[Part], path: &[&str]) -> bool {
    match (parts, path) {
        ([], []) => true,
        ([Part::Rest, parts @ ..], [_, path @ ..]) => (0..=path.len()).any(|taken| fits(parts, &path[taken..])),
        ([Part::One, parts @ ..], [_, path @ ..]) => fits(parts, path),
        ([Part::Constant(text), parts @ ..], [first, path @ ..]) => text == first && fits(parts, path),
        _ => false,
    }
}

/// Compares what takes requests with the truth. Requests that belong to no true operation do not count.
pub fn score(truth: &Truth, takes: &dyn Fn(&Request) -> Option<usize>, requests: &[Request]) -> Score {
    let mut taken_by: BTreeMap<usize, BTreeSet<Option<usize>>> = BTreeMap::new();
    let mut true_of: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for request in requests {
        let Some(operation) = truth.operation_of(request) else { continue };
        let taker = takes(request);
        taken_by.entry(operation).or_default().insert(taker);
        true_of.entry(taker.unwrap_or(usize::MAX)).or_default().insert(operation);
    }
    let mut score = Score { operations: taken_by.len(), ..Score::default() };
    for takers in taken_by.values() {
        let is_shared = |taker: &usize| true_of.get(taker).is_some_and(|operations| operations.len() > 1);
        let count = match () {
            () if takers.iter().flatten().any(is_shared) => &mut score.merged,
            () if takers.contains(&None) => &mut score.missing,
            () if takers.len() > 1 => &mut score.split,
            () => &mut score.matched,
        };
        *count += 1;
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(path: &str) -> Request {
        Request::new("GET", path, &[], None)
    }

    #[test]
    fn more_constants_win_and_rests_take_slashes() {
        let truth =
            Truth::parse("# files\nGET /files/{path...}\nGET /files/{path...}/history\nGET /desk action=list\n")
                .unwrap();
        let found = |path: &str| truth.operation_of(&get(path));
        assert_eq!([found("/files/a/b"), found("/files/a/b/history"), found("/files")], [Some(0), Some(1), None]);
        assert_eq!([found("/desk?action=list"), found("/desk?action=read")], [Some(2), None]);
        assert_eq!(
            Truth::parse("GET\n").unwrap_err().to_string(),
            "line 1: `GET` is not an operation; write METHOD /path/{parameter}"
        );
    }

    #[test]
    fn every_true_operation_is_counted_once() {
        let truth = Truth::parse("GET /a/{id}\nGET /b/{id}\nGET /c/{id}\nGET /d/{id}\nGET /e/{id}\n").unwrap();
        let requests: Vec<Request> =
            ["/a/1", "/a/2", "/b/1", "/b/2", "/c/1", "/d/1", "/e/1", "/e/2"].into_iter().map(get).collect();
        // Takes `a` as it is, every `b` alone, `c` and `d` as one, and of `e` only the first.
        let takes = |request: &Request| match (request.path[0].as_str(), request.path[1].as_str()) {
            ("a", _) => Some(0),
            ("b", "1") => Some(1),
            ("b", _) => Some(2),
            ("c" | "d", _) => Some(3),
            (_, "1") => Some(4),
            _ => None,
        };
        let expected = Score { operations: 5, matched: 1, merged: 2, missing: 1, split: 1 };
        assert_eq!(score(&truth, &takes, &requests), expected);
    }
}
