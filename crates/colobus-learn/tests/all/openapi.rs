//! OpenAPI output. `schemathesis.rs` reads it with an independent validator as well.

use colobus_learn::{Body, Exchange, openapi, robust};
use serde_json::{Value, json};

use crate::samples::{exchange, figure_6_4};

fn service() -> Vec<Exchange> {
    let form = |fields: &str| Exchange {
        request_body: Some(Body::new("application/x-www-form-urlencoded", fields)),
        ..exchange("POST", "http://h/images", json!({"success": true}))
    };
    let tree = json!({"name": "r", "children": [{"name": "a", "children": []}], "size": 1});
    vec![
        form("action=delete&image=1"),
        form("action=default&image=1"),
        exchange("GET", "http://h/tree", tree),
        exchange("GET", "http://h/users/1?fields=a&fields=b", json!({"id": 1, "name": "n"})),
    ]
}

fn document(samples: &[Exchange]) -> Value {
    let learned = robust::learn(samples);
    openapi::to_value(&learned.description, &learned.schemas, "Test")
}

#[test]
fn operations_that_share_a_path_are_one() {
    let document = document(&service());
    let schema =
        &document["paths"]["/images"]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"];
    let actions: Vec<&Value> =
        schema["anyOf"].as_array().unwrap().iter().map(|form| &form["properties"]["action"]["enum"]).collect();
    assert_eq!(actions, [&json!(["default"]), &json!(["delete"])]);
    let user = &document["paths"]["/users/{user}"]["get"];
    assert_eq!(user["parameters"][0]["name"], "user");
    assert_eq!(user["parameters"][1]["schema"]["type"], "array");
    assert_eq!(
        user["responses"]["200"]["content"]["application/json"]["schema"]["$ref"],
        "#/components/schemas/users_user"
    );
}

/// Every reference leads somewhere, also those of recursive schemas, and no response is a bare default.
#[test]
fn references_lead_to_components() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let document = document(&[service(), figure_6_4()].concat());
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        assert!(document.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference}");
    }
    assert!(!document.to_string().contains("\"default\":"));
}

#[test]
fn yaml_is_readable() {
    let learned = robust::learn(&[exchange("GET", "http://h/a/1", json!({"yes": "it's: # \"x\""}))]);
    let yaml = openapi::to_yaml(&learned.description, &learned.schemas, "Test");
    assert!(
        yaml.starts_with(
            "openapi: \"3.1.0\"\ninfo:\n  title: \"Test\"\n  version: \"learned\"\nservers:\n  - url: \"http://h\"\n"
        ),
        "{yaml}"
    );
    assert!(yaml.contains("  \"/a/{a_id}\":\n    get:\n"), "{yaml}");
    assert!(yaml.contains("\"yes\":\n"), "a word that YAML takes for a boolean is quoted: {yaml}");
}
