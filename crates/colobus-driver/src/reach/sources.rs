//! [`Sources`]: what a server answers while a page opens, asked for once, with its code instrumented.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use colobus_browser::ResourceType;
use colobus_model::UrlParts;
use colobus_reach::line::Line;
use colobus_script::{HEAD, Kind, LogSite, Options, instrument, instrument_document};

/// An answer as the page gets it.
#[derive(Clone, Debug)]
pub struct Source {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Arc<[u8]>,
}

#[derive(Default)]
pub struct Sources {
    answers: HashMap<String, Source>,
    sites: Vec<(Arc<str>, LogSite)>,
    /// What runs as it is, and why.
    pub unparsed: BTreeSet<String>,
    /// Statements by file: the lines that can be a target.
    pub lines: BTreeMap<Arc<str>, BTreeSet<u32>>,
    /// Those of them that a branch begins with.
    pub heads: BTreeMap<Arc<str>, BTreeSet<u32>>,
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
        let (file, site) = self.sites.get(site as usize)?;
        Some(Line { file: file.clone(), number: site.position.line })
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
        let named =
            |name: &'static str| sites.iter().filter(move |site| site.name == name).map(|site| site.position.line);
        self.lines.entry(file.clone()).or_default().extend(named("").chain(named(HEAD)));
        self.heads.entry(file.clone()).or_default().extend(named(HEAD));
        self.texts.insert(file.clone(), text.to_string());
        self.sites.extend(sites.into_iter().map(|site| (file.clone(), site)));
        Some(code)
    }
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
