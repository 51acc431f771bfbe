//! [`Learned`]: a description with its schemas, and what a reader should know about it. Produced by the learners.

use std::collections::{BTreeMap, BTreeSet};

use crate::exchange::Exchange;
use crate::language::{Alternative, Datatype, Description, Fragment, Operation, Overlap, Parameter, overlap, select};
use crate::request::Request;
use crate::schema::{Schemas, valid};
use crate::url::Address;

/// The result of learning.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    pub description: Description,
    pub schemas: Schemas,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// Two operations that match the same request; the one with more constants answers it.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlapping {
    pub first: usize,
    pub second: usize,
    /// A request that both match; `None` if none was found although there may be one.
    pub witness: Option<Request>,
}

impl Learned {
    /// All pairs of operations that are not disjoint.
    pub fn overlaps(&self) -> Vec<Overlapping> {
        let operations = &self.description.operations;
        let mut found = Vec::new();
        for first in 0..operations.len() {
            for second in first + 1..operations.len() {
                let witness = match overlap(&operations[first], &operations[second], &self.schemas) {
                    Overlap::Disjoint => continue,
                    Overlap::Witness(request) => Some(*request),
                    Overlap::Undecided => None,
                };
                found.push(Overlapping { first, second, witness });
            }
        }
        found
    }
}

/// True if the description has an operation for the request and the answer is one that it describes.
pub fn covers(description: &Description, schemas: &Schemas, exchange: &Exchange) -> bool {
    let Some(found) = select(description, schemas, &Request::of(exchange)) else { return false };
    let answers = &found.operation.extensions.answers;
    let body = exchange.response_body.as_ref();
    if answers.is_empty() {
        return has_datatype(&found.operation.response, body, schemas);
    }
    let of_status = answers.iter().filter(|answer| answer.status == exchange.status);
    of_status.into_iter().any(|answer| has_datatype(&answer.datatype, body, schemas))
}

fn has_datatype(datatype: &Datatype, body: Option<&crate::Body>, schemas: &Schemas) -> bool {
    let empty = body.is_none_or(|body| body.content.is_empty());
    let json = body.and_then(crate::Body::as_json);
    datatype.0.iter().any(|alternative| match alternative {
        Alternative::Void => empty,
        Alternative::Any => true,
        Alternative::Rng { file, definition } => {
            let text = body.and_then(|body| std::str::from_utf8(&body.content).ok());
            text.is_some_and(|text| schemas.accepts_document(file, definition.as_deref(), text))
        }
        Alternative::Constant(text) => body.is_some_and(|body| body.content == text.as_bytes()),
        Alternative::Json(file) => {
            json.as_ref().is_some_and(|value| schemas.node(file).is_some_and(|node| valid(node, value)))
        }
    })
}

/// The origin that most exchanges go to, and these exchanges. Exchanges that say nothing about the shape of answers are
/// left out: redirects, unchanged and partial content, preflights, and those whose body the capture does not hold.
pub(crate) fn origin_of_most(exchanges: &[Exchange]) -> (String, Vec<&Exchange>) {
    let distinctive: Vec<(&Exchange, String)> = exchanges
        .iter()
        .filter(|exchange| is_distinctive(exchange))
        .map(|exchange| (exchange, Address::parse(&exchange.url).origin))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    distinctive.iter().for_each(|(_, origin)| *counts.entry(origin).or_default() += 1);
    let most = counts.iter().max_by_key(|(origin, count)| (**count, std::cmp::Reverse(**origin)));
    let base = most.map_or_else(|| "http://localhost".to_string(), |(origin, _)| (*origin).to_string());
    let kept = distinctive.iter().filter(|(_, origin)| *origin == base).map(|(exchange, _)| *exchange).collect();
    (base, kept)
}

fn is_distinctive(exchange: &Exchange) -> bool {
    let status = exchange.status;
    let empty_by_status = status == 204 || status == 205;
    let preflight = exchange.method.eq_ignore_ascii_case("OPTIONS");
    (200..600).contains(&status)
        && !(300..400).contains(&status)
        && status != 206
        && !preflight
        && (exchange.response_body.is_some() || empty_by_status)
}

/// A name for the files of each operation: its constants, with the method where that is ambiguous, then numbered.
pub(crate) fn file_names<'a>(operations: impl Iterator<Item = &'a Operation>) -> Vec<String> {
    let operations: Vec<&Operation> = operations.collect();
    let short: Vec<String> = operations.iter().map(|operation| short_name(operation)).collect();
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for (operation, name) in operations.iter().zip(&short) {
        let unique = short.iter().filter(|other| *other == name).count() == 1;
        let stem = if unique { name.clone() } else { format!("{}_{name}", operation.method.to_lowercase()) };
        let numbered = std::iter::once(stem.clone()).chain((2..).map(|number| format!("{stem}_{number}")));
        let free = numbered.into_iter().find(|name| !taken.contains(name)).unwrap_or(stem);
        taken.insert(free.clone());
        names.push(free);
    }
    names
}

fn short_name(operation: &Operation) -> String {
    let path = operation.path.iter().map(|fragment| match fragment {
        Fragment::Constant(text) => text.as_str(),
        Fragment::Value { name, .. } => name.as_deref().unwrap_or("any"),
    });
    let fixed = |parameter: &Parameter| match parameter.datatype.0.as_slice() {
        [Alternative::Constant(text)] => Some(text.clone()),
        _ => None,
    };
    let constants = operation.parameters.iter().filter_map(fixed);
    let conditions = operation.extensions.conditions.iter().map(|condition| condition.value.clone());
    let words: Vec<String> = path
        .map(str::to_string)
        .chain(constants)
        .chain(conditions)
        .map(|text| file_word(&text))
        .filter(|word| !word.is_empty())
        .collect();
    let name: String = words.join("_").chars().take(60).collect();
    if name.is_empty() { "root".to_string() } else { name }
}

/// A text as a part of a file name.
fn file_word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c.to_ascii_lowercase() } else { '_' };
    text.chars().map(plain).collect::<String>().trim_matches('_').to_string()
}
