//! What changed between two descriptions, and whether it breaks clients that were written for the old one. Consumed by
//! `colobus learn --diff`.

mod grammar;
mod schema;

use crate::language::{Alternative, Cardinality, Condition, Datatype, Description, Fragment, Operation, Parameter};
use crate::mock::schema_file;
use crate::schema::Schemas;
use grammar::grammar;
use schema::Side;

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The request pattern it concerns.
    pub operation: String,
    pub text: String,
    /// True if a client of the old description may fail with the new one.
    pub breaking: bool,
}

/// A description with its schema files.
pub type Described<'a> = (&'a Description, &'a Schemas);

/// All differences, breaking ones first.
pub fn changes(old: Described<'_>, new: Described<'_>) -> Vec<Change> {
    let mut found = Vec::new();
    for operation in &old.0.operations {
        match counterpart(operation, new.0) {
            Some(other) => compare((operation, old.1), (other, new.1), &mut found),
            None => found.push(Change {
                operation: operation.pattern(),
                text: "the operation is gone".to_string(),
                breaking: true,
            }),
        }
    }
    for operation in &new.0.operations {
        if counterpart(operation, old.0).is_none() {
            let text = "the operation is new".to_string();
            found.push(Change { operation: operation.pattern(), text, breaking: false });
        }
    }
    found.sort_by_key(|change| !change.breaking);
    found
}

/// What identifies an operation: method, path without names, conditions, constant parameters.
fn identity(operation: &Operation) -> (String, Vec<String>, Vec<Condition>, Vec<String>) {
    let rest = operation.extensions.rest.as_ref();
    let fragment = |fragment: &Fragment| match fragment {
        Fragment::Constant(text) => format!("/{text}"),
        Fragment::Value { name, .. } if name.is_some() && name.as_ref() == rest => "**".to_string(),
        Fragment::Value { datatype, .. } => datatype.to_string(),
    };
    let constant = |parameter: &Parameter| match parameter.datatype.0.as_slice() {
        [Alternative::Constant(text)] => Some(format!("{}={text}", parameter.name)),
        _ => None,
    };
    (
        operation.method.clone(),
        operation.path.iter().map(fragment).collect(),
        operation.extensions.conditions.clone(),
        operation.parameters.iter().filter_map(constant).collect(),
    )
}

fn counterpart<'a>(operation: &Operation, description: &'a Description) -> Option<&'a Operation> {
    let wanted = identity(operation);
    description.operations.iter().find(|other| identity(other) == wanted)
}

fn compare(old: (&Operation, &Schemas), new: (&Operation, &Schemas), found: &mut Vec<Change>) {
    let pattern = old.0.pattern();
    let mut tell = |text: String, breaking: bool| found.push(Change { operation: pattern.clone(), text, breaking });
    compare_parameters(old.0, new.0, &mut tell);
    compare_bodies(old, new, &mut tell);
    compare_answers(old, new, &mut tell);
}

fn compare_parameters(old: &Operation, new: &Operation, tell: &mut impl FnMut(String, bool)) {
    let find = |operation: &Operation, name: &str| -> Option<Parameter> {
        operation.parameters.iter().find(|parameter| parameter.name == name).cloned()
    };
    for before in &old.parameters {
        let name = &before.name;
        let Some(after) = find(new, name) else {
            tell(format!("the parameter `{name}` is gone: requests that have it no longer match"), true);
            continue;
        };
        match (before.cardinality, after.cardinality) {
            (before, after) if before == after => {}
            (_, Cardinality::One) => tell(format!("the parameter `{name}` is required now"), true),
            (Cardinality::Many, Cardinality::Optional) => {
                tell(format!("the parameter `{name}` may occur once only"), true)
            }
            _ => tell(format!("the parameter `{name}` may be left out or occur more often now"), false),
        }
        if before.datatype != after.datatype {
            let wider = after.datatype.0.contains(&Alternative::Any)
                || before.datatype.0.iter().all(|alternative| after.datatype.0.contains(alternative));
            tell(format!("the parameter `{name}` was {} and is {} now", before.datatype, after.datatype), !wider);
        }
    }
    for after in &new.parameters {
        if find(old, &after.name).is_none() {
            let required = after.cardinality == Cardinality::One;
            let how = if required { "a required parameter" } else { "an optional parameter" };
            tell(format!("`{}` is {how} now", after.name), required);
        }
    }
}

fn compare_bodies(old: (&Operation, &Schemas), new: (&Operation, &Schemas), tell: &mut impl FnMut(String, bool)) {
    for before in &old.0.extensions.bodies {
        let after = new.0.extensions.bodies.iter().find(|body| body.content_type == before.content_type);
        match after {
            None => tell(format!("bodies of type {} are not taken any more", before.content_type), true),
            Some(after) => {
                // The client writes bodies: what it wrote for the old description must be fine for the new one.
                compare_datatypes((&before.datatype, old.1), (&after.datatype, new.1), Side::Client, "body", tell);
            }
        }
    }
}

fn compare_answers(old: (&Operation, &Schemas), new: (&Operation, &Schemas), tell: &mut impl FnMut(String, bool)) {
    let (before, after) = (&old.0.extensions.answers, &new.0.extensions.answers);
    if before.is_empty() || after.is_empty() {
        return compare_datatypes((&old.0.response, old.1), (&new.0.response, new.1), Side::Server, "answer", tell);
    }
    for answer in after {
        let same =
            before.iter().find(|other| other.status == answer.status && other.content_type == answer.content_type);
        let place = format!("answer {}", answer.status);
        match same {
            Some(other) => {
                compare_datatypes((&other.datatype, old.1), (&answer.datatype, new.1), Side::Server, &place, tell)
            }
            None => {
                let content_type = answer.content_type.as_deref().unwrap_or("no content");
                // A client has to deal with errors anyway.
                tell(format!("status {} with {content_type} is new", answer.status), answer.status < 400);
            }
        }
    }
    for answer in before {
        if !after.iter().any(|other| other.status == answer.status && other.content_type == answer.content_type) {
            let success = (200..300).contains(&answer.status);
            tell(
                format!(
                    "status {} with {} was not seen any more",
                    answer.status,
                    answer.content_type.as_deref().unwrap_or("no content")
                ),
                success,
            );
        }
    }
}

fn compare_datatypes(
    old: (&Datatype, &Schemas),
    new: (&Datatype, &Schemas),
    side: Side,
    place: &str,
    tell: &mut impl FnMut(String, bool),
) {
    match (schema_file(old.0), schema_file(new.0)) {
        (Some(before), Some(after)) => {
            if let (Some(before), Some(after)) = (old.1.node(before), new.1.node(after)) {
                schema::compare(before, after, side, place, tell);
            }
        }
        (None, None) if grammar(old).is_some() && grammar(new).is_some() => {
            grammar::compare(old, new, side, place, tell);
        }
        (None, None) if old.0 == new.0 => {}
        (before, after) => {
            let shown = |file: Option<&str>, datatype: &Datatype| {
                file.map_or_else(|| datatype.to_string(), |_| "JSON".to_string())
            };
            tell(format!("{place}: was {}, is {} now", shown(before, old.0), shown(after, new.0)), true);
        }
    }
}
