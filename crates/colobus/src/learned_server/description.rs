//! A description as a file, with the schemas beside it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use colobus_learn::language::FileReference;
use colobus_learn::relaxng::Grammar;
use colobus_learn::{Description, Schemas};
use serde_json::Value;

/// Larger files are no descriptions of servers: they are refused before they fill the memory.
const LARGEST: u64 = 64 << 20;

/// A description and the schemas beside it.
pub fn read_description(path: &Path) -> anyhow::Result<(Description, Schemas)> {
    let shown = path.display();
    let text = read(path)
        .and_then(|content| String::from_utf8(content).map_err(|_| io::Error::other("it is not UTF-8")))
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
        let content = read(&place).with_context(|| match references.iter().find(|found| found.file == file) {
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

/// The content of a file, which a finding of a stranger may have named: a device has no end, and a pipe may have no writer.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::other(format!("it has more than {} MB", LARGEST >> 20));
    // Opening a pipe waits for a writer: what it is, is asked before.
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if about.len() > LARGEST {
        return Err(too_large());
    }
    // Files of the system have more than they tell, and others may grow.
    let mut content = Vec::new();
    let read = File::open(path)?.take(LARGEST + 1).read_to_end(&mut content)?;
    if u64::try_from(read).is_ok_and(|read| read <= LARGEST) { Ok(content) } else { Err(too_large()) }
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

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn only_regular_files_of_a_bounded_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, large) = (folder.path().join("pipe.json"), folder.path().join("large"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        File::create(&large).unwrap().set_len(LARGEST + 1).unwrap();
        for (path, why) in [
            (Path::new("/dev/zero"), "not a regular file"),
            (folder.path(), "not a regular file"),
            (pipe.as_path(), "not a regular file"),
            (large.as_path(), "more than 64 MB"),
        ] {
            let error = format!("{:#}", read_description(path).unwrap_err());
            assert!(error.contains(why), "{}: {error}", path.display());
        }
        let description = folder.path().join("api.ail");
        fs::write(&description, "URL http://h/\nGET list() : @pipe.json\n").unwrap();
        let error = format!("{:#}", read_description(&description).unwrap_err());
        assert!(error.contains("not a regular file"), "schemas, too: {error}");
    }
}
