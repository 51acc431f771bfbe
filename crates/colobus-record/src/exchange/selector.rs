//! Elements as selectors: XPath both ways, the labels of Chrome's Recorder, and the part of CSS that a path can say.

use crate::{Element, Entry, Hints, Hop, Path, PathStep};

/// A path as XPath 1.0, which has no escapes in its strings.
pub fn xpath(path: &Path) -> String {
    let step = |step: &PathStep| {
        let position = step.position.map(|position| format!("[{position}]")).unwrap_or_default();
        let attributes = step.attributes.iter().map(|(name, value)| format!("[@{name}={}]", literal(value)));
        format!("{}{}{position}{}", if step.deep { "//" } else { "/" }, step.tag, attributes.collect::<String>())
    };
    path.steps.iter().map(step).collect()
}

fn literal(text: &str) -> String {
    match (text.contains('"'), text.contains('\'')) {
        (false, _) => format!("\"{text}\""),
        (true, false) => format!("'{text}'"),
        (true, true) => {
            let parts: Vec<String> = text.split('"').map(|part| format!("\"{part}\"")).collect();
            format!("concat({})", parts.join(", '\"', "))
        }
    }
}

/// Reads what [`xpath`] writes, and what people write in the same style; nothing if it says more.
pub fn read_xpath(text: &str) -> Option<Path> {
    let mut rest = text;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let after = rest.strip_prefix('/')?;
        let deep = after.starts_with('/');
        let after = after.strip_prefix('/').unwrap_or(after);
        let end = after.find(['/', '[']).unwrap_or(after.len());
        let (tag, mut after) = after.split_at(end);
        let is_name = |c: char| c.is_alphanumeric() || "-_*.:".contains(c);
        if tag.is_empty() || !tag.chars().all(is_name) {
            return None;
        }
        let mut step = PathStep { deep, tag: tag.to_string(), position: None, attributes: Vec::new() };
        while let Some(inside) = after.strip_prefix('[') {
            after = predicate(inside, &mut step)?;
        }
        steps.push(step);
        rest = after;
    }
    (!steps.is_empty()).then_some(Path { steps })
}

/// Reads one predicate into the step; returns what follows it.
fn predicate<'a>(inside: &'a str, step: &mut PathStep) -> Option<&'a str> {
    if let Some(attribute) = inside.strip_prefix('@') {
        let (name, value) = attribute.split_once('=')?;
        let (value, after) = read_text(value)?;
        step.attributes.push((name.to_string(), value));
        return after.strip_prefix(']');
    }
    let (number, after) = inside.split_once(']')?;
    let first = step.position.is_none() && step.attributes.is_empty();
    step.position = Some(number.parse().ok().filter(|number| *number > 0 && first)?);
    Some(after)
}

/// Reads what [`literal`] writes; the text, and what follows it.
fn read_text(text: &str) -> Option<(String, &str)> {
    let Some(mut parts) = text.strip_prefix("concat(") else {
        return quoted(text).map(|(text, after)| (text.to_string(), after));
    };
    let mut whole = String::new();
    loop {
        let (part, after) = quoted(parts.trim_start())?;
        whole += part;
        let after = after.trim_start();
        match after.strip_prefix(')') {
            Some(after) => return Some((whole, after)),
            None => parts = after.strip_prefix(',')?,
        }
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    text[1..].split_once(quote)
}

/// The part of CSS that a path can say: kinds, ids, attributes with a value, `:nth-of-type`, below and directly below.
pub fn read_css(text: &str) -> Option<Path> {
    let mut steps = Vec::new();
    let mut deep = true;
    for word in text.replace('>', " > ").split_whitespace() {
        if word == ">" {
            deep = false;
            continue;
        }
        steps.push(css_step(word, deep)?);
        deep = true;
    }
    (!steps.is_empty() && deep).then_some(Path { steps })
}

fn css_step(word: &str, deep: bool) -> Option<PathStep> {
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let end = word.find(|c| !is_name(c)).unwrap_or(word.len());
    let (tag, mut rest) = word.split_at(end);
    let tag = if tag.is_empty() { "*" } else { tag };
    let mut step = PathStep { deep, tag: tag.to_string(), position: None, attributes: Vec::new() };
    while !rest.is_empty() {
        if let Some(id) = rest.strip_prefix('#') {
            let end = id.find(|c| !is_name(c)).unwrap_or(id.len());
            step.attributes.push(("id".to_string(), id[..end].to_string()));
            rest = &id[end..];
        } else if let Some(inside) = rest.strip_prefix('[') {
            let (attribute, after) = inside.split_once(']')?;
            let (name, value) = attribute.split_once('=')?;
            let value = value.trim_matches(['"', '\'']);
            name.chars().all(is_name).then(|| step.attributes.push((name.to_string(), value.to_string())))?;
            rest = after;
        } else {
            let (number, after) = rest.strip_prefix(":nth-of-type(")?.split_once(')')?;
            step.position = Some(number.parse().ok().filter(|number| *number > 0)?);
            rest = after;
        }
    }
    Some(step)
}

/// `aria/Send[role="button"]`, as Chrome's Recorder writes it.
pub fn aria(hints: &Hints) -> Option<String> {
    let label = hints.label.as_deref().filter(|label| !label.contains(['[', ']', '"']))?;
    let role = hints.role.as_deref().map(|role| format!("[role=\"{role}\"]")).unwrap_or_default();
    Some(format!("aria/{label}{role}"))
}

pub fn read_aria(text: &str) -> Option<Hints> {
    let text = text.strip_prefix("aria/")?;
    let (label, role) = match text.split_once("[role=\"") {
        Some((label, role)) => (label, role.strip_suffix("\"]").map(str::to_string)),
        None => (text, None),
    };
    Some(Hints { role, label: Some(label.to_string()), ..Hints::default() })
}

/// Any element with these hints.
pub fn by_hints(hints: Hints) -> Element {
    let step = PathStep { deep: true, tag: "*".to_string(), position: None, attributes: Vec::new() };
    Element { hops: vec![Hop { entry: Entry::Tab, path: Path { steps: vec![step] } }], hints }
}

/// An element in the document of the tab itself, if it is one: formats with one selector know no others.
pub fn plain(element: &Element) -> Option<&Path> {
    (element.hops.len() == 1).then(|| element.path())
}
