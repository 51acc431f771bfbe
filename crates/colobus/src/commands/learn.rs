//! `colobus learn`: reads traffic, writes a description with its schemas; or compares two descriptions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use colobus_learn::diff::changes;
use colobus_learn::{Description, Exchange, Learned, Schemas, har, openapi, plain, robust};
use serde_json::Value;

use crate::FOUND_SOMETHING;
use crate::args::LearnArgs;
use crate::output::{print, tell};

pub fn run(args: &LearnArgs) -> anyhow::Result<ExitCode> {
    match args.diff.as_deref() {
        Some([old, new]) => compare(old, new),
        _ => learn(args),
    }
}

fn learn(args: &LearnArgs) -> anyhow::Result<ExitCode> {
    let mut exchanges = Vec::new();
    for path in &args.captures {
        let content = fs::read(path)
            .with_context(|| format!("cannot read {}: `colobus record URL --har FILE` writes one", path.display()))?;
        exchanges.extend(read_capture(&content, &path.display().to_string())?);
    }
    learn_into(&exchanges, args.plain, &args.output)?;
    Ok(ExitCode::SUCCESS)
}

/// The exchanges of a HAR file.
pub fn read_capture(content: &[u8], name: &str) -> anyhow::Result<Vec<Exchange>> {
    let capture = har::read(content).with_context(|| format!("cannot learn from {name}"))?;
    for note in &capture.notes {
        tell(&format!("{name}: {note}"));
    }
    Ok(capture.exchanges)
}

/// Writes what the exchanges tell of their server.
pub fn learn_into(exchanges: &[Exchange], is_plain: bool, folder: &Path) -> anyhow::Result<()> {
    let learned = if is_plain { plain::learn(exchanges)? } else { robust::learn(exchanges) };
    if learned.description.operations.is_empty() && learned.description.channels.is_empty() {
        bail!(
            "nothing was learned from {} exchanges: {}\n  record requests that the page's scripts send, with their answers",
            exchanges.len(),
            if learned.notes.is_empty() { "the capture is empty".to_string() } else { learned.notes.join("; ") }
        );
    }
    write(folder, &learned)?;
    report(folder, exchanges.len(), &learned)
}

fn write(folder: &Path, learned: &Learned) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let store = |name: &str, content: String| {
        let path = folder.join(name);
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))
    };
    for (file, schema) in &learned.schemas.0 {
        store(file, format!("{schema:#}\n"))?;
    }
    store("api.ail", learned.description.to_string())?;
    store("openapi.yaml", openapi::to_yaml(&learned.description, &learned.schemas, "Learned from traffic"))
}

fn report(folder: &Path, exchanges: usize, learned: &Learned) -> anyhow::Result<()> {
    let operations = &learned.description.operations;
    let folder = folder.display();
    print(&format!(
        "{} operations and {} channels from {exchanges} exchanges: {folder}/api.ail, {} schemas, {folder}/openapi.yaml\n",
        operations.len(),
        learned.description.channels.len(),
        learned.schemas.0.len()
    ))?;
    for note in &learned.notes {
        print(&format!("note: {note}\n"))?;
    }
    for overlap in learned.overlaps() {
        let (first, second) = (operations[overlap.first].pattern(), operations[overlap.second].pattern());
        let witness = overlap.witness.map_or_else(|| "perhaps some request".to_string(), |request| request.to_string());
        print(&format!("overlap: {witness} matches {first} and {second}; more constants win\n"))?;
    }
    Ok(())
}

fn compare(old: &Path, new: &Path) -> anyhow::Result<ExitCode> {
    let (old, new) = (read_description(old)?, read_description(new)?);
    let found = changes((&old.0, &old.1), (&new.0, &new.1));
    for change in &found {
        let kind = if change.breaking { "breaks" } else { "fine  " };
        print(&format!("{kind} {}: {}\n", change.operation, change.text))?;
    }
    let breaking = found.iter().filter(|change| change.breaking).count();
    print(&format!("{} changes, {breaking} of them break clients\n", found.len()))?;
    Ok(if breaking > 0 { ExitCode::from(FOUND_SOMETHING) } else { ExitCode::SUCCESS })
}

/// A description and the schemas beside it.
pub fn read_description(path: &Path) -> anyhow::Result<(Description, Schemas)> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read {shown}: `colobus learn FILE.har` writes one"))?;
    let description = Description::parse(&text).map_err(|error| anyhow::anyhow!("{shown}:{error}"))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut schemas = Schemas::default();
    let mut wanted: Vec<String> = description.files();
    let mut seen = BTreeSet::new();
    while let Some(file) = wanted.pop() {
        // RELAX NG is named in messages, but not read.
        if !file.ends_with(".json") || !seen.insert(file.clone()) {
            continue;
        }
        let place = folder.join(&file);
        let content = fs::read(&place).with_context(|| format!("{shown} refers to {file}, which cannot be read"))?;
        let schema: Value =
            serde_json::from_slice(&content).with_context(|| format!("{} is no JSON", place.display()))?;
        referred(&schema, &mut wanted);
        schemas.0.insert(file, schema);
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
