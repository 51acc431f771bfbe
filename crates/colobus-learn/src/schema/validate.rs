//! The validator: whether a value is an instance of a schema, and where it is not. Consumed by the matcher, the mock and
//! the differ; tests compare it with an independent validator.

use serde_json::Value;

use super::Node;
use super::format::Format;

/// The first place at which a value is no instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", if pointer.is_empty() { "/" } else { pointer })]
pub struct Violation {
    pub pointer: String,
    pub message: String,
}

/// True if the value is an instance of the schema.
pub fn valid(node: Node<'_>, value: &Value) -> bool {
    validate(node, value).is_ok()
}

/// Checks a value.
pub fn validate(node: Node<'_>, value: &Value) -> Result<(), Violation> {
    check(node, value, &mut Vec::new())
}

type Path = Vec<String>;

fn violation<T>(path: &Path, message: String) -> Result<T, Violation> {
    let pointer = path.iter().map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1"))).collect();
    Err(Violation { pointer, message })
}

fn check(node: Node<'_>, value: &Value, path: &mut Path) -> Result<(), Violation> {
    match node.schema {
        Value::Bool(true) => return Ok(()),
        Value::Bool(false) => return violation(path, "nothing is allowed here".to_string()),
        _ => {}
    }
    let Some(node) = node.resolve() else {
        return violation(path, "the schema refers to a place that is missing".to_string());
    };
    check_type(node, value, path)?;
    check_choices(node, value, path)?;
    match value {
        Value::Object(fields) => check_object(node, fields, path),
        Value::Array(items) => check_array(node, items, path),
        Value::String(text) => check_string(node, text, path),
        Value::Number(number) => check_number(node, number.as_f64().unwrap_or(f64::NAN), path),
        _ => Ok(()),
    }
}

/// True if a value has the type of that name.
pub(super) fn has_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Number(number) => {
            name == "number"
                || (name == "integer"
                    && (number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|n| n.fract() == 0.0)))
        }
    }
}

fn check_type(node: Node<'_>, value: &Value, path: &Path) -> Result<(), Violation> {
    let types = node.types();
    if types.is_empty() || types.iter().any(|name| has_type(value, name)) {
        return Ok(());
    }
    violation(path, format!("expected {}", types.join(" or ")))
}

fn check_choices(node: Node<'_>, value: &Value, path: &mut Path) -> Result<(), Violation> {
    if node.keyword("const").is_some_and(|constant| constant != value) {
        return violation(path, "another constant is expected".to_string());
    }
    if node.keyword("enum").and_then(Value::as_array).is_some_and(|allowed| !allowed.contains(value)) {
        return violation(path, "the value is none of those listed".to_string());
    }
    let branches = |name| node.keyword(name).and_then(Value::as_array).map(Vec::as_slice);
    for branch in branches("allOf").unwrap_or_default() {
        check(node.at(branch), value, path)?;
    }
    let accepting = |list: &[Value]| list.iter().filter(|branch| valid(node.at(branch), value)).count();
    if branches("anyOf").is_some_and(|list| accepting(list) == 0) {
        return violation(path, "none of the alternatives fits".to_string());
    }
    if branches("oneOf").is_some_and(|list| accepting(list) != 1) {
        return violation(path, "not exactly one of the alternatives fits".to_string());
    }
    Ok(())
}

fn check_object(node: Node<'_>, fields: &serde_json::Map<String, Value>, path: &mut Path) -> Result<(), Violation> {
    let required = node.keyword("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if let Some(missing) = required.iter().filter_map(Value::as_str).find(|name| !fields.contains_key(*name)) {
        return violation(path, format!("the field `{missing}` is missing"));
    }
    let properties = node.keyword("properties").and_then(Value::as_object);
    for (name, value) in fields {
        let schema =
            properties.and_then(|properties| properties.get(name)).or_else(|| node.keyword("additionalProperties"));
        if let Some(schema) = schema {
            path.push(name.clone());
            check(node.at(schema), value, path)?;
            path.pop();
        }
        if let Some(names) = node.keyword("propertyNames") {
            check(node.at(names), &Value::String(name.clone()), path)?;
        }
    }
    Ok(())
}

fn check_array(node: Node<'_>, items: &[Value], path: &mut Path) -> Result<(), Violation> {
    let limit = |name| node.keyword(name).and_then(Value::as_u64);
    let count = items.len() as u64;
    if limit("minItems").is_some_and(|least| count < least) || limit("maxItems").is_some_and(|most| count > most) {
        return violation(path, format!("{count} elements are too few or too many"));
    }
    if let Some(schema) = node.keyword("items") {
        for (number, item) in items.iter().enumerate() {
            path.push(number.to_string());
            check(node.at(schema), item, path)?;
            path.pop();
        }
    }
    Ok(())
}

fn check_string(node: Node<'_>, text: &str, path: &Path) -> Result<(), Violation> {
    let limit = |name| node.keyword(name).and_then(Value::as_u64);
    let length = text.chars().count() as u64;
    if limit("minLength").is_some_and(|least| length < least) || limit("maxLength").is_some_and(|most| length > most) {
        return violation(path, format!("{length} characters are too few or too many"));
    }
    let format = node.keyword("format").and_then(Value::as_str).and_then(Format::named);
    match format {
        Some(format) if !format.accepts(text) => violation(path, format!("this is not a {}", format.name())),
        _ => Ok(()),
    }
}

fn check_number(node: Node<'_>, number: f64, path: &Path) -> Result<(), Violation> {
    let limit = |name| node.keyword(name).and_then(Value::as_f64);
    let low = limit("minimum").is_some_and(|least| number < least)
        || limit("exclusiveMinimum").is_some_and(|least| number <= least);
    let high = limit("maximum").is_some_and(|most| number > most)
        || limit("exclusiveMaximum").is_some_and(|most| number >= most);
    if low || high { violation(path, "the number is too small or too large".to_string()) } else { Ok(()) }
}
