//! How schemas and values are spoken of.

use serde_json::Value;
use toml::de::DeValue;

use super::{kind, required, words};

/// What a value may be: `a string or a table with one of …`.
pub fn expectation(alternatives: &[&Value]) -> String {
    let (tables, others): (Vec<&Value>, Vec<&Value>) = alternatives.iter().partition(|a| kind(a) == "object");
    let mut expected: Vec<String> = others.iter().map(|schema| simple_expectation(schema)).collect();
    expected.extend(match tables[..] {
        [] => None,
        [only] if required(only).next().is_none() => Some("a table".to_string()),
        [only] => Some(format!("a table with {}", list(required(only), "and"))),
        _ => Some(format!("a table with one of {}", list(tables.iter().flat_map(|t| required(t)), "and"))),
    });
    expected.join(" or ")
}

fn simple_expectation(schema: &Value) -> String {
    match kind(schema) {
        "string" if words(schema).is_empty() => "a string".to_string(),
        "string" => list(words(schema), "or"),
        "integer" => "a whole number".to_string(),
        "boolean" => "true or false".to_string(),
        _ => "an array".to_string(),
    }
}

pub fn found(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(true) => "true",
        DeValue::Boolean(false) => "false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

/// `` `a`, `b` and `c` ``
pub fn list<'a>(words: impl IntoIterator<Item = &'a str>, conjunction: &str) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {conjunction} {last}", rest.join(", ")),
        None => String::new(),
    }
}
