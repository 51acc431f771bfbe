//! [`Value`]: a primitive value of JavaScript, and the conversions that the language makes by itself.

use std::fmt;

use colobus_solver::Text;
use serde::{Deserialize, Serialize};

use super::number;

/// A primitive value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub enum Value {
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A double.
    Number(f64),
    /// A string of UTF-16 units.
    Text(Text),
}

/// The type of a primitive value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Of `undefined`.
    Undefined,
    /// Of `null`.
    Null,
    /// Of truth values.
    Boolean,
    /// Of numbers.
    Number,
    /// Of strings.
    Text,
}

impl Value {
    /// Its type.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Undefined => Kind::Undefined,
            Value::Null => Kind::Null,
            Value::Boolean(_) => Kind::Boolean,
            Value::Number(_) => Kind::Number,
            Value::Text(_) => Kind::Text,
        }
    }

    /// A string.
    pub fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    /// Whether a condition takes it for true.
    pub fn is_truthy(&self) -> bool {
        match self {
            Value::Undefined | Value::Null => false,
            Value::Boolean(value) => *value,
            Value::Number(value) => *value != 0.0 && !value.is_nan(),
            Value::Text(value) => !value.is_empty(),
        }
    }

    /// ToNumber.
    pub fn to_number(&self) -> f64 {
        match self {
            Value::Undefined => f64::NAN,
            Value::Null => 0.0,
            Value::Boolean(value) => f64::from(u8::from(*value)),
            Value::Number(value) => *value,
            Value::Text(value) => number::from_text(value),
        }
    }

    /// ToString.
    pub fn to_text(&self) -> Text {
        match self {
            Value::Undefined => "undefined".into(),
            Value::Null => "null".into(),
            Value::Boolean(value) => value.to_string().as_str().into(),
            Value::Number(value) => number::to_text(*value).as_str().into(),
            Value::Text(value) => value.clone(),
        }
    }

    /// What `typeof` says.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Undefined => "undefined",
            Value::Null => "object",
            Value::Boolean(_) => "boolean",
            Value::Number(_) => "number",
            Value::Text(_) => "string",
        }
    }

    /// `===`.
    pub fn is_strictly(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a == b,
            _ => self == other,
        }
    }

    /// `==`.
    pub fn is_loosely(&self, other: &Value) -> bool {
        let nullish = |value: &Value| matches!(value, Value::Undefined | Value::Null);
        match (nullish(self), nullish(other)) {
            (true, true) => true,
            (true, false) | (false, true) => false,
            _ if self.kind() == other.kind() => self.is_strictly(other),
            _ => self.to_number() == other.to_number(),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Number(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::text(value)
    }
}

/// As source text of JavaScript.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Text(text) => {
                f.write_str("\"")?;
                for &unit in &text.0 {
                    match unit {
                        0x22 | 0x5c => write!(f, "\\{}", unit as u8 as char)?,
                        0x20..=0x7e => write!(f, "{}", unit as u8 as char)?,
                        _ => write!(f, "\\u{unit:04x}")?,
                    }
                }
                f.write_str("\"")
            }
            Value::Number(value) if *value == 0.0 && value.is_sign_negative() => f.write_str("-0"),
            other => write!(f, "{}", other.to_text()),
        }
    }
}

/// A value as it stands in a JSON file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Written {
    Undefined,
    Null,
    Boolean(bool),
    /// As JavaScript prints it, so that NaN and infinities survive.
    Number(String),
    Text(String),
    /// A string that is not well-formed Unicode.
    Units(Vec<u16>),
}

impl From<Value> for Written {
    fn from(value: Value) -> Self {
        match value {
            Value::Undefined => Written::Undefined,
            Value::Null => Written::Null,
            Value::Boolean(value) => Written::Boolean(value),
            number @ Value::Number(_) => Written::Number(number.to_string()),
            Value::Text(text) => String::from_utf16(&text.0).map_or(Written::Units(text.0), Written::Text),
        }
    }
}

impl TryFrom<Written> for Value {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        Ok(match written {
            Written::Undefined => Value::Undefined,
            Written::Null => Value::Null,
            Written::Boolean(value) => Value::Boolean(value),
            Written::Number(text) => {
                let value = number::from_text(&text.as_str().into());
                if value.is_nan() && text != "NaN" {
                    return Err(format!("`{text}` is not a number of JavaScript"));
                }
                Value::Number(value)
            }
            Written::Text(text) => Value::text(&text),
            Written::Units(units) => Value::Text(Text(units)),
        })
    }
}
