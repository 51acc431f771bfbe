//! The answer to a request that no operation matches: 404, with the operation that comes nearest and what is missing.

use serde_json::json;

use super::Reply;
use crate::language::{Alternative, Cardinality, Description, Fragment, Operation};
use crate::request::Request;
use crate::url::Address;

pub(super) fn not_found(description: &Description, request: &Request) -> Reply {
    let base = Address::parse(&description.base).path;
    let path = request.path.strip_prefix(base.as_slice()).unwrap_or(&request.path);
    let nearest = description.operations.iter().min_by_key(|operation| distance(operation, request, path));
    let asked = format!("{} /{}", request.method, request.path.join("/"));
    let mut body = json!({ "error": format!("no operation of the description matches {asked}") });
    if let Some(operation) = nearest {
        body["nearest"] = json!(operation.pattern());
        body["differs"] = json!(differences(operation, request, path));
    }
    Reply::json(404, &body)
}

/// Small for similar paths; a wrong method and each wrong parameter count less than a wrong fragment.
fn distance(operation: &Operation, request: &Request, path: &[String]) -> usize {
    let lengths = operation.path.len().abs_diff(path.len()) * 100;
    let fragments: usize =
        operation.path.iter().zip(path).map(|(pattern, found)| fragment_distance(pattern, found)).sum();
    let method = if operation.method == request.method { 0 } else { 30 };
    lengths + fragments + method + 10 * parameter_differences(operation, request).len()
}

fn fragment_distance(pattern: &Fragment, found: &str) -> usize {
    match pattern {
        // Better than a wrong constant, worse than the right one.
        Fragment::Value { .. } => 5,
        Fragment::Constant(text) if text == found => 0,
        Fragment::Constant(text) => {
            20 + 80 * edits(text, found) / text.chars().count().max(found.chars().count()).max(1)
        }
    }
}

/// Levenshtein's distance.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, left) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, right) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(left != *right);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

fn parameter_differences(operation: &Operation, request: &Request) -> Vec<String> {
    let count = |name: &str| request.parameters.iter().filter(|(found, _)| found == name).count();
    let mut found = Vec::new();
    for parameter in &operation.parameters {
        let name = &parameter.name;
        match (parameter.cardinality, count(name)) {
            (Cardinality::One, 0) => found.push(format!("the parameter `{name}` is missing")),
            (Cardinality::One | Cardinality::Optional, 2..) => {
                found.push(format!("the parameter `{name}` is there twice"))
            }
            _ => {}
        }
        let constants = parameter.datatype.0.iter().all(|alternative| matches!(alternative, Alternative::Constant(_)));
        let fits = |value: &String| {
            parameter
                .datatype
                .0
                .iter()
                .any(|alternative| matches!(alternative, Alternative::Constant(text) if text == value))
        };
        if constants && request.parameters.iter().any(|(found, value)| found == name && !fits(value)) {
            found.push(format!("the parameter `{name}` must be {}", parameter.datatype));
        }
    }
    let known = |name: &String| operation.parameters.iter().any(|parameter| parameter.name == *name);
    let unknown = request.parameters.iter().filter(|(name, _)| !known(name));
    found.extend(unknown.map(|(name, _)| format!("the parameter `{name}` is unknown")));
    found
}

fn differences(operation: &Operation, request: &Request, path: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    if operation.method != request.method {
        found.push(format!("the method is {}", operation.method));
    }
    if operation.path.len() != path.len() && operation.extensions.rest.is_none() {
        found.push(format!("the path has {} fragments", operation.path.len()));
    }
    for (pattern, given) in operation.path.iter().zip(path) {
        if let Fragment::Constant(text) = pattern
            && text != given
        {
            found.push(format!("`{text}` instead of `{given}`"));
        }
    }
    found.extend(parameter_differences(operation, request));
    for condition in &operation.extensions.conditions {
        if request.body_field(&condition.field).as_ref() != Some(&condition.value) {
            found.push(format!("the field `{}` of the body is {:?}", condition.field, condition.value));
        }
    }
    found
}
