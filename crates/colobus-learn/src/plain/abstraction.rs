//! [`Abstraction`]: the type of an answer, as section 10.4.1 defines it. Equal abstractions make a baseline cluster.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::exchange::{Body, Exchange};
use crate::language::{Alternative, Datatype};
use crate::schema::format::is_token;
use crate::secret::Secrets;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Abstraction {
    String,
    Number,
    Boolean,
    Null,
    /// Order of fields does not matter.
    Object(BTreeMap<String, Abstraction>),
    /// The union of the types of the elements.
    Array(BTreeSet<Abstraction>),
    /// No content.
    Void,
    /// Content that is no JSON, by its media type.
    Other(String),
}

impl Abstraction {
    /// The abstraction of an answer.
    pub fn of(exchange: &Exchange, secrets: &Secrets) -> Abstraction {
        match &exchange.response_body {
            Some(body) if !body.content.is_empty() => match body.as_json() {
                Some(value) => Abstraction::of_value(&value, secrets),
                None => Abstraction::Other(Body::media_type(body)),
            },
            _ => Abstraction::Void,
        }
    }

    /// The abstraction of a JSON value.
    pub fn of_value(value: &Value, secrets: &Secrets) -> Abstraction {
        let of_value = |value| Abstraction::of_value(value, secrets);
        match value {
            Value::Null => Abstraction::Null,
            Value::Bool(_) => Abstraction::Boolean,
            Value::Number(_) => Abstraction::Number,
            Value::String(_) => Abstraction::String,
            Value::Array(items) => Abstraction::Array(items.iter().map(of_value).collect()),
            Value::Object(fields) => {
                // A token as a name would reach the schema.
                let kept = fields.iter().filter(|(name, _)| !is_token(name) && !secrets.hides(name));
                Abstraction::Object(kept.map(|(name, value)| (name.clone(), of_value(value))).collect())
            }
        }
    }

    fn schema(&self) -> Value {
        match self {
            Abstraction::String => json!({ "type": "string" }),
            Abstraction::Number => json!({ "type": "number" }),
            Abstraction::Boolean => json!({ "type": "boolean" }),
            Abstraction::Null => json!({ "type": "null" }),
            Abstraction::Array(items) if items.is_empty() => json!({ "type": "array" }),
            Abstraction::Array(items) => json!({ "type": "array", "items": union(items.iter()) }),
            Abstraction::Object(fields) => {
                let names: Vec<&String> = fields.keys().collect();
                let properties: serde_json::Map<String, Value> =
                    fields.iter().map(|(name, field)| (name.clone(), field.schema())).collect();
                json!({ "type": "object", "properties": properties, "required": names })
            }
            Abstraction::Void | Abstraction::Other(_) => json!(true),
        }
    }

    fn is_json(&self) -> bool {
        !matches!(self, Abstraction::Void | Abstraction::Other(_))
    }
}

fn union<'a>(types: impl Iterator<Item = &'a Abstraction>) -> Value {
    let mut schemas: Vec<Value> = types.map(Abstraction::schema).collect();
    if schemas.len() == 1 { schemas.remove(0) } else { json!({ "anyOf": schemas }) }
}

/// The schema of the JSON answers of an operation; `None` if it has none.
pub(super) fn schema(clusters: &BTreeSet<Abstraction>) -> Option<Value> {
    let mut json = clusters.iter().filter(|cluster| cluster.is_json()).peekable();
    json.peek()?;
    let mut schema = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema" });
    if let (Value::Object(schema), Value::Object(types)) = (&mut schema, union(json)) {
        schema.extend(types);
    }
    Some(schema)
}

/// The response of an operation whose JSON answers are described by `file`.
pub(super) fn datatype(clusters: &BTreeSet<Abstraction>, file: &str) -> Datatype {
    let kinds: BTreeSet<u8> = clusters
        .iter()
        .map(|cluster| match cluster {
            Abstraction::Void => 2,
            Abstraction::Other(_) => 1,
            _ => 0,
        })
        .collect();
    let alternative = |kind| match kind {
        0 => Alternative::Json(file.to_string()),
        1 => Alternative::Any,
        _ => Alternative::Void,
    };
    Datatype(kinds.into_iter().map(alternative).collect())
}
