//! [`Sources`]: what a server answers while a page opens, asked for once, with its code instrumented.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use colobus_browser::ResourceType;
use colobus_model::UrlParts;
use colobus_reach::line::Line;
use colobus_script::{HEAD, Kind, LogSite, Options, Position, instrument, instrument_document};

use crate::race::MappedScripts;

/// An answer as the page gets it.
#[derive(Clone, Debug)]
pub struct Source {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Arc<[u8]>,
}

/// A place that the instrumenter has numbered.
struct Site {
    url: Arc<str>,
    file: Arc<str>,
    log: LogSite,
}

/// Positions in files that a server sends, by the line that they belong to.
pub type Places = BTreeMap<Line, Vec<(Arc<str>, Position)>>;

#[derive(Default)]
pub struct Sources {
    answers: HashMap<String, Source>,
    sites: Vec<Site>,
    maps: MappedScripts,
    /// Addresses of maps that were not asked for yet.
    wanted_maps: Vec<String>,
    /// What runs as it is, and why.
    pub unparsed: BTreeSet<String>,
    /// Statements by file: the lines that can be a target.
    pub lines: BTreeMap<Arc<str>, BTreeSet<u32>>,
    /// Those of them that a branch begins with.
    pub heads: BTreeMap<Arc<str>, BTreeSet<u32>>,
    /// Where in the files that the server sends the statements of an original line stand.
    pub places: Places,
    /// Where branches begin, by their lines: several may begin on one.
    pub head_places: Places,
    /// The code as the server sent it.
    pub texts: BTreeMap<Arc<str>, String>,
    /// Files that belong to libraries: they run as they are.
    pub libraries: BTreeSet<Arc<str>>,
}

/// Headers that describe the bytes as they were sent, or forbid what is added here.
const LEFT_OUT: [&str; 5] =
    ["content-encoding", "content-length", "transfer-encoding", "content-security-policy", "set-cookie"];

impl Sources {
    pub fn get(&self, url: &str) -> Option<Source> {
        self.answers.get(url).cloned()
    }

    /// Where a site stands.
    pub fn line(&self, site: u32) -> Option<Line> {
        let site = self.sites.get(site as usize)?;
        Some(self.original(site).unwrap_or_else(|| site.line()))
    }

    /// The line that a developer wrote, if a source map tells it.
    fn original(&self, site: &Site) -> Option<Line> {
        let map = self.maps.map(&site.url)?;
        let (source, position) = map.original(site.log.position)?;
        Some(Line { file: original_file(source).into(), number: position.line })
    }

    /// The original line of the statement at a line that the server sends, or before it; nothing if its file has no source map.
    pub fn original_of(&self, sent: &Line) -> Option<Line> {
        let of_file = self.sites.iter().filter(|site| site.file == sent.file && site.is_statement());
        let before = of_file.filter(|site| site.log.position.line <= sent.number);
        self.original(before.max_by_key(|site| site.log.position)?)
    }

    /// The maps that scripts name, each once.
    pub fn take_wanted_maps(&mut self) -> Vec<String> {
        std::mem::take(&mut self.wanted_maps)
    }

    /// Says again which lines there are: a map gives them other names.
    fn name_lines(&mut self) {
        (self.lines, self.heads, self.places, self.head_places) = Default::default();
        for site in self.sites.iter().filter(|site| site.is_statement()) {
            let original = self.original(site);
            let line = original.clone().unwrap_or_else(|| site.line());
            let place = (site.file.clone(), site.log.position);
            if original.is_some() {
                self.places.entry(line.clone()).or_default().push(place.clone());
                if is_library(&line.file) {
                    self.libraries.insert(line.file);
                    continue;
                }
            }
            self.lines.entry(line.file.clone()).or_default().insert(line.number);
            if site.log.name == HEAD {
                self.head_places.entry(line.clone()).or_default().push(place);
                self.heads.entry(line.file).or_default().insert(line.number);
            }
        }
    }

    /// Keeps an answer, with its code instrumented.
    pub fn keep(
        &mut self,
        url: &str,
        use_: ResourceType,
        status: u16,
        headers: Vec<(String, String)>,
        body: &[u8],
    ) -> Source {
        if status < 400 && self.maps.wants(url) && self.maps.add_map(url, body) {
            self.name_lines();
        }
        let code = match use_ {
            ResourceType::Document | ResourceType::Script if status < 400 => self.instrumented(url, use_, body),
            _ => None,
        };
        let headers = headers
            .into_iter()
            .filter(|(name, _)| !LEFT_OUT.iter().any(|other| name.eq_ignore_ascii_case(other)))
            .collect();
        let source =
            Source { status, headers, body: code.map_or_else(|| body.into(), |code| code.into_bytes().into()) };
        self.answers.insert(url.to_string(), source.clone());
        source
    }

    fn instrumented(&mut self, url: &str, use_: ResourceType, body: &[u8]) -> Option<String> {
        let file: Arc<str> = file_of(url).into();
        if use_ == ResourceType::Script && is_library(&file) {
            self.libraries.insert(file);
            return None;
        }
        let Ok(text) = std::str::from_utf8(body) else {
            self.unparsed.insert(format!("{file} is not UTF-8: it runs as it is, and is not followed"));
            return None;
        };
        let options = Options { first_site: u32::try_from(self.sites.len()).unwrap_or(u32::MAX) };
        let (code, sites) = if use_ == ResourceType::Document {
            let document = instrument_document(text, &options);
            let problems = document.unparsed.iter();
            self.unparsed.extend(problems.map(|(line, problem)| format!("{file}:{line}: {problem}")));
            (document.html, document.sites)
        } else {
            // What only a module may contain is no script.
            let tried = instrument(text, Kind::Script, &options).or_else(|_| instrument(text, Kind::Module, &options));
            match tried {
                Ok(instrumented) => (instrumented.code, instrumented.sites),
                Err(problem) => {
                    self.unparsed.insert(format!("{file}: {problem}"));
                    return None;
                }
            }
        };
        if use_ == ResourceType::Script {
            self.wanted_maps.extend(self.maps.add(url, body));
        }
        self.texts.insert(file.clone(), text.to_string());
        let url: Arc<str> = url.into();
        self.sites.extend(sites.into_iter().map(|log| Site { url: url.clone(), file: file.clone(), log }));
        self.name_lines();
        Some(code)
    }
}

impl Site {
    fn line(&self) -> Line {
        Line { file: self.file.clone(), number: self.log.position.line }
    }

    fn is_statement(&self) -> bool {
        self.log.name.is_empty() || self.log.name == HEAD
    }
}

/// What a person calls a source of a map: its path, without what stands for the bundler and its folder.
fn original_file(source: &str) -> String {
    let path = source.split_once("://").map_or(source, |(_, rest)| rest.split_once('/').map_or(rest, |(_, path)| path));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect::<Vec<_>>().join("/")
}

/// Whether a file is a library by its path: frameworks run concretely.
fn is_library(file: &str) -> bool {
    let folders = ["node_modules", "vendor", "bower_components"];
    file.split('/').any(|part| folders.contains(&part)) || file.ends_with(".min.js")
}

/// What a person calls the file at an address: its path, without the query.
pub fn file_of(url: &str) -> String {
    match UrlParts::path_of(url).trim_matches('/') {
        "" => "index.html".to_string(),
        path => path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "let a=1;function f(){if(a>2){a=3}}\n//# sourceMappingURL=app.js.map";
    /// `a=3` of the first line comes from line 5 of the source.
    const MAP: &str =
        r#"{"version": 3, "sources": ["webpack://shop/./src/list.ts"], "mappings": "AAAA,QAEA,aACI,QACI"}"#;

    fn kept() -> Sources {
        let mut sources = Sources::default();
        sources.keep("http://h/js/app.js", ResourceType::Script, 200, Vec::new(), CODE.as_bytes());
        sources
    }

    #[test]
    fn lines_have_the_names_of_the_sources_as_soon_as_a_map_tells_them() {
        let mut sources = kept();
        assert_eq!(sources.lines.keys().map(|file| &**file).collect::<Vec<_>>(), ["js/app.js"]);
        let wanted = sources.take_wanted_maps();
        assert_eq!(wanted, ["http://h/js/app.js.map"]);
        sources.keep(&wanted[0], ResourceType::Other, 200, Vec::new(), MAP.as_bytes());
        assert_eq!(sources.lines["src/list.ts"], [1, 3, 4, 5].into());
        assert_eq!(sources.heads["src/list.ts"], [4, 5].into());
        let line: Line = "src/list.ts:5".parse().unwrap();
        assert_eq!(sources.places[&line], [("js/app.js".into(), Position { line: 1, column: 30 })]);
        assert_eq!(sources.original_of(&"js/app.js:1".parse().unwrap()), Some(line));
    }

    #[test]
    fn what_is_no_map_changes_nothing() {
        for (status, map) in [(404, MAP), (200, "nonsense")] {
            let mut sources = kept();
            sources.keep("http://h/js/app.js.map", ResourceType::Other, status, Vec::new(), map.as_bytes());
            assert_eq!(sources.lines.keys().map(|file| &**file).collect::<Vec<_>>(), ["js/app.js"]);
            assert_eq!(sources.original_of(&"js/app.js:1".parse().unwrap()), None);
        }
    }

    #[test]
    fn sources_are_called_by_their_paths() {
        let names = ["webpack:///./src/a.ts?x", "../src/a.ts", "src/a.ts", "webpack://shop/src/a.ts"];
        assert!(names.iter().all(|name| original_file(name) == "src/a.ts"));
    }
}
