//! Markers: texts that show whether a page treats texts as texts. Each names the field that it stands for by a number. One that a
//! page inserts as markup becomes an element; one that gets into code, or into an address that is followed, calls a
//! function. Made up by the [`Generator`](super::Generator), looked for by `page/marks.js`, and found again here.

use colobus_random::Random;
use serde_json::Value;

/// The number of a field: the same in every answer.
pub(super) fn number(file: &str, field: &[String]) -> u64 {
    let name = format!("{file}#{}", pointer(field));
    Random::named(0, name.as_bytes()).number() % 1_000_000_000
}

/// A text that leaves quotes of both kinds, attributes and statements. As a whole it is a statement, too, and an address.
pub(super) fn text(number: u64) -> String {
    let call = format!("colobusMark({number})");
    format!("javascript:{call}//\");{call}//');{call}//\"><colobus-mark n={number}></colobus-mark>")
}

/// True if the text is meant to be markup: a server that sends such texts wants pages to insert them.
pub(super) fn is_markup(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('/');
        rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('>')
    })
}

/// Whether a body has any marked text.
pub fn has_marker(body: &str) -> bool {
    body.contains("colobusMark(")
}

/// The field of an answer that has the marker with this number, as a pointer in which `*` stands for every element of a list.
pub fn field_of(answer: &Value, number: u64) -> Option<String> {
    let call = format!("colobusMark({number})");
    find(answer, &call, &mut Vec::new())
}

fn find(value: &Value, call: &str, field: &mut Vec<String>) -> Option<String> {
    let mut inside = |name: &str, value: &Value| {
        field.push(name.to_string());
        let found = find(value, call, field);
        field.pop();
        found
    };
    match value {
        Value::String(text) => text.contains(call).then(|| pointer(field)),
        Value::Array(items) => items.iter().find_map(|item| inside("*", item)),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| inside(name, value)),
        _ => None,
    }
}

fn pointer(field: &[String]) -> String {
    field.iter().map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_marker_names_its_field() {
        let field = ["rows".to_string(), "*".to_string(), "na/me".to_string()];
        let number = number("people.json", &field);
        let answer = json!({ "count": 2, "rows": [{ "na/me": "Ann" }, { "na/me": text(number) }] });
        assert_eq!(field_of(&answer, number).as_deref(), Some("/rows/*/na~1me"));
        assert_eq!(field_of(&answer, number + 1), None);
    }

    #[test]
    fn markup_is_told_from_comparisons() {
        assert!(is_markup("<p>Hello</p>") && is_markup("a <br/> b"));
        assert!(!is_markup("1 < 2") && !is_markup("a <b") && !is_markup("<3"));
    }
}
