//! JSON Schema from shapes. Keywords of JSON Schema apply to their own type only, so that most unions need no `anyOf`.

use serde_json::{Map, Value, json};

use super::format::is_value;
use super::recursion::fold;
use super::shape::{ObjectShape, Shape};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// As many fields of one kind make an object a map, if their names do not look like data.
const MANY_NAMES: usize = 8;

/// The schema of everything that a shape has seen.
pub fn schema_of(shape: &Shape) -> Value {
    let mut shape = shape.clone();
    fold(&mut shape);
    let mut schema = Map::from_iter([("$schema".to_string(), json!(DIALECT))]);
    schema.extend(emit(&shape, "#", &mut Vec::new()));
    Value::Object(schema)
}

/// `pointer` is where the schema stands, `objects` where the objects around it stand.
fn emit(shape: &Shape, pointer: &str, objects: &mut Vec<String>) -> Map<String, Value> {
    let mut schema = Map::new();
    let own = emit_own(shape, pointer, objects);
    let outer = shape.same_as.and_then(|levels| objects.iter().rev().nth(levels)).cloned();
    match outer {
        None => schema = own,
        Some(outer) if own.is_empty() => {
            schema.insert("$ref".to_string(), json!(outer));
        }
        Some(outer) => {
            // Pointers inside `own` go one level deeper here.
            let own = emit_own(shape, &format!("{pointer}/anyOf/1"), objects);
            schema.insert("anyOf".to_string(), json!([{ "$ref": outer }, own]));
        }
    }
    schema
}

fn emit_own(shape: &Shape, pointer: &str, objects: &mut Vec<String>) -> Map<String, Value> {
    let mut schema = Map::new();
    let types = types(shape);
    match types.as_slice() {
        [] => {}
        [only] => {
            schema.insert("type".to_string(), json!(only));
        }
        several => {
            schema.insert("type".to_string(), json!(several));
        }
    }
    if let Some(string) = &shape.string {
        let format = if string.secret { Some("password") } else { string.format.map(super::format::Format::name) };
        schema.extend(format.map(|name| ("format".to_string(), json!(name))));
    }
    if let Some(object) = &shape.object {
        objects.push(pointer.to_string());
        emit_object(object, pointer, objects, &mut schema);
        objects.pop();
    }
    if let Some(array) = &shape.array
        && !array.items.is_empty()
    {
        let items = emit(&array.items, &format!("{pointer}/items"), objects);
        schema.insert("items".to_string(), Value::Object(items));
    }
    let examples = examples(shape);
    if !examples.is_empty() {
        schema.insert("examples".to_string(), Value::Array(examples));
    }
    schema
}

fn types(shape: &Shape) -> Vec<&'static str> {
    let number = shape.number.as_ref().map(|number| if number.integer { "integer" } else { "number" });
    let parts = [
        shape.object.is_some().then_some("object"),
        shape.array.is_some().then_some("array"),
        shape.string.is_some().then_some("string"),
        number,
        shape.boolean.then_some("boolean"),
        shape.null.then_some("null"),
    ];
    parts.into_iter().flatten().collect()
}

fn examples(shape: &Shape) -> Vec<Value> {
    let strings = shape.string.iter().filter(|string| !string.secret).flat_map(|string| &string.examples);
    let numbers = shape.number.iter().flat_map(|number| &number.examples);
    let number = |text: &String| serde_json::from_str::<Value>(text).ok();
    strings.map(|text| json!(text)).chain(numbers.filter_map(number)).collect()
}

fn emit_object(object: &ObjectShape, pointer: &str, objects: &mut Vec<String>, schema: &mut Map<String, Value>) {
    if is_map(object) {
        let mut values = object.others.clone();
        object.fields.values().for_each(|field| values.join(field.shape.clone()));
        let values = emit(&values, &format!("{pointer}/additionalProperties"), objects);
        schema.insert("additionalProperties".to_string(), Value::Object(values));
        return;
    }
    let required: Vec<&String> =
        object.fields.iter().filter(|(_, field)| object.is_required(field)).map(|(name, _)| name).collect();
    let properties: Map<String, Value> = object
        .fields
        .iter()
        .map(|(name, field)| {
            let place = format!("{pointer}/properties/{}", escape(name));
            (name.clone(), Value::Object(emit(&field.shape, &place, objects)))
        })
        .collect();
    if !properties.is_empty() {
        schema.insert("properties".to_string(), Value::Object(properties));
    }
    if !required.is_empty() {
        schema.insert("required".to_string(), json!(required));
    }
    if !object.others.is_empty() {
        let others = emit(&object.others, &format!("{pointer}/additionalProperties"), objects);
        schema.insert("additionalProperties".to_string(), Value::Object(others));
    }
}

/// A part of a pointer that stands behind `#`: escaped for both.
fn escape(name: &str) -> String {
    let pointer = name.replace('~', "~0").replace('/', "~1");
    pointer.split('~').map(crate::url::encode).collect::<Vec<_>>().join("~")
}

/// True if the names of the fields are data: they look like values, or they are many and their contents are alike.
fn is_map(object: &ObjectShape) -> bool {
    let names = object.fields.len();
    if object.overflown || (names > 0 && object.fields.keys().all(|name| is_value(name))) {
        return true;
    }
    if names == 0 {
        return !object.others.is_empty();
    }
    let Some(first) = object.fields.values().next() else { return false };
    let records = object.fields.values().all(|field| {
        let contents = field.shape.object.as_ref();
        contents.is_some_and(|contents| contents.fields.len() >= 2) && field.shape.is_like(&first.shape)
    });
    let data = |name: &String| {
        name.contains(|c: char| c.is_uppercase() || c.is_whitespace() || c.is_ascii_digit() || c == '.')
    };
    let seldom = object.fields.values().filter(|field| field.present * 2 <= object.count).count() * 2 > names;
    records && names >= 3 && (names >= MANY_NAMES || seldom || object.fields.keys().all(data))
}
