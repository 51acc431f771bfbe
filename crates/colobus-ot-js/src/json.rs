//! A JSON value as text with sorted keys: what documents and operations are outside the engine.
//!
//! Text keeps what Rust's strings cannot (half a surrogate pair, which UTF-16 operations produce), compares fast,
//! and its length is the size by which counterexamples are ordered.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Json(Arc<str>);

impl Json {
    /// Text that the engine wrote, hence with sorted keys already.
    pub(crate) fn from_engine(text: &str) -> Json {
        Json(text.into())
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The value, unless it holds strings that are not Unicode.
    pub fn value(&self) -> Option<Value> {
        serde_json::from_str(&self.0).ok()
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Json {
        let mut text = String::new();
        write_sorted(value, &mut text);
        Json(text.into())
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Json {
        Json::from(&value)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value() {
            Some(value) => value.serialize(serializer),
            None => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        Value::deserialize(deserializer).map(Json::from)
    }
}

fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_sorted(item, text);
            }
            text.push(']');
        }
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (index, (key, item)) in entries.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write_sorted(item, text);
            }
            text.push('}');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_sorted_at_every_depth() {
        let json = Json::from(json!({"b": [{"d": 1, "c": null}], "a": "é"}));
        assert_eq!(json.text(), r#"{"a":"é","b":[{"c":null,"d":1}]}"#);
    }

    #[test]
    fn half_a_pair_survives_as_text() {
        let json = Json::from_engine(r#""\ud83d""#);
        assert_eq!(json.value(), None);
        assert_eq!(serde_json::to_string(&json).unwrap(), r#""\"\\ud83d\"""#);
    }
}
