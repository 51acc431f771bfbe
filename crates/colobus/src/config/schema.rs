//! The JSON Schema of `colobus.toml`, for `colobus schema` and for [`super::structure`].

use serde_json::Value;

use super::file::File;

pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(File).to_value();
    remove_null(&mut schema);
    schema
}

/// An optional key may be left out; TOML has no null that could be written instead.
fn remove_null(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = &types[..] {
                    let only = only.clone();
                    map.insert("type".to_string(), only);
                }
            }
            if let Some(Value::Array(union)) = map.get_mut("anyOf") {
                union.retain(|schema| schema["type"] != "null");
                if let [only] = &mut union[..] {
                    let only = only.take();
                    map.remove("anyOf");
                    map.extend(only.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())));
                }
            }
            map.values_mut().for_each(remove_null);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_null),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_be_null() {
        let text = serde_json::to_string(&schema()).unwrap();
        assert!(!text.contains("null"), "{text}");
    }

    #[test]
    fn every_key_says_what_it_is_for() {
        let schema = schema();
        let app = schema["$defs"]["App"]["properties"].as_object().unwrap();
        assert_eq!(app.len(), 20);
        for (key, value) in app {
            assert!(value["description"].is_string(), "{key}");
        }
        assert_eq!(app["start"]["$ref"], "#/$defs/CommandWords");
        assert_eq!(app["title"]["type"], "string");
    }
}
