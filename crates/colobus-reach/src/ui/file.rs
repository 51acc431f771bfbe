//! The file format of a UI model, one fact a line:
//!
//! ```text
//! # Comments begin with a number sign.
//! event calculate = click "#calculate" app.js:40
//! start -> income
//! income: calculate -> result
//! income: enter | enter/2 -> full
//! incomplete menu
//! ```

use std::fmt::Write;
use std::sync::Arc;

use super::{Registration, UiModel};
use crate::summary::{START, Summary};

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the UI model: {reason}\n  {content}")]
pub struct FileError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong, and how it should look.
    pub reason: String,
    /// The line.
    pub content: String,
}

/// Read a model.
pub fn read(text: &str) -> Result<UiModel, FileError> {
    read_checked(text, &|_, _| Ok(()))
}

/// Read a model of a page that was crawled: its transitions and incomplete states may have been edited, its events are those of the page.
pub fn read_edited(text: &str, crawled: &UiModel, summaries: &[Summary]) -> Result<UiModel, FileError> {
    let model = read_checked(text, &|event, paths| {
        if event != START && !crawled.events.contains_key(event) {
            return Err(format!("crawling found no event `{event}`"));
        }
        let is_path = |path: &str| summaries.iter().any(|it| &*it.name == path && &*it.event == event);
        match paths.iter().find(|path| !is_path(path)) {
            Some(path) => Err(format!("`{event}` has no path `{path}`; without paths, all of them may lead there")),
            None => Ok(()),
        }
    })?;
    Ok(UiModel { events: crawled.events.clone(), ..model })
}

/// What is wrong with an event and its paths.
type Check<'a> = dyn Fn(&str, &[Arc<str>]) -> Result<(), String> + 'a;

fn read_checked(text: &str, check: &Check<'_>) -> Result<UiModel, FileError> {
    let mut model = UiModel::default();
    for (index, content) in text.lines().enumerate() {
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        read_line(content, &mut model, check).map_err(|reason| FileError {
            line: index + 1,
            reason,
            content: content.to_owned(),
        })?;
    }
    Ok(model)
}

fn read_line(content: &str, model: &mut UiModel, check: &Check<'_>) -> Result<(), String> {
    if let Some(event) = content.strip_prefix("event ") {
        let (name, registration) = read_event(event).ok_or(
            "an event reads  event NAME = KIND \"ELEMENT\" FILE:LINE  such as  event save = click \"#save\" app.js:12",
        )?;
        check(name, &[])?;
        model.events.insert(name.into(), registration);
        return Ok(());
    }
    if let Some(state) = content.strip_prefix("incomplete ") {
        model.incomplete.insert(checked(state)?.into());
        return Ok(());
    }
    let form = "a transition reads  STATE: EVENT -> STATE , or  start -> STATE  for the first one";
    let (before, to) = content.rsplit_once(" -> ").ok_or(form)?;
    let (from, event) = match before.split_once(": ") {
        Some(parts) => parts,
        None if before.trim() == START => (START, START),
        None => return Err(form.to_owned()),
    };
    let mut parts = event.split(" | ");
    let event = checked(parts.next().unwrap_or_default())?;
    let paths: Result<Vec<Arc<str>>, String> = parts.map(|path| checked(path).map(Arc::from)).collect();
    let paths = paths?;
    check(event, &paths)?;
    model.connect_by(checked(from)?, event, checked(to)?, paths);
    Ok(())
}

fn checked(name: &str) -> Result<&str, String> {
    let name = name.trim();
    if is_name(name) {
        Ok(name)
    } else {
        Err(format!("`{name}` cannot be a name: no colons, quotes, bars, `=`, `->` or `#`"))
    }
}

/// Whether a name can stand in the file.
pub fn is_name(name: &str) -> bool {
    let forbidden = |character: char| character.is_control() || ":\"=#|".contains(character);
    !name.is_empty() && name.trim() == name && !name.contains("->") && !name.contains(forbidden)
}

fn read_event(event: &str) -> Option<(&str, Registration)> {
    let (name, rest) = event.split_once(" = ")?;
    let (kind, rest) = rest.split_once(" \"")?;
    let (element, handler) = rest.rsplit_once("\" ")?;
    let element = element.replace("\\\"", "\"").replace("\\\\", "\\");
    let name = name.trim();
    let registration = Registration { kind: kind.trim().to_owned(), element, handler: handler.trim().parse().ok()? };
    (is_name(name) && is_name(&registration.kind)).then_some((name, registration))
}

/// Write a model.
pub fn write(model: &UiModel) -> String {
    let mut out = String::from("# UI model. Transitions may be added and taken away by hand.\n");
    for (name, Registration { kind, element, handler }) in &model.events {
        let element = element.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "event {name} = {kind} \"{element}\" {handler}");
    }
    for transition in &model.transitions {
        let (from, to) = (&transition.from, &transition.to);
        let event = std::iter::once(&transition.event).chain(&transition.paths);
        let event = event.map(|name| &**name).collect::<Vec<_>>().join(" | ");
        let _ = match (&**from, &*event) {
            (START, START) => writeln!(out, "start -> {to}"),
            _ => writeln!(out, "{from}: {event} -> {to}"),
        };
    }
    for state in &model.incomplete {
        let _ = writeln!(out, "incomplete {state}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_read_as_it_is_written() {
        let text = "event save = click \"a[title=\\\"x\\\\y\\\"]\" app.js:12\nstart -> list\nlist: save -> saved\n\
                    saved: go back | go back/1 | go back/2 -> list\nincomplete saved\n";
        let model = read(text).unwrap();
        assert_eq!(model.events["save"].element, "a[title=\"x\\y\"]");
        assert_eq!(model.enabled("list"), ["save"].into());
        assert_eq!(write(&model).lines().skip(1).collect::<Vec<_>>(), text.lines().collect::<Vec<_>>());
        assert_eq!(read(&write(&model)).unwrap(), model);
    }

    #[test]
    fn an_edited_model_has_the_events_and_paths_of_the_page() {
        let summary = Summary {
            name: "save/1".into(),
            event: "save".into(),
            condition: Vec::new(),
            idle: Default::default(),
            domain: Vec::new(),
            writes: Default::default(),
            lists: Vec::new(),
            log: Default::default(),
        };
        let crawled = read("event save = click \"#save\" app.js:12\nstart -> list\n").unwrap();
        let edited = |text: &str| read_edited(text, &crawled, std::slice::from_ref(&summary));
        let model = edited("start -> list\nlist: save | save/1 -> saved\nsaved: save -> list\n").unwrap();
        assert_eq!((model.transitions.len(), model.events.len()), (3, 1));
        for (line, part) in [
            ("list: load -> saved", "no event `load`"),
            ("list: save | save/2 -> saved", "no path `save/2`"),
            ("event load = click \"#load\" app.js:1", "no event `load`"),
        ] {
            let error = edited(&format!("start -> list\n{line}")).unwrap_err();
            assert!(error.line == 2 && error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn a_wrong_line_is_explained() {
        for (text, part) in [
            ("list save saved", "STATE: EVENT -> STATE"),
            ("event save = click", "event NAME = KIND"),
            ("a: b=c -> d", "cannot be a name"),
            ("start -> ", "STATE: EVENT -> STATE"),
        ] {
            let error = read(&format!("# x\n{text}")).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
