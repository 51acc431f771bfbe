//! Fields of form bodies: URL-encoded and multipart. Consumed by [`Request`](crate::Request), which counts them as
//! parameters.

use crate::exchange::Body;
use crate::url::pairs;

/// The fields of a form, `None` if the body is none. Of an uploaded file only the name counts.
pub(crate) fn fields(body: &Body) -> Option<Vec<(String, String)>> {
    match body.media_type().as_str() {
        "application/x-www-form-urlencoded" => Some(pairs(&String::from_utf8_lossy(&body.content))),
        "multipart/form-data" => Some(multipart(body)),
        _ => None,
    }
}

fn multipart(body: &Body) -> Vec<(String, String)> {
    let Some(boundary) = attribute(&body.content_type, "boundary") else { return Vec::new() };
    let text = String::from_utf8_lossy(&body.content);
    let delimiter = format!("--{boundary}");
    text.split(&delimiter).skip(1).filter_map(field).collect()
}

fn field(part: &str) -> Option<(String, String)> {
    let part = part.strip_prefix("\r\n").or_else(|| part.strip_prefix('\n'))?;
    let (head, content) = part.split_once("\r\n\r\n").or_else(|| part.split_once("\n\n"))?;
    let disposition = head.lines().find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))?;
    let value = match attribute(disposition, "filename") {
        Some(file) => file,
        None => content.strip_suffix("\r\n").or_else(|| content.strip_suffix('\n')).unwrap_or(content).to_string(),
    };
    Some((attribute(disposition, "name")?, value))
}

/// An attribute of a header: `name="x"` or `name=x`.
fn attribute(header: &str, name: &str) -> Option<String> {
    let wanted = format!("{name}=");
    let found = header.split(';').map(str::trim).find(|part| part.to_ascii_lowercase().starts_with(&wanted))?;
    Some(found[wanted.len()..].trim_matches('"').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multipart_fields_and_file_names() {
        let content = "--xyz\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nHello\r\n--xyz\r\n\
                       Content-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n\
                       Content-Type: image/png\r\n\r\n\u{0}\u{1}\r\n--xyz--\r\n";
        let body = Body::new("multipart/form-data; boundary=xyz", content);
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(fields(&body), Some(vec![pair("title", "Hello"), pair("photo", "a.png")]));
        assert_eq!(fields(&Body::new("multipart/form-data", content)), Some(vec![]), "no boundary");
        assert_eq!(fields(&Body::new("text/plain", "a=b")), None);
    }
}
