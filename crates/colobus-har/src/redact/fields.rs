//! Fields of bodies, by their names: forms, JSON, multipart.

use serde_json::Value;

use super::{REDACTED, forms};
use crate::exchange::Request;

/// The values of these fields of a request.
pub(super) fn values(request: &Request, is_secret: impl Fn(&str) -> bool) -> Vec<String> {
    let content_type = request.header("content-type").unwrap_or_default();
    let content = &request.body.content;
    match Kind::of(content_type, content) {
        Kind::Form(form) => forms::values(form, is_secret),
        Kind::Json(mut json) => {
            let mut found = Vec::new();
            visit(&mut json, &is_secret, &mut |value| match value {
                Value::String(text) => found.push(text.clone()),
                other => found.push(other.to_string()),
            });
            found
        }
        Kind::Multipart(parts) => {
            let secret = parts.into_iter().filter(|part| part.name.as_deref().is_some_and(&is_secret));
            secret.map(|part| String::from_utf8_lossy(&content[part.start..part.end]).into_owned()).collect()
        }
        Kind::Other => Vec::new(),
    }
}

/// The content without the values of these fields; the same bytes if it has none of them.
pub(super) fn without_values(content_type: &str, content: &[u8], is_secret: impl Fn(&str) -> bool) -> Vec<u8> {
    match Kind::of(content_type, content) {
        Kind::Form(form) => forms::without_values(form, is_secret).into_bytes(),
        Kind::Json(mut json) => {
            let mut changed = false;
            visit(&mut json, &is_secret, &mut |value| {
                *value = Value::String(REDACTED.to_owned());
                changed = true;
            });
            if changed { json.to_string().into_bytes() } else { content.to_vec() }
        }
        Kind::Multipart(parts) => {
            let (mut written, mut at) = (Vec::new(), 0);
            for part in parts.iter().filter(|part| part.name.as_deref().is_some_and(&is_secret)) {
                written.extend_from_slice(&content[at..part.start]);
                written.extend_from_slice(REDACTED.as_bytes());
                at = part.end;
            }
            written.extend_from_slice(&content[at..]);
            written
        }
        Kind::Other => content.to_vec(),
    }
}

/// What a body consists of.
enum Kind<'c> {
    Form(&'c str),
    Json(Value),
    Multipart(Vec<Part>),
    Other,
}

impl Kind<'_> {
    fn of<'c>(content_type: &str, content: &'c [u8]) -> Kind<'c> {
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if media_type == "multipart/form-data" {
            return Kind::Multipart(
                boundary(content_type).map(|boundary| parts(content, &boundary)).unwrap_or_default(),
            );
        }
        let Ok(text) = std::str::from_utf8(content) else {
            return Kind::Other;
        };
        if media_type == "application/x-www-form-urlencoded" {
            return Kind::Form(text);
        }
        // Whatever its type says: messages of sockets have none, and servers are not careful.
        let may_be_json = text.trim_start().starts_with(['{', '[']);
        match may_be_json.then(|| serde_json::from_str(text)) {
            Some(Ok(json)) => Kind::Json(json),
            _ => Kind::Other,
        }
    }
}

fn visit(json: &mut Value, is_secret: &impl Fn(&str) -> bool, found: &mut impl FnMut(&mut Value)) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(|item| visit(item, is_secret, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::Array(_) | Value::Object(_) => visit(value, is_secret, found),
                    Value::Null | Value::Bool(_) => {}
                    _ if is_secret(name) => found(value),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// A part of a multipart body: its name, and where its content is.
struct Part {
    name: Option<String>,
    start: usize,
    end: usize,
}

fn boundary(content_type: &str) -> Option<String> {
    let parameters = content_type.split(';').skip(1);
    let mut values = parameters.filter_map(|parameter| parameter.trim().split_once('='));
    let (_, boundary) = values.find(|(name, _)| name.eq_ignore_ascii_case("boundary"))?;
    Some(boundary.trim_matches('"').to_owned()).filter(|boundary| !boundary.is_empty())
}

fn parts(content: &[u8], boundary: &str) -> Vec<Part> {
    let delimiter = format!("--{boundary}");
    let borders = positions(content, delimiter.as_bytes());
    let mut parts = Vec::new();
    for (index, border) in borders.iter().enumerate() {
        // What is cut off has no last border: it ends where the bytes do.
        let end = borders.get(index + 1).map_or(content.len(), |next| next.saturating_sub(2).max(*border));
        let whole = &content[*border..end];
        if let Some(head) = positions(whole, b"\r\n\r\n").first() {
            let name = part_name(&String::from_utf8_lossy(&whole[..*head]));
            parts.push(Part { name, start: border + head + 4, end: end.max(border + head + 4) });
        }
    }
    parts
}

fn part_name(head: &str) -> Option<String> {
    let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))?;
    let mut parameters = line.split(';').skip(1).filter_map(|parameter| parameter.trim().split_once('='));
    let (_, name) = parameters.find(|(name, _)| name.eq_ignore_ascii_case("name"))?;
    Some(name.trim_matches('"').to_owned())
}

fn positions(content: &[u8], wanted: &[u8]) -> Vec<usize> {
    let windows = content.windows(wanted.len()).enumerate();
    windows.filter(|(_, window)| *window == wanted).map(|(index, _)| index).collect()
}
