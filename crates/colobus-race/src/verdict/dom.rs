//! The document without what differs from execution to execution by itself: the order of class names, generated ids
//! and hashed class names.

use std::collections::HashMap;

/// Attributes whose values are ids, or lists of ids.
const IDS: [&str; 8] =
    ["id", "for", "name", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant"];

/// The document as text, with class names sorted and generated names replaced by their number in the document.
pub fn normalised(document: &str) -> String {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut out = String::with_capacity(document.len());
    let mut rest = document;
    while let Some(equals) = rest.find("=\"") {
        let (before, after) = rest.split_at(equals + 2);
        out.push_str(before);
        let Some(end) = after.find('"') else {
            rest = after;
            break;
        };
        let name = before[..equals].rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
        let value = &after[..end];
        if name == "class" {
            let mut classes: Vec<String> = value.split_whitespace().map(|class| replaced(class, &mut known)).collect();
            classes.sort();
            classes.dedup();
            out.push_str(&classes.join(" "));
        } else if IDS.contains(&name) {
            let ids: Vec<String> = value.split(' ').map(|id| replaced(id, &mut known)).collect();
            out.push_str(&ids.join(" "));
        } else {
            out.push_str(value);
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

fn replaced(name: &str, known: &mut HashMap<String, usize>) -> String {
    if !is_generated(name) {
        return name.to_string();
    }
    let next = known.len() + 1;
    format!("generated-{}", known.entry(name.to_string()).or_insert(next))
}

/// `:r1:` as React makes them, and names whose last part is a hash: `css-1x2y3z`. A number alone may mean something
/// (`item-3`).
fn is_generated(name: &str) -> bool {
    let by_react = name.len() > 2 && name.starts_with(':') && name.ends_with(':');
    let last = name.rsplit(['-', '_']).next().unwrap_or_default();
    let digits = last.bytes().filter(u8::is_ascii_digit).count();
    let is_hash = last.len() >= 5
        && last.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && digits >= 2
        && digits < last.len()
        && last.len() < name.len();
    by_react || name.contains(":r") && name.ends_with(':') || is_hash
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn class_names_are_a_set() {
        assert_eq!(normalised(r#"<p class="b a">b a</p>"#), r#"<p class="a b">b a</p>"#);
    }

    #[test]
    fn generated_names_are_numbered_as_they_come() {
        let one = normalised(r#"<label for=":r1:"></label><input id=":r1:" class="css-1x2y3z">"#);
        let other = normalised(r#"<label for=":r7:"></label><input id=":r7:" class="css-9a8b7c">"#);
        assert_eq!(one, other);
        assert_ne!(normalised(r#"<p id="item-3">"#), normalised(r#"<p id="item-4">"#));
        assert_ne!(normalised(r#"<p title="css-1x2y3z">"#), normalised(r#"<p title="css-9a8b7c">"#));
    }

    #[test]
    fn what_is_not_markup_stays_as_it_is() {
        for text in ["", "=\"", "class=\"", "a=\"b", "text of #a: x"] {
            assert_eq!(normalised(text), text);
        }
    }
}
