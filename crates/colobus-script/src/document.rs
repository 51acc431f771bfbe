//! HTML documents whose inline scripts and event-handler attributes log their accesses. [`rewrite_document`] finds them the
//! way a browser's tokenizer does and hands each to [`rewrite`](crate::rewrite). Lines stay where they are, so that positions in the page
//! are positions in its source. `integrity` attributes are taken out, because the scripts they describe are rewritten, too.

use std::ops::Range;

use crate::accesses::{Kind, LogSite, Options, Rewritten, rewrite};
use crate::parse::Unparsed;
use crate::position::{Position, Positions};

/// A rewritten document.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct RewrittenDocument {
    pub html: String,
    /// Site `first_site + n` of the log is `sites[n]`. Positions are those of the document.
    pub sites: Vec<LogSite>,
    /// Scripts that run as they are, with the line where they begin.
    pub unparsed: Vec<(u32, Unparsed)>,
}

/// Makes all code in a document log its accesses, except for what cannot be parsed.
pub fn rewrite_document(html: &str, options: &Options) -> RewrittenDocument {
    rewrite_with(html, options, &|source, kind, options| rewrite(source, kind, options))
}

/// What becomes of the code in a document.
pub(crate) type Rewrite<'a> = dyn Fn(&str, Kind<'_>, &Options) -> Result<Rewritten, Unparsed> + 'a;

pub(crate) fn rewrite_with(html: &str, options: &Options, rewrite: &Rewrite<'_>) -> RewrittenDocument {
    let mut rewritten = RewrittenDocument::default();
    let mut positions = Positions::new(html);
    let mut copied = 0;
    for part in parts(html) {
        let range = match &part {
            Part::Script { text, .. } | Part::Handler { value: text, .. } | Part::Integrity(text) => text.clone(),
        };
        rewritten.html.push_str(&html[copied..range.start]);
        copied = range.end;
        let source = &html[range.clone()];
        let start = positions.of(range.start);
        let first_site = options.first_site + rewritten.sites.len() as u32;
        let code = match part {
            Part::Integrity(_) => continue,
            Part::Script { is_module, .. } => {
                let kind = if is_module { Kind::Module } else { Kind::Script };
                rewrite(source, kind, &Options { first_site })
            }
            Part::Handler { quote, .. } => rewrite(&decoded(source), Kind::HANDLER, &Options { first_site })
                .map(|handler| Rewritten { code: encoded(&handler.code, quote), ..handler }),
        };
        match code {
            Ok(Rewritten { code, sites, .. }) => {
                rewritten.html.push_str(&code);
                rewritten.sites.extend(sites.into_iter().map(|site| moved(site, start)));
            }
            Err(problem) => {
                rewritten.html.push_str(source);
                rewritten.unparsed.push((start.line, problem));
            }
        }
    }
    rewritten.html.push_str(&html[copied..]);
    rewritten
}

/// A site of a part that begins at `start`.
fn moved(site: LogSite, start: Position) -> LogSite {
    let Position { line, column } = site.position;
    let column = if line == 1 { column + start.column - 1 } else { column };
    LogSite { position: Position { line: line + start.line - 1, column }, name: site.name }
}

enum Part {
    /// The text of a script element.
    Script { text: Range<usize>, is_module: bool },
    /// The value of an event-handler attribute, between its quotes.
    Handler { value: Range<usize>, quote: char },
    /// A whole `integrity` attribute.
    Integrity(Range<usize>),
}

struct Attribute {
    whole: Range<usize>,
    name: String,
    value: Range<usize>,
    quote: Option<char>,
}

/// Elements whose content is text up to their end tag.
const RAW: [&str; 8] = ["script", "style", "textarea", "title", "xmp", "noscript", "iframe", "noembed"];

/// Types of scripts that a browser runs.
const JAVASCRIPT: [&str; 6] =
    ["", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript", "module"];

fn parts(html: &str) -> Vec<Part> {
    let bytes = html.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = html[at..].find('<').map(|offset| at + offset) {
        if html[open..].starts_with("<!--") {
            at = html[open..].find("-->").map_or(html.len(), |end| open + end + 3);
            continue;
        }
        if !bytes.get(open + 1).is_some_and(u8::is_ascii_alphabetic) {
            at = open + 1;
            continue;
        }
        let (name, attributes, end) = tag(html, open + 1);
        at = end;
        let value_of = |wanted: &str| {
            let attribute = attributes.iter().find(|attribute| attribute.name == wanted);
            attribute.map(|attribute| html[attribute.value.clone()].trim().to_ascii_lowercase())
        };
        let (kind, has_source) = (value_of("type").unwrap_or_default(), value_of("src").is_some());
        for attribute in attributes {
            match attribute.quote {
                Some(quote) if attribute.name.starts_with("on") => {
                    found.push(Part::Handler { value: attribute.value, quote });
                }
                _ if attribute.name == "integrity" => found.push(Part::Integrity(attribute.whole)),
                _ => {}
            }
        }
        if !RAW.contains(&name.as_str()) {
            continue;
        }
        let end = end_tag(html, at, &name);
        if name == "script" && !has_source && JAVASCRIPT.contains(&kind.as_str()) && end > at {
            found.push(Part::Script { text: at..end, is_module: kind == "module" });
        }
        at = end;
    }
    found
}

/// Where the end tag of a raw element begins; the end of the document if it has none.
fn end_tag(html: &str, from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(close) = html[at..].find("</").map(|offset| at + offset) {
        let rest = &html.as_bytes()[close + 2..];
        if rest.len() >= name.len() && rest[..name.len()].eq_ignore_ascii_case(name.as_bytes()) {
            return close;
        }
        at = close + 2;
    }
    html.len()
}

/// The name and attributes of the tag whose name begins at `start`, and where it ends.
fn tag(html: &str, start: usize) -> (String, Vec<Attribute>, usize) {
    let bytes = html.as_bytes();
    let is_space = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_whitespace);
    let until =
        |from: usize, stop: &dyn Fn(u8) -> bool| (from..bytes.len()).find(|at| stop(bytes[*at])).unwrap_or(bytes.len());
    let mut at = until(start, &|byte| byte.is_ascii_whitespace() || byte == b'>' || byte == b'/');
    let name = html[start..at].to_ascii_lowercase();
    let mut attributes = Vec::new();
    loop {
        while is_space(at) || bytes.get(at) == Some(&b'/') {
            at += 1;
        }
        if at >= bytes.len() || bytes[at] == b'>' {
            return (name, attributes, (at + 1).min(bytes.len()));
        }
        let begin = at;
        // An equals sign at the beginning belongs to the name.
        at = until(at + 1, &|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'/'));
        let attribute = html[begin..at].to_ascii_lowercase();
        let end_of_name = at;
        while is_space(at) {
            at += 1;
        }
        if bytes.get(at) != Some(&b'=') {
            at = end_of_name;
            attributes.push(Attribute { whole: begin..at, name: attribute, value: at..at, quote: None });
            continue;
        }
        at += 1;
        while is_space(at) {
            at += 1;
        }
        let quote = bytes.get(at).copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let value = match quote {
            Some(quote) => at + 1..until(at + 1, &|byte| byte == quote),
            None => at..until(at, &|byte| byte.is_ascii_whitespace() || byte == b'>'),
        };
        at = (value.end + usize::from(quote.is_some())).min(bytes.len());
        attributes.push(Attribute { whole: begin..at, name: attribute, value, quote: quote.map(char::from) });
    }
}

/// The entities that are common in handlers.
const ENTITIES: [(&str, &str); 6] =
    [("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];

fn decoded(value: &str) -> String {
    ENTITIES.iter().fold(value.to_string(), |text, (entity, character)| text.replace(entity, character))
}

fn encoded(code: &str, quote: char) -> String {
    let code = code.replace('&', "&amp;");
    if quote == '"' { code.replace('"', "&quot;") } else { code.replace('\'', "&#39;") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_handlers_are_rewritten_where_they_stand() {
        let html =
            "<!doctype html>\n<p onclick=\"go(&quot;a&quot;)\">\n<script>\nlet x = 1;\nwindow.y = x;</script>\n<b>";
        let rewritten = rewrite_document(html, &Options { first_site: 7 });
        assert_eq!(rewritten.html.lines().count(), html.lines().count());
        assert!(rewritten.html.contains("go(&quot;a&quot;)"), "{}", rewritten.html);
        assert!(rewritten.html.ends_with("</script>\n<b>"));
        let at = |name: &str| rewritten.sites.iter().find(|site| site.name == name).map(|site| site.position);
        assert_eq!(at("go"), Some(Position { line: 2, column: 13 }));
        assert_eq!(at("y").map(|position| position.line), Some(5));
    }

    #[test]
    fn what_is_no_code_stays_as_it_is() {
        for html in [
            "<script src=a.js></script>",
            "<script type=\"application/json\">{\"a\": b}</script>",
            "<!-- <script>a.b = 1</script> -->",
            "<textarea><script>a.b = 1</script></textarea>",
            "<p online>a < b</p>",
            "<",
            "<script",
            "<script>",
            "<p onclick=\"",
        ] {
            assert_eq!(rewrite_document(html, &Options::default()).html, html);
        }
    }

    #[test]
    fn a_script_that_does_not_parse_runs_as_it_is() {
        let html = "<script>\nlet = = 1;</script><script>a.b = 1</script>";
        let rewritten = rewrite_document(html, &Options::default());
        assert_eq!(rewritten.unparsed.len(), 1);
        assert!(rewritten.html.starts_with("<script>\nlet = = 1;</script>"));
        assert!(rewritten.html.contains("__c$"));
    }

    #[test]
    fn integrity_is_taken_out() {
        let html = "<script src='a.js' integrity=\"sha384-x\" async></script>";
        let rewritten = rewrite_document(html, &Options::default());
        assert_eq!(rewritten.html, "<script src='a.js'  async></script>");
    }
}
