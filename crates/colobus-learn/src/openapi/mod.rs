//! OpenAPI 3.1 from a learned description. Operations that only a parameter or a body field tells apart share a path
//! there and become one; a parameter that takes the rest of a path is marked `x-rest-of-path`, which OpenAPI cannot say.

mod yaml;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::language::{Alternative, Answer, Cardinality, Datatype, Description, Fragment, Operation, Parameter};
use crate::mock::schema_file;
use crate::schema::Schemas;

/// The description as YAML.
pub fn to_yaml(description: &Description, schemas: &Schemas, title: &str) -> String {
    yaml::print(&to_value(description, schemas, title))
}

/// The description as a document.
pub fn to_value(description: &Description, schemas: &Schemas, title: &str) -> Value {
    let mut paths: BTreeMap<String, BTreeMap<String, Vec<&Operation>>> = BTreeMap::new();
    for operation in &description.operations {
        let methods = paths.entry(path_template(operation)).or_default();
        methods.entry(operation.method.to_lowercase()).or_default().push(operation);
    }
    let item = |(template, methods): (String, BTreeMap<String, Vec<&Operation>>)| {
        let known = methods.into_iter().filter(|(method, _)| METHODS.contains(&method.as_str()));
        let item: Map<String, Value> = known
            .map(|(method, operations)| {
                let id = operation_id(&method, &template);
                (method, joined(&operations, &id))
            })
            .collect();
        (template, Value::Object(item))
    };
    let paths: Map<String, Value> = paths.into_iter().map(item).collect();
    let mut components = Map::new();
    let schemas: Map<String, Value> = schemas
        .json
        .iter()
        .map(|(file, schema)| (component_name(file), component(schema, &component_name(file))))
        .collect();
    components.insert("schemas".to_string(), Value::Object(schemas));
    let security = security_schemes(description);
    if !security.is_empty() {
        components.insert("securitySchemes".to_string(), Value::Object(security));
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": title, "version": "learned" },
        "servers": [{ "url": description.base }],
        "paths": paths,
        "components": components,
    })
}

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Names of path parameters; those without a name are numbered.
fn parameter_names(path: &[Fragment]) -> Vec<Option<String>> {
    let name = |(at, fragment): (usize, &Fragment)| match fragment {
        Fragment::Constant(_) => None,
        Fragment::Value { name, .. } => Some(name.clone().unwrap_or_else(|| format!("value{at}"))),
    };
    path.iter().enumerate().map(name).collect()
}

fn path_template(operation: &Operation) -> String {
    let names = parameter_names(&operation.path);
    let parts = operation.path.iter().zip(names).map(|(fragment, name)| match (fragment, name) {
        (Fragment::Constant(text), _) => crate::url::encode(text),
        (_, name) => format!("{{{}}}", name.unwrap_or_default()),
    });
    format!("/{}", parts.collect::<Vec<_>>().join("/"))
}

fn operation_id(method: &str, template: &str) -> String {
    let words: Vec<&str> =
        template.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!("{method}_{}", if words.is_empty() { "root".to_string() } else { words.join("_") })
}

/// Several operations of one path and method as one.
fn joined(operations: &[&Operation], id: &str) -> Value {
    let mut result = json!({ "operationId": id, "responses": responses(operations) });
    let parameters = parameters(operations);
    if !parameters.is_empty() {
        result["parameters"] = Value::Array(parameters);
    }
    if let Some(body) = request_body(operations) {
        result["requestBody"] = body;
    }
    let auth: Vec<&String> = operations.iter().flat_map(|operation| &operation.extensions.auth).collect();
    if !auth.is_empty() {
        result["security"] = auth.iter().map(|scheme| json!({ scheme.as_str(): [] })).collect();
    }
    result
}

fn is_form(operation: &Operation) -> bool {
    operation.extensions.bodies.iter().any(|body| body.content_type.contains("form"))
}

fn parameters(operations: &[&Operation]) -> Vec<Value> {
    let mut found = Vec::new();
    for (fragment, name) in operations[0].path.iter().zip(parameter_names(&operations[0].path)) {
        if let (Fragment::Value { datatype, .. }, Some(name)) = (fragment, name) {
            let mut parameter = json!({ "name": name, "in": "path", "required": true, "schema": schema(datatype) });
            if operations[0].extensions.rest.as_ref() == Some(&name) {
                parameter["x-rest-of-path"] = json!(true);
            }
            found.push(parameter);
        }
    }
    for (name, uses) in named_parameters(operations, |operation| !is_form(operation)) {
        let required =
            uses.len() == operations.len() && uses.iter().all(|parameter| parameter.cardinality == Cardinality::One);
        found.push(json!({ "name": name, "in": "query", "required": required, "schema": values(&uses) }));
    }
    found
}

fn named_parameters<'a>(
    operations: &[&'a Operation],
    counts: impl Fn(&Operation) -> bool,
) -> BTreeMap<&'a String, Vec<&'a Parameter>> {
    let mut named: BTreeMap<&String, Vec<&Parameter>> = BTreeMap::new();
    for operation in operations.iter().filter(|operation| counts(operation)) {
        operation.parameters.iter().for_each(|parameter| named.entry(&parameter.name).or_default().push(parameter));
    }
    named
}

/// The schema of a parameter that several operations use.
fn values(uses: &[&Parameter]) -> Value {
    let alternatives: Vec<Alternative> = uses.iter().flat_map(|parameter| parameter.datatype.0.clone()).collect();
    let single = schema(&Datatype(alternatives));
    let many = uses.iter().any(|parameter| parameter.cardinality == Cardinality::Many);
    if many { json!({ "type": "array", "items": single }) } else { single }
}

/// The schema of a string in a request.
fn schema(datatype: &Datatype) -> Value {
    let constants: Vec<&String> = datatype
        .0
        .iter()
        .filter_map(|alternative| match alternative {
            Alternative::Constant(text) => Some(text),
            _ => None,
        })
        .collect();
    match schema_file(datatype) {
        Some(file) => reference(file),
        _ if !constants.is_empty() && constants.len() == datatype.0.len() => {
            let mut unique: Vec<&String> = constants;
            unique.sort();
            unique.dedup();
            json!({ "type": "string", "enum": unique })
        }
        _ => json!({ "type": "string" }),
    }
}

fn request_body(operations: &[&Operation]) -> Option<Value> {
    let mut content: BTreeMap<&String, Vec<Value>> = BTreeMap::new();
    for operation in operations {
        for body in &operation.extensions.bodies {
            let schema = match schema_file(&body.datatype) {
                Some(file) => reference(file),
                None if body.content_type.contains("form") => form_schema(operation),
                None => json!({}),
            };
            content.entry(&body.content_type).or_default().push(schema);
        }
    }
    if content.is_empty() {
        return None;
    }
    let required = operations.iter().all(|operation| !operation.extensions.bodies.is_empty());
    let content: Map<String, Value> =
        content.into_iter().map(|(name, schemas)| (name.clone(), json!({ "schema": any_of(schemas) }))).collect();
    Some(json!({ "required": required, "content": content }))
}

fn form_schema(operation: &Operation) -> Value {
    let properties: Map<String, Value> =
        operation.parameters.iter().map(|parameter| (parameter.name.clone(), values(&[parameter]))).collect();
    let required: Vec<&String> = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.cardinality == Cardinality::One)
        .map(|parameter| &parameter.name)
        .collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn any_of(mut schemas: Vec<Value>) -> Value {
    let mut unique: Vec<Value> = Vec::new();
    schemas.drain(..).for_each(|schema| {
        if !unique.contains(&schema) {
            unique.push(schema);
        }
    });
    if unique.len() == 1 { unique.remove(0) } else { json!({ "anyOf": unique }) }
}

fn responses(operations: &[&Operation]) -> Value {
    let mut responses: BTreeMap<String, BTreeMap<String, Vec<Value>>> = BTreeMap::new();
    for operation in operations {
        for Answer { status, content_type, datatype } in &answers(operation) {
            let content = responses.entry(status.to_string()).or_default();
            if let Some(content_type) = content_type {
                let schema = schema_file(datatype).map_or_else(|| json!({}), reference);
                content.entry(content_type.clone()).or_default().push(schema);
            }
        }
    }
    let response = |(status, content): (String, BTreeMap<String, Vec<Value>>)| {
        let mut response = json!({ "description": format!("Seen with status {status}") });
        if !content.is_empty() {
            let content: Map<String, Value> =
                content.into_iter().map(|(name, schemas)| (name, json!({ "schema": any_of(schemas) }))).collect();
            response["content"] = Value::Object(content);
        }
        (status, response)
    };
    Value::Object(responses.into_iter().map(response).collect())
}

/// The answers of an operation; of a plain one, its response with status 200 or 204.
fn answers(operation: &Operation) -> Vec<Answer> {
    if !operation.extensions.answers.is_empty() {
        return operation.extensions.answers.clone();
    }
    let answer = |alternative: &Alternative| {
        let (status, content_type) = match alternative {
            Alternative::Void => (204, None),
            Alternative::Json(_) => (200, Some("application/json")),
            Alternative::Rng { .. } => (200, Some("application/xml")),
            Alternative::Constant(_) | Alternative::Any => (200, Some("*/*")),
        };
        Answer { status, content_type: content_type.map(str::to_string), datatype: Datatype(vec![alternative.clone()]) }
    };
    operation.response.0.iter().map(answer).collect()
}

fn component_name(file: &str) -> String {
    file.strip_suffix(".json")
        .unwrap_or(file)
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect()
}

fn reference(file: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{}", component_name(file)) })
}

/// A schema as a component: references inside the file lead to its new place.
fn component(schema: &Value, name: &str) -> Value {
    match schema {
        Value::Object(keywords) => {
            let moved = keywords.iter().filter(|(keyword, _)| *keyword != "$schema").map(|(keyword, value)| {
                let value = match (keyword.as_str(), value.as_str()) {
                    ("$ref", Some(target)) if target.starts_with('#') => {
                        json!(format!("#/components/schemas/{name}{}", &target[1..]))
                    }
                    ("$ref", Some(target)) => {
                        let (file, pointer) = target.split_once('#').unwrap_or((target, ""));
                        json!(format!("#/components/schemas/{}{pointer}", component_name(file)))
                    }
                    ("examples" | "enum" | "const", _) => value.clone(),
                    _ => component(value, name),
                };
                (keyword.clone(), value)
            });
            Value::Object(moved.collect())
        }
        Value::Array(items) => items.iter().map(|item| component(item, name)).collect(),
        other => other.clone(),
    }
}

fn security_schemes(description: &Description) -> Map<String, Value> {
    let schemes = description.operations.iter().flat_map(|operation| &operation.extensions.auth);
    let scheme = |name: &String| {
        let described = match name.as_str() {
            "bearer" | "basic" | "digest" | "negotiate" => json!({ "type": "http", "scheme": name }),
            header => {
                json!({ "type": "apiKey", "in": "header", "name": if header == "token" { "Authorization" } else { header } })
            }
        };
        (name.clone(), described)
    };
    schemes.map(scheme).collect()
}
