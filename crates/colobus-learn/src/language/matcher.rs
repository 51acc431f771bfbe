//! Whether a request matches a pattern, and which operation of a description answers it.

use serde_json::Value;

use super::{Alternative, Cardinality, Condition, Datatype, Description, Fragment, Operation, Parameter};
use crate::Request;
use crate::schema::{Schemas, valid};
use crate::url::Address;

/// The operation that answers a request, and the values of its path parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Match<'a> {
    pub number: usize,
    pub operation: &'a Operation,
    /// Names and values of named path parameters. A parameter that takes the rest has slashes in it.
    pub values: Vec<(String, String)>,
}

/// The operations of a description in the order in which they are tried.
#[derive(Clone, Debug)]
pub struct Router {
    base: Vec<String>,
    order: Vec<usize>,
}

impl Router {
    pub fn new(description: &Description) -> Router {
        let rank = |number: &usize| {
            let operation = &description.operations[*number];
            (std::cmp::Reverse(operation.constants()), operation.extensions.rest.is_some(), *number)
        };
        let mut order: Vec<usize> = (0..description.operations.len()).collect();
        order.sort_by_key(rank);
        Router { base: Address::parse(&description.base).path, order }
    }

    /// The path after that of the base; nothing if it does not begin with it.
    pub fn relative<'a>(&self, path: &'a [String]) -> Option<&'a [String]> {
        path.strip_prefix(self.base.as_slice())
    }

    /// The operation with the most constants among those that match; the first of equals. In a plain description
    /// patterns are disjoint and one matches at most.
    pub fn select<'a>(&self, description: &'a Description, schemas: &Schemas, request: &Request) -> Option<Match<'a>> {
        let path = self.relative(&request.path)?;
        self.order.iter().find_map(|number| {
            let operation = description.operations.get(*number)?;
            let values = match_operation(operation, path, request, schemas)?;
            Some(Match { number: *number, operation, values })
        })
    }
}

/// The operation that answers one request; see [`Router::select`].
pub fn select<'a>(description: &'a Description, schemas: &Schemas, request: &Request) -> Option<Match<'a>> {
    Router::new(description).select(description, schemas, request)
}

/// True if the request, whose path is relative to the base, matches the pattern of the operation.
pub fn matches(operation: &Operation, request: &Request, schemas: &Schemas) -> bool {
    match_operation(operation, &request.path, request, schemas).is_some()
}

fn match_operation(
    operation: &Operation,
    path: &[String],
    request: &Request,
    schemas: &Schemas,
) -> Option<Vec<(String, String)>> {
    if operation.method != request.method {
        return None;
    }
    let values = match_path(&operation.path, operation.extensions.rest.as_deref(), path, schemas)?;
    let condition = |Condition { field, value }: &Condition| request.body_field(field).as_ref() == Some(value);
    let fits =
        match_parameters(&operation.parameters, &request.parameters, schemas)
            && operation.extensions.conditions.iter().all(condition)
            && operation.extensions.headers.iter().all(|header| {
                request.header(&header.name).is_some_and(|value| accepts(&header.datatype, value, schemas))
            });
    fits.then_some(values)
}

fn match_path(
    pattern: &[Fragment],
    rest: Option<&str>,
    path: &[String],
    schemas: &Schemas,
) -> Option<Vec<(String, String)>> {
    let is_rest = |fragment: &Fragment| matches!(fragment, Fragment::Value { name: Some(name), .. } if Some(name.as_str()) == rest);
    let rest_at = pattern.iter().position(is_rest);
    let extra = path.len().checked_sub(pattern.len())?;
    if rest_at.is_none() && extra > 0 {
        return None;
    }
    let mut values = Vec::new();
    let mut at = 0;
    for (number, fragment) in pattern.iter().enumerate() {
        let length = if rest_at == Some(number) { 1 + extra } else { 1 };
        let parts = &path[at..at + length];
        at += length;
        match fragment {
            Fragment::Constant(text) if *text == parts[0] => {}
            Fragment::Constant(_) => return None,
            Fragment::Value { name, datatype } => {
                if !parts.iter().all(|part| accepts(datatype, part, schemas)) {
                    return None;
                }
                values.extend(name.as_ref().map(|name| (name.clone(), parts.join("/"))));
            }
        }
    }
    Some(values)
}

/// Each parameter fits in number and value, and nothing is left over.
fn match_parameters(pattern: &[Parameter], given: &[(String, String)], schemas: &Schemas) -> bool {
    let known = given.iter().all(|(name, _)| pattern.iter().any(|parameter| parameter.name == *name));
    known
        && pattern.iter().all(|parameter| {
            let mut count = 0;
            let values = given.iter().filter(|(name, _)| *name == parameter.name);
            let all_fit = values.inspect(|_| count += 1).all(|(_, value)| accepts(&parameter.datatype, value, schemas));
            all_fit
                && match parameter.cardinality {
                    Cardinality::One => count == 1,
                    Cardinality::Optional => count <= 1,
                    Cardinality::Many => true,
                }
        })
}

/// True if a string of a request belongs to the datatype.
pub fn accepts(datatype: &Datatype, text: &str, schemas: &Schemas) -> bool {
    datatype.0.iter().any(|alternative| match alternative {
        Alternative::Constant(constant) => constant == text,
        Alternative::Any => true,
        Alternative::Rng { file, definition } => schemas.accepts_document(file, definition.as_deref(), text),
        Alternative::Void => text.is_empty(),
        Alternative::Json(file) => schemas.node(file).is_some_and(|node| {
            // The value may be JSON, or a string that is written without quotes.
            serde_json::from_str::<Value>(text).is_ok_and(|value| valid(node, &value))
                || valid(node, &Value::String(text.to_string()))
        }),
    })
}
