//! Operations behind one path: parameters and body fields whose value selects one (`action=delete`, `operationName` of
//! GraphQL, `method` of JSON-RPC), and parameters whose values are answered with nothing in common.

use std::collections::{BTreeMap, BTreeSet};

use super::sample::{Content, Sample};
use super::words::{is_operation_name, is_selector};
use crate::language::Condition;
use crate::schema::Shape;
use crate::secret::Secrets;

/// The samples of one operation and what selects it.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub samples: Vec<usize>,
    pub constants: Vec<(String, String)>,
    pub conditions: Vec<Condition>,
}

/// Names and values.
type Pairs = Vec<(String, String)>;

/// Splits the samples of one path and method.
pub(super) fn split(numbers: &[usize], samples: &[Sample], secrets: &Secrets) -> Vec<Part> {
    let keys = keys(numbers, samples, secrets);
    let mut parts: BTreeMap<(Pairs, Pairs), Vec<usize>> = BTreeMap::new();
    for number in numbers {
        let request = &samples[*number].request;
        let constant = |name: &String| {
            let mut values = request.parameters.iter().filter(|(found, _)| found == name).map(|(_, value)| value);
            let only = values.next().filter(|_| values.next().is_none())?;
            Some((name.clone(), only.clone()))
        };
        let constants = keys.iter().filter_map(constant).collect();
        parts.entry((constants, conditions(*number, samples, secrets))).or_default().push(*number);
    }
    let part = |((constants, conditions), samples): ((Pairs, Pairs), Vec<usize>)| Part {
        samples,
        constants,
        conditions: conditions.into_iter().map(|(field, value)| Condition { field, value }).collect(),
    };
    parts.into_iter().map(part).collect()
}

/// Parameters that select an operation.
fn keys(numbers: &[usize], samples: &[Sample], secrets: &Secrets) -> BTreeSet<String> {
    let mut values: BTreeMap<&String, BTreeMap<&String, Vec<usize>>> = BTreeMap::new();
    for number in numbers {
        for (name, value) in &samples[*number].request.parameters {
            values.entry(name).or_default().entry(value).or_default().push(*number);
        }
    }
    let is_key = |name: &String, values: &BTreeMap<&String, Vec<usize>>| {
        let words = values.keys().all(|value| is_operation_name(value) && !secrets.forbids_constant(value));
        words && !Secrets::is_secret_name(name) && (is_selector(name) || are_unlike(values, samples))
    };
    values.into_iter().filter(|(name, values)| is_key(name, values)).map(|(name, _)| name.clone()).collect()
}

/// True if at least two values are there, each at least twice, and their answers have no field in common.
fn are_unlike(values: &BTreeMap<&String, Vec<usize>>, samples: &[Sample]) -> bool {
    if values.len() < 2 || values.len() > 32 || values.values().any(|numbers| numbers.len() < 2) {
        return false;
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    values.values().all(|numbers| {
        let fields: BTreeSet<String> = numbers.iter().flat_map(|number| field_names(&samples[*number])).collect();
        let fresh = fields.len() >= 2 && fields.is_disjoint(&taken);
        taken.extend(fields);
        fresh
    })
}

fn field_names(sample: &Sample) -> Vec<String> {
    let names =
        |shape: &Shape| shape.object.iter().flat_map(|object| object.fields.keys().cloned()).collect::<Vec<String>>();
    match &sample.answer {
        Content::Json { shape, .. } if sample.succeeded() => {
            let items = shape.array.iter().flat_map(|array| names(&array.items));
            names(shape).into_iter().chain(items).collect()
        }
        _ => Vec::new(),
    }
}

/// Fields of the JSON body that name the operation.
fn conditions(number: usize, samples: &[Sample], secrets: &Secrets) -> Vec<(String, String)> {
    let request = &samples[number].request;
    let Some(serde_json::Value::Object(fields)) = &request.body else { return Vec::new() };
    let graphql = fields.contains_key("query").then_some("operationName");
    let named = fields.keys().map(String::as_str).filter(|name| is_selector(name) && *name != "operationName");
    let chosen = graphql.into_iter().chain(named);
    let condition = |field: &str| {
        let value = request.body_field(field)?;
        (is_operation_name(&value) && !secrets.forbids_constant(&value)).then(|| (field.to_string(), value))
    };
    let mut conditions: Vec<(String, String)> = chosen.filter_map(condition).collect();
    conditions.sort();
    conditions
}
