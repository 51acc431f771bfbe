//! Whether two patterns can match the same request, with a request that shows it.

use serde_json::{Map, Value};

use super::matcher::{accepts, matches};
use super::{Alternative, Cardinality, Datatype, Fragment, Operation, Parameter};
use crate::Request;
use crate::schema::{Generator, Preference, Schemas};
use colobus_random::Random;

/// How two request patterns relate.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlap {
    /// No request matches both.
    Disjoint,
    /// This request matches both.
    Witness(Box<Request>),
    /// Both schemas of a value were tried without finding a common instance; there may be one.
    Undecided,
}

/// Instances of one schema that are tried against another.
const ATTEMPTS: u64 = 64;

/// A value that both sides accept.
enum Common {
    Value(String),
    None,
    Unknown,
}

/// Compares two patterns.
pub fn overlap(a: &Operation, b: &Operation, schemas: &Schemas) -> Overlap {
    if a.method != b.method {
        return Overlap::Disjoint;
    }
    let mut undecided = false;
    let Some(path) = common_path(a, b, schemas, &mut undecided) else { return ending(undecided) };
    let Some(parameters) = common_parameters(a, b, schemas, &mut undecided) else { return ending(undecided) };
    let Some(headers) = common_headers(a, b, schemas, &mut undecided) else { return ending(undecided) };
    let Some(body) = common_body(a, b) else { return Overlap::Disjoint };
    let request = Request { method: a.method.clone(), path, parameters, headers, body };
    if matches(a, &request, schemas) && matches(b, &request, schemas) {
        Overlap::Witness(Box::new(request))
    } else {
        Overlap::Undecided
    }
}

fn ending(undecided: bool) -> Overlap {
    if undecided { Overlap::Undecided } else { Overlap::Disjoint }
}

/// Fragments that both paths accept. A parameter that takes the rest is stretched to every length that can matter.
fn common_path(a: &Operation, b: &Operation, schemas: &Schemas, undecided: &mut bool) -> Option<Vec<String>> {
    let stretches = |operation: &Operation| operation.extensions.rest.is_some();
    let (least, most) = match (stretches(a), stretches(b)) {
        (false, false) => (a.path.len().max(b.path.len()), a.path.len().max(b.path.len())),
        _ => (a.path.len().max(b.path.len()), a.path.len() + b.path.len()),
    };
    (least..=most).find_map(|length| {
        let (left, right) = (stretched(a, length)?, stretched(b, length)?);
        left.iter().zip(&right).map(|(left, right)| settle(common(left, right, schemas), undecided)).collect()
    })
}

fn settle(common: Common, undecided: &mut bool) -> Option<String> {
    match common {
        Common::Value(value) => Some(value),
        Common::None => None,
        Common::Unknown => {
            *undecided = true;
            None
        }
    }
}

/// The datatypes of a path of this length.
fn stretched(operation: &Operation, length: usize) -> Option<Vec<Datatype>> {
    let extra = length.checked_sub(operation.path.len())?;
    let mut datatypes = Vec::new();
    for fragment in &operation.path {
        match fragment {
            Fragment::Constant(text) => datatypes.push(Datatype::constant(text)),
            Fragment::Value { name, datatype } => {
                let is_rest = name.is_some() && *name == operation.extensions.rest;
                datatypes.extend(std::iter::repeat_n(datatype.clone(), if is_rest { 1 + extra } else { 1 }));
            }
        }
    }
    (datatypes.len() == length).then_some(datatypes)
}

fn common_parameters(
    a: &Operation,
    b: &Operation,
    schemas: &Schemas,
    undecided: &mut bool,
) -> Option<Vec<(String, String)>> {
    let mut chosen = Vec::new();
    let find = |operation: &Operation, name: &str| -> Option<Parameter> {
        operation.parameters.iter().find(|parameter| parameter.name == name).cloned()
    };
    for parameter in &a.parameters {
        match (parameter, find(b, &parameter.name)) {
            (left, Some(right)) => {
                let required = [left.cardinality, right.cardinality].contains(&Cardinality::One);
                if required {
                    let value = settle(common(&left.datatype, &right.datatype, schemas), undecided)?;
                    chosen.push((left.name.clone(), value));
                }
            }
            (alone, None) if alone.cardinality == Cardinality::One => return None,
            (_, None) => {}
        }
    }
    let required_by_b = |parameter: &&Parameter| parameter.cardinality == Cardinality::One;
    let missing = b.parameters.iter().filter(required_by_b).any(|parameter| find(a, &parameter.name).is_none());
    (!missing).then_some(chosen)
}

fn common_headers(
    a: &Operation,
    b: &Operation,
    schemas: &Schemas,
    undecided: &mut bool,
) -> Option<Vec<(String, String)>> {
    let mut chosen: Vec<(String, String)> = Vec::new();
    let all = || a.extensions.headers.iter().chain(&b.extensions.headers);
    for header in all() {
        if chosen.iter().any(|(name, _)| name.eq_ignore_ascii_case(&header.name)) {
            continue;
        }
        let mut value = settle(common(&header.datatype, &Datatype::any(), schemas), undecided)?;
        for other in all().filter(|other| other.name.eq_ignore_ascii_case(&header.name)) {
            if !accepts(&other.datatype, &value, schemas) {
                value = settle(common(&header.datatype, &other.datatype, schemas), undecided)?;
            }
        }
        chosen.push((header.name.clone(), value));
    }
    Some(chosen)
}

/// A JSON body with every field that either side asks for; `None` if they ask for different values of one.
fn common_body(a: &Operation, b: &Operation) -> Option<Option<Value>> {
    let mut fields = Map::new();
    for condition in a.extensions.conditions.iter().chain(&b.extensions.conditions) {
        let value = Value::String(condition.value.clone());
        match fields.insert(condition.field.clone(), value.clone()) {
            Some(other) if other != value => return None,
            _ => {}
        }
    }
    Some((!fields.is_empty()).then_some(Value::Object(fields)))
}

fn common(a: &Datatype, b: &Datatype, schemas: &Schemas) -> Common {
    let mut unknown = false;
    for left in &a.0 {
        for right in &b.0 {
            match common_of_two(left, right, schemas) {
                Common::Value(value) => return Common::Value(value),
                Common::Unknown => unknown = true,
                Common::None => {}
            }
        }
    }
    if unknown { Common::Unknown } else { Common::None }
}

fn common_of_two(a: &Alternative, b: &Alternative, schemas: &Schemas) -> Common {
    let only = |alternative: &Alternative| Datatype(vec![alternative.clone()]);
    let if_accepted = |text: &str, other: &Alternative| {
        if accepts(&only(other), text, schemas) { Common::Value(text.to_string()) } else { Common::None }
    };
    match (a, b) {
        (Alternative::Constant(text), other) | (other, Alternative::Constant(text)) => if_accepted(text, other),
        (Alternative::Void, other) | (other, Alternative::Void) => if_accepted("", other),
        (Alternative::Json(file), other) | (other, Alternative::Json(file)) => {
            let Some(node) = schemas.node(file) else { return Common::None };
            for seed in 0..ATTEMPTS {
                let instance = Generator::new(Random::new(seed), Preference::Random).instance(node);
                let Ok(instance) = instance else { return Common::None };
                let text = instance.as_str().map_or_else(|| instance.to_string(), str::to_string);
                if accepts(&only(other), &text, schemas)
                    && accepts(&only(&Alternative::Json(file.clone())), &text, schemas)
                {
                    return Common::Value(text);
                }
            }
            Common::Unknown
        }
        (Alternative::Rng { file, definition }, other) | (other, Alternative::Rng { file, definition }) => {
            let Some(grammar) = schemas.grammars.get(file) else { return Common::None };
            for seed in 0..ATTEMPTS {
                let mut random = Random::new(seed);
                let instance = grammar.instance(definition.as_deref(), &mut random, Preference::Random, &[]);
                let Some(text) = instance else { return Common::None };
                if accepts(&only(other), &text, schemas) {
                    return Common::Value(text);
                }
            }
            Common::Unknown
        }
        (Alternative::Any, Alternative::Any) => Common::Value("x".to_string()),
    }
}
