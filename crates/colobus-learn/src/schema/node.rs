//! [`Schemas`]: the schema files of a description, and [`Node`]: a place in one of them, with references resolved.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::relaxng::Grammar;

/// Schema files by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schemas {
    /// JSON Schemas, `*.json`.
    pub json: BTreeMap<String, Value>,
    /// RELAX NG, `*.rng`.
    pub grammars: BTreeMap<String, Grammar>,
}

/// A schema inside a file.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub schemas: &'a Schemas,
    pub file: &'a str,
    pub schema: &'a Value,
}

/// References that lead to references are followed this far; more is a circle.
const LONGEST_CHAIN: usize = 32;

impl Schemas {
    pub fn of_json(json: BTreeMap<String, Value>) -> Schemas {
        Schemas { json, grammars: BTreeMap::new() }
    }

    /// True if a text belongs to a definition of a RELAX NG file.
    pub fn accepts_document(&self, file: &str, definition: Option<&str>, text: &str) -> bool {
        self.grammars.get(file).is_some_and(|grammar| grammar.accepts(definition, text))
    }

    /// The schema of a whole file.
    pub fn node<'a>(&'a self, file: &str) -> Option<Node<'a>> {
        let (file, schema) = self.json.get_key_value(file)?;
        Some(Node { schemas: self, file, schema })
    }
}

impl<'a> Node<'a> {
    /// A schema below this one.
    pub fn at(self, schema: &'a Value) -> Node<'a> {
        Node { schema, ..self }
    }

    /// A keyword of the schema.
    pub fn keyword(self, name: &str) -> Option<&'a Value> {
        self.schema.get(name)
    }

    /// The schema that a chain of `$ref` leads to; `None` if it leads nowhere.
    pub fn resolve(self) -> Option<Node<'a>> {
        let mut node = self;
        for _ in 0..LONGEST_CHAIN {
            match node.schema.get("$ref").and_then(Value::as_str) {
                Some(reference) => node = node.follow(reference)?,
                None => return Some(node),
            }
        }
        None
    }

    fn follow(self, reference: &str) -> Option<Node<'a>> {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let target = if file.is_empty() { self.schemas.node(self.file)? } else { self.schemas.node(file)? };
        Some(target.at(target.schema.pointer(&crate::url::decode(pointer, false))?))
    }

    /// The types that the schema allows; all if it names none.
    pub fn types(self) -> Vec<&'a str> {
        match self.keyword("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }
}
