//! A description as a file, with the schemas beside it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context;
use colobus_learn::language::FileReference;
use colobus_learn::relaxng::Grammar;
use colobus_learn::{Description, Schemas};
use serde_json::Value;

/// A description and the schemas beside it.
pub fn read_description(path: &Path) -> anyhow::Result<(Description, Schemas)> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read {shown}: `colobus learn FILE.har` writes one"))?;
    let description = Description::parse(&text).map_err(|error| anyhow::anyhow!("{shown}:{error}"))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut schemas = Schemas::default();
    let mut wanted: Vec<String> = description.files();
    let references = FileReference::all(&text);
    let mut seen = BTreeSet::new();
    while let Some(file) = wanted.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        let place = folder.join(&file);
        let content = fs::read(&place).with_context(|| match references.iter().find(|found| found.file == file) {
            Some(found) => format!("{shown}:{}:{}: `@{file}` cannot be read", found.line, found.column),
            None => format!("{shown} refers to {file}, which cannot be read"),
        })?;
        if file.ends_with(".rng") {
            let text = String::from_utf8(content).with_context(|| format!("{} is not UTF-8", place.display()))?;
            let grammar = Grammar::read(&text).map_err(|error| anyhow::anyhow!("{}:{error}", place.display()))?;
            schemas.grammars.insert(file, grammar);
            continue;
        }
        let schema: Value =
            serde_json::from_slice(&content).with_context(|| format!("{} is not JSON", place.display()))?;
        referred(&schema, &mut wanted);
        schemas.json.insert(file, schema);
    }
    for FileReference { file, definition, line, column } in &references {
        let grammar = schemas.grammars.get(file).filter(|grammar| !grammar.has(definition.as_deref()));
        if let Some(grammar) = grammar {
            let known = grammar.names().collect::<Vec<_>>().join(", ");
            let missing =
                definition.as_ref().map_or_else(|| "start".to_string(), |name| format!("definition `{name}`"));
            anyhow::bail!("{shown}:{line}:{column}: {file} has no {missing}; it defines {known}");
        }
    }
    Ok((description, schemas))
}

/// Files that a schema refers to. One outside the folder stays unread, and the reference is reported as leading nowhere.
fn referred(schema: &Value, wanted: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(target) = fields.get("$ref").and_then(Value::as_str) {
                let file = target.split('#').next().unwrap_or_default();
                if !file.is_empty() && !file.contains(['/', '\\']) {
                    wanted.push(file.to_string());
                }
            }
            fields.values().for_each(|value| referred(value, wanted));
        }
        Value::Array(items) => items.iter().for_each(|item| referred(item, wanted)),
        _ => {}
    }
}
