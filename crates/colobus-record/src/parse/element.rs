//! Elements and keys, as lines write them.

use colobus_model::foreign::is_deceptive;

use super::scanner::{Parsed, Scanner};
use crate::{Element, Entry, Hints, Hop, Key, Path, PathStep};

pub fn element(scanner: &mut Scanner<'_>) -> Parsed<Element> {
    let mut hops = vec![Hop { entry: Entry::Tab, path: path(scanner)? }];
    loop {
        let entry = match () {
            () if scanner.take("=>") => Entry::Frame,
            () if scanner.take("~>") => Entry::Shadow,
            () => break,
        };
        hops.push(Hop { entry, path: path(scanner)? });
    }
    Ok(Element { hops, hints: hints(scanner)? })
}

fn path(scanner: &mut Scanner<'_>) -> Parsed<Path> {
    let mut steps = Vec::new();
    while scanner.take("/") {
        let deep = scanner.take("/");
        let tag = scanner.while_(|c| !c.is_whitespace() && !is_deceptive(c) && !"/[]{}=~>\"".contains(c));
        if tag.is_empty() {
            return scanner.expected("the name of an element");
        }
        let (position, attributes) = predicates(scanner)?;
        steps.push(PathStep { deep, tag: tag.to_string(), position, attributes });
    }
    if steps.is_empty() { scanner.expected("a path such as /html/body/button") } else { Ok(Path { steps }) }
}

/// A position, and attributes with their values.
type Predicates = (Option<u32>, Vec<(String, String)>);

fn predicates(scanner: &mut Scanner<'_>) -> Parsed<Predicates> {
    let (mut position, mut attributes) = (None, Vec::new());
    while scanner.take("[") {
        if scanner.take("@") {
            let name = scanner.while_(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == ':');
            if name.is_empty() {
                return scanner.expected("the name of an attribute");
            }
            if !scanner.take("=") {
                return scanner.expected("`=`");
            }
            attributes.push((name.to_string(), scanner.string("the value of an attribute")?));
        } else if position.is_some() || !attributes.is_empty() {
            return scanner.expected("`@`: a position is given once, and first");
        } else {
            let start = scanner.position();
            match scanner.number("a position or `@`")? {
                0 => return scanner.problem_at(start, "positions count from 1"),
                number => position = Some(number),
            }
        }
        if !scanner.take("]") {
            return scanner.expected("`]`");
        }
    }
    Ok((position, attributes))
}

fn hints(scanner: &mut Scanner<'_>) -> Parsed<Hints> {
    let mut hints = Hints::default();
    if !scanner.take("{") {
        return Ok(hints);
    }
    loop {
        let start = scanner.position();
        let name = scanner.while_(|c| c.is_ascii_lowercase());
        let known = ["role", "label", "text", "at"];
        if !known.contains(&name) {
            return scanner.problem_at(start, format!("there is no hint `{name}`: write one of {}", known.join(", ")));
        }
        if !scanner.take("=") {
            return scanner.expected("`=`");
        }
        let twice = match name {
            "at" => hints.at.replace(scanner.point()?).is_some(),
            "role" => hints.role.replace(scanner.string("a role")?).is_some(),
            "label" => hints.label.replace(scanner.string("a label")?).is_some(),
            _ => hints.text.replace(scanner.string("a text")?).is_some(),
        };
        if twice {
            return scanner.problem_at(start, format!("`{name}` is given twice"));
        }
        if scanner.take("}") {
            return Ok(hints);
        }
        if !scanner.take(" ") {
            return scanner.expected("a space or `}`");
        }
    }
}

/// `[a,KeyA,65]`
pub fn key(scanner: &mut Scanner<'_>) -> Parsed<Key> {
    const WHAT: &str = "a key such as [a,KeyA,65]";
    let comma = |scanner: &mut Scanner<'_>| if scanner.take(",") { Ok(()) } else { scanner.expected("`,`") };
    if !scanner.take("[") {
        return scanner.expected(WHAT);
    }
    let key = name(scanner)?;
    comma(scanner)?;
    let code = name(scanner)?;
    comma(scanner)?;
    let virtual_code = scanner.number("the number of a key")?;
    if !scanner.take("]") {
        return scanner.expected("`]`");
    }
    Ok(Key { key, code, virtual_code })
}

fn name(scanner: &mut Scanner<'_>) -> Parsed<String> {
    if scanner.rest().starts_with('"') {
        return scanner.string("a key");
    }
    match scanner.while_(|c| c.is_ascii_alphanumeric()) {
        "" => scanner.expected("the name of a key, in double quotes unless it is letters and digits"),
        name => Ok(name.to_string()),
    }
}
