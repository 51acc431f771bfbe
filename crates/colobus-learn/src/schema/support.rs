//! Problems of schema files that would make the validator or the generator wrong: references that lead nowhere, keywords
//! that are not known here, schemas without an instance.

use serde_json::Value;

use super::{Generator, Node, Preference, Schemas};
use colobus_random::Random;

/// What is wrong with a schema file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaProblem {
    #[error("{file}{pointer}: the reference `{reference}` leads nowhere; add the file or the definition")]
    Reference { file: String, pointer: String, reference: String },
    #[error("{file}{pointer}: the keyword `{keyword}` is not supported; remove it or say the same with supported ones")]
    Keyword { file: String, pointer: String, keyword: String },
    #[error("{file}: {reason}; an answer cannot be made up")]
    NoInstance { file: String, reason: String },
}

const UNSUPPORTED: [&str; 16] = [
    "pattern",
    "patternProperties",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "prefixItems",
    "contains",
    "uniqueItems",
    "multipleOf",
    "unevaluatedItems",
    "unevaluatedProperties",
    "$dynamicRef",
    "minProperties",
];

/// All problems of all files.
pub fn problems(schemas: &Schemas) -> Vec<SchemaProblem> {
    let mut found = Vec::new();
    for file in schemas.json.keys() {
        let Some(node) = schemas.node(file) else { continue };
        let before = found.len();
        walk(node, String::new(), &mut found);
        if found.len() == before
            && let Err(error) = Generator::new(Random::new(0), Preference::Mixed).instance(node)
        {
            found.push(SchemaProblem::NoInstance { file: file.clone(), reason: error.reason });
        }
    }
    found
}

fn walk(node: Node<'_>, pointer: String, found: &mut Vec<SchemaProblem>) {
    let Value::Object(keywords) = node.schema else { return };
    let file = node.file.to_string();
    if let Some(reference) = node.keyword("$ref").and_then(Value::as_str)
        && node.resolve().is_none()
    {
        found.push(SchemaProblem::Reference {
            file: file.clone(),
            pointer: pointer.clone(),
            reference: reference.to_string(),
        });
    }
    for (keyword, value) in keywords {
        let below = format!("{pointer}/{keyword}");
        match (keyword.as_str(), value) {
            (unsupported, _) if UNSUPPORTED.contains(&unsupported) => {
                found.push(SchemaProblem::Keyword {
                    file: file.clone(),
                    pointer: pointer.clone(),
                    keyword: keyword.clone(),
                });
            }
            ("items" | "additionalProperties" | "propertyNames", schema) => walk(node.at(schema), below, found),
            ("properties" | "$defs", Value::Object(schemas)) => {
                schemas.iter().for_each(|(name, schema)| walk(node.at(schema), format!("{below}/{name}"), found));
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                schemas
                    .iter()
                    .enumerate()
                    .for_each(|(at, schema)| walk(node.at(schema), format!("{below}/{at}"), found));
            }
            _ => {}
        }
    }
}
