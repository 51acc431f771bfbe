//! YAML of JSON values: blocks for objects and lists, JSON for everything else, which is YAML as well.

use serde_json::Value;

pub(super) fn print(value: &Value) -> String {
    let mut text = String::new();
    block(value, 0, &mut text);
    text
}

fn block(value: &Value, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                text.push_str(&format!("{indent}{}:", key(name)));
                below(value, depth, text);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                if is_block(item) {
                    let mut inner = String::new();
                    block(item, depth + 1, &mut inner);
                    // The first line of the item stands behind the dash.
                    text.push_str(&format!("{indent}- {}", inner.trim_start()));
                } else {
                    text.push_str(&format!("{indent}- {item}\n"));
                }
            }
        }
        scalar => text.push_str(&format!("{indent}{scalar}\n")),
    }
}

fn below(value: &Value, depth: usize, text: &mut String) {
    if is_block(value) {
        text.push('\n');
        block(value, depth + 1, text);
    } else {
        text.push_str(&format!(" {value}\n"));
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    }
}

/// A plain key where YAML takes it for a string, else a quoted one.
fn key(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '$')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "/_-.${}".contains(c))
        && !name.contains('{')
        && !["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(&name.to_ascii_lowercase().as_str());
    if plain { name.to_string() } else { Value::String(name.to_string()).to_string() }
}
