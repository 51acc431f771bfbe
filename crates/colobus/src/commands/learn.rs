//! `colobus learn`: reads traffic, or catches that of a command; writes a description with its schemas. Or compares two
//! descriptions.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use colobus_learn::diff::changes;
use colobus_learn::{Exchange, Learned, har, openapi, plain, robust};

use super::caught;
use crate::FOUND_SOMETHING;
use crate::args::LearnArgs;
use crate::learned_server::read_description;
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
    if let Some(command) = &args.run {
        let har = caught::traffic_of(command)?;
        exchanges.extend(read_capture(har.as_bytes(), "the traffic of the command")?);
        if exchanges.is_empty() {
            bail!("`{command}` sent nothing through the proxy\n  {}", caught::ADVICE);
        }
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
    for (file, schema) in &learned.schemas.json {
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
        learned.schemas.json.len()
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
