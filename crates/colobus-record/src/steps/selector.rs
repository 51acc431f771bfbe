//! An element as a CSS selector, which is how steps name it. It begins at the nearest id that a page is likely to have next
//! time as well; from there on every step down is one to a child.

use crate::{Element, Path, PathStep};

/// A selector that matches this element only, for a recorded path; otherwise the reason why there is none.
pub fn css(element: &Element) -> Result<String, &'static str> {
    match &element.hops[..] {
        [hop] => of_path(&hop.path),
        _ => Err("steps do not look into frames and shadow roots"),
    }
}

/// A click on what is inside of a button or a link is one on the whole.
pub fn pressed(element: &Element) -> Element {
    let mut whole = element.clone();
    if let [hop] = &mut whole.hops[..]
        && let Some(last) = hop.path.steps.iter().rposition(|step| matches!(step.tag.as_str(), "button" | "a"))
    {
        hop.path.steps.truncate(last + 1);
    }
    whole
}

fn of_path(path: &Path) -> Result<String, &'static str> {
    let steps = &path.steps;
    if let [only] = &steps[..]
        && only.tag == "*"
        && only.attributes.is_empty()
    {
        return Err("only the name of its element is known, and steps need its path");
    }
    let anchor = steps.iter().rposition(|step| step.attribute("id").is_some_and(is_lasting));
    let begin = match anchor {
        Some(anchor) => anchor,
        None if steps.len() > 1 && steps[0].tag == "html" && !steps[1].deep => 1,
        None => 0,
    };
    let mut selector = String::new();
    for (index, step) in steps[begin..].iter().enumerate() {
        if index > 0 {
            selector.push_str(if step.deep { " " } else { " > " });
        }
        match step.attribute("id").filter(|_| index == 0 && anchor.is_some()) {
            Some(id) => selector.push_str(&format!("#{}", name(id))),
            None => selector.push_str(&compound(step)),
        }
    }
    Ok(selector)
}

fn compound(step: &PathStep) -> String {
    let tag = if step.tag == "*" { "*".to_string() } else { name(&step.tag) };
    let position = step.position.map(|position| format!(":nth-of-type({position})")).unwrap_or_default();
    // Where positions tell all, an id that does not last is better left out.
    let counts = |(attribute, _): &&(String, String)| attribute != "id" || step.deep;
    let attribute = |(attribute, value): &(String, String)| format!("[{}={}]", name(attribute), string(value));
    let attributes: String = step.attributes.iter().filter(counts).map(attribute).collect();
    format!("{tag}{position}{attributes}")
}

/// Ids with numbers and colons in them are often made anew each time: `:r7:`, `row-1731`.
fn is_lasting(id: &str) -> bool {
    let digits = id.chars().filter(char::is_ascii_digit).count();
    !id.is_empty() && digits < 2 && !id.contains(':')
}

/// A name, with escapes where CSS would read something else.
fn name(text: &str) -> String {
    let mut written = String::new();
    for (index, character) in text.chars().enumerate() {
        let leads = index == 0 || index == 1 && text.starts_with('-');
        match character {
            '0'..='9' if leads => written.push_str(&escape(character)),
            '-' if text == "-" => written.push_str("\\-"),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => written.push(character),
            _ if character.is_control() => written.push_str(&escape(character)),
            _ if character.is_ascii() => written.extend(['\\', character]),
            _ => written.push(character),
        }
    }
    written
}

fn string(text: &str) -> String {
    let written: String = text
        .chars()
        .map(|character| match character {
            '"' | '\\' => format!("\\{character}"),
            _ if character.is_control() => escape(character),
            _ => character.to_string(),
        })
        .collect();
    format!("\"{written}\"")
}

/// CSS knows no zero: it stands for what cannot be read.
fn escape(character: char) -> String {
    match u32::from(character) {
        0 => "\u{fffd}".to_string(),
        code => format!("\\{code:x} "),
    }
}
