//! [`Rewriter`]: answers with their code rewritten, and the table of [`Sites`] that explains the numbers in the page's log.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use colobus_model::{UrlParts, matches_pattern};
use colobus_race::model::Site;
use colobus_script::{
    Kind, LogSite, Options, Position, PositionMap, SourceMap, rewrite, rewrite_document, rewrite_library,
};

/// Where in the sources each number of the log stands.
#[derive(Default)]
pub struct Sites(Vec<(Arc<str>, LogSite)>);

/// Rewrites each source once: its sites have the same numbers in every execution.
#[derive(Default)]
pub struct Rewriter {
    pub sites: Sites,
    /// Patterns for the addresses of scripts that are not looked into.
    libraries: Vec<String>,
    known: HashMap<(String, Vec<u8>), Arc<[u8]>>,
    /// By the address of a script.
    positions: HashMap<String, PositionMap>,
    /// Code that pages made, by what they asked.
    made: HashMap<String, Option<String>>,
    /// What runs as it is, and why.
    unparsed: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Document,
    Script,
    Module,
}

impl Sites {
    pub fn get(&self, number: u32) -> Option<Site> {
        let (file, site) = self.0.get(number as usize)?;
        let position = site.position;
        Some(Site { file: file.to_string(), line: position.line, column: Some(position.column) })
    }

    /// The property or variable at a site.
    pub fn name(&self, number: u32) -> Option<String> {
        self.0.get(number as usize).map(|(_, site)| site.name.clone())
    }
}

impl Rewriter {
    /// One that does not look into scripts with these addresses.
    pub fn with_libraries(libraries: &[String]) -> Rewriter {
        Rewriter { libraries: libraries.to_vec(), ..Rewriter::default() }
    }

    /// The source with its accesses logged; as it is if it cannot be read.
    pub fn rewritten(&mut self, url: &str, body: &[u8], source: Source, map: Option<&SourceMap>) -> Arc<[u8]> {
        let key = (url.to_string(), body.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let rewritten: Arc<[u8]> =
            self.rewrite(url, body, source, map).map_or_else(|| body.into(), |code| code.into_bytes().into());
        self.known.insert(key, rewritten.clone());
        rewritten
    }

    /// Code that a page made while it ran: `[kind, parameters, code]` as JSON. None if it must run as it is.
    pub fn rewritten_at_once(&mut self, asked: &str) -> Option<String> {
        if let Some(known) = self.made.get(asked) {
            return known.clone();
        }
        let (kind, parameters, code): (String, String, String) = serde_json::from_str(asked).ok()?;
        let options = Options { first_site: u32::try_from(self.sites.0.len()).unwrap_or(u32::MAX) };
        let parameters = parameters.as_str();
        let function = |is_async, is_generator| Kind::Function { parameters, is_async, is_generator };
        let kind = match kind.as_str() {
            "script" => Some(Kind::Script),
            "eval" => Some(Kind::Eval { around: parameters }),
            "function" => Some(function(false, false)),
            "async function" => Some(function(true, false)),
            "generator" => Some(function(false, true)),
            "async generator" => Some(function(true, true)),
            _ => None,
        };
        let made = match kind {
            Some(kind) => rewrite(&code, kind, &options).ok().map(|made| (made.code, made.sites)),
            None => Some(rewrite_document(&code, &options)).map(|made| (made.html, made.sites)),
        };
        let rewritten = made.map(|(rewritten, sites)| {
            let file: Arc<str> = name_of_made(&code).into();
            self.sites.0.extend(sites.into_iter().map(|site| (file.clone(), site)));
            rewritten
        });
        self.made.insert(asked.to_string(), rewritten.clone());
        rewritten
    }

    /// Where a position of a rewritten script stands in the script as its server sent it.
    pub fn original(&self, url: &str, rewritten: Position) -> Position {
        self.positions.get(url).map_or(rewritten, |positions| positions.original(rewritten))
    }

    fn rewrite(&mut self, url: &str, body: &[u8], source: Source, map: Option<&SourceMap>) -> Option<String> {
        let file = file_of(url);
        let Ok(text) = std::str::from_utf8(body) else {
            self.unparsed.insert(format!("{file} is not UTF-8: it runs as it is, and its accesses stay unknown"));
            return None;
        };
        let options = Options { first_site: u32::try_from(self.sites.0.len()).unwrap_or(u32::MAX) };
        let (code, sites) = match source {
            Source::Document => {
                let document = rewrite_document(text, &options);
                let problems = document.unparsed.iter();
                self.unparsed.extend(problems.map(|(line, problem)| format!("{file}:{line}: {problem}")));
                (document.html, document.sites)
            }
            Source::Script | Source::Module => {
                let kind = if source == Source::Module { Kind::Module } else { Kind::Script };
                let is_library = self.libraries.iter().any(|pattern| matches_pattern(pattern, url));
                let read = |kind| match is_library {
                    true => rewrite_library(text, kind, &file, &options),
                    false => rewrite(text, kind, &options),
                };
                // An imported module looks like any script until it is read.
                match read(kind).or_else(|problem| read(Kind::Module).map_err(|_| problem)) {
                    Ok(rewritten) => {
                        self.positions.insert(url.to_string(), rewritten.positions);
                        (rewritten.code, rewritten.sites)
                    }
                    Err(problem) => {
                        self.unparsed.insert(format!("{file}: {problem}"));
                        return None;
                    }
                }
            }
        };
        let file: Arc<str> = file.into();
        let written = |site: LogSite| match map.and_then(|map| map.original(site.position)) {
            Some((source, position)) => (file_of(source).into(), LogSite { position, ..site }),
            None => (file.clone(), site),
        };
        self.sites.0.extend(sites.into_iter().map(written));
        Some(code)
    }

    pub fn unparsed(&self) -> impl Iterator<Item = &String> {
        self.unparsed.iter()
    }
}

/// What a person calls code that a page made: by the name that it gives itself, or else by its beginning.
fn name_of_made(code: &str) -> String {
    if let Some((_, url)) = code.rsplit_once("//# sourceURL=") {
        return file_of(url.lines().next().unwrap_or_default().trim());
    }
    let beginning: String =
        code.split_whitespace().flat_map(|word| [word, " "]).collect::<String>().chars().take(24).collect();
    format!("eval({}…)", beginning.trim_end())
}

/// What a person calls the file at an address: its last part, without the query.
pub fn file_of(url: &str) -> String {
    match UrlParts::path_of(url).trim_end_matches('/').rsplit('/').next() {
        Some(name) if !name.is_empty() => name.to_string(),
        _ => "page".to_string(),
    }
}

/// The document without what rewriting put into its handlers.
pub fn as_written(dom: &str) -> String {
    if !dom.contains(RUNTIME) {
        return dom.to_string();
    }
    let line = |line: &str| match MARKS.iter().find(|mark| line.contains(RUNTIME) && line.contains(**mark)) {
        Some(mark) => line.split(mark).step_by(2).collect::<String>(),
        None => line.to_string(),
    };
    dom.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What rewritten code calls.
const RUNTIME: &str = "__c$";
/// Inserted text stands between two of these, as JSON writes them.
const MARKS: [&str; 3] = ["\\f", "\\u000b", "\u{feff}"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_as_people_call_them() {
        assert_eq!(file_of("http://127.0.0.1:80/js/app.js?v=1"), "app.js");
        assert_eq!(file_of("http://127.0.0.1:80/"), "page");
        assert_eq!(file_of("http://127.0.0.1"), "page");
        assert_eq!(file_of("http://host/list/?x=/a"), "list");
    }

    #[test]
    fn code_that_a_page_makes_is_called_by_its_beginning() {
        let mut rewriter = Rewriter::default();
        let asked = r#"["function", "a", "return a.b;"]"#;
        let first = rewriter.rewritten_at_once(asked).unwrap();
        assert!(first.contains("__c$"), "{first}");
        assert_eq!(rewriter.rewritten_at_once(asked), Some(first), "its sites are the same every time");
        assert_eq!(rewriter.sites.get(0).unwrap().to_string(), "eval(return a.b;…):1:10");
        assert_eq!(rewriter.rewritten_at_once(r#"["script", "", "= ="]"#), None);
        assert_eq!(rewriter.rewritten_at_once("nonsense"), None);
        assert_eq!(name_of_made("x\n//# sourceURL=webpack://app/src/list.js"), "list.js");
    }

    #[test]
    fn sites_of_several_sources_do_not_meet() {
        let mut rewriter = Rewriter::default();
        rewriter.rewritten("http://h/a.js", b"a.b = 1;", Source::Script, None);
        let first = rewriter.sites.0.len();
        rewriter.rewritten("http://h/c.js", b"\nc.d = 1;", Source::Script, None);
        rewriter.rewritten("http://h/a.js", b"a.b = 1;", Source::Script, None);
        let site = rewriter.sites.get(first as u32).unwrap();
        assert_eq!((site.file.as_str(), site.line), ("c.js", 2));
        assert!(rewriter.rewritten("http://h/x.js", b"= =", Source::Script, None).starts_with(b"= ="));
        assert_eq!(rewriter.unparsed().count(), 1);
    }

    #[test]
    fn handlers_are_shown_as_they_were_written() {
        let rewritten = r#"<p onclick="\f__c$.b(__c$.G(\"go\",2),\fgo()\f)\f;">"#;
        assert_eq!(as_written(rewritten), r#"<p onclick="go();">"#);
        assert_eq!(as_written("a\nb"), "a\nb");
    }
}
