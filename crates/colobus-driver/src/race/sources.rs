//! [`Sources`]: how positions in scripts are called: by the source that a source map names, or by the script itself. The
//! same for code as it is and for rewritten code.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use colobus_model::UrlParts;
use colobus_race::model::Site;
use colobus_script::{Position, SourceMap, source_map_address};

use super::rewriting::file_of;

/// Lines that are longer are those of a minified script: without a column they say nothing.
const LONGEST_LINE: usize = 500;
/// Larger maps are not read.
const LARGEST_MAP: usize = 50 << 20;

/// The scripts of one execution, by their addresses.
#[derive(Default)]
pub struct Sources {
    scripts: HashMap<String, Script>,
    /// Which script waits for the map at an address.
    wanted: HashMap<String, String>,
}

#[derive(Default)]
struct Script {
    map: Option<Arc<SourceMap>>,
    long_lines: HashSet<u32>,
}

impl Sources {
    /// Takes note of a script. The address of its map, if that has to be asked for.
    pub fn add(&mut self, url: &str, body: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(body).ok()?;
        let long = text.lines().enumerate().filter(|(_, line)| line.len() > LONGEST_LINE);
        let long_lines = long.filter_map(|(index, _)| u32::try_from(index + 1).ok()).collect();
        let script = self.scripts.entry(url.to_string()).or_default();
        script.long_lines = long_lines;
        let address = source_map_address(text)?;
        match address.strip_prefix("data:") {
            Some(data) => {
                let (_, encoded) = data.split_once(";base64,")?;
                let map = BASE64.decode(encoded).ok()?;
                script.map = read(&map);
                None
            }
            None => {
                let address = UrlParts::resolve(url, address)?;
                self.wanted.insert(address.clone(), url.to_string());
                Some(address)
            }
        }
    }

    pub fn wants(&self, address: &str) -> bool {
        self.wanted.contains_key(address)
    }

    /// A map that was asked for; false if it cannot be read.
    pub fn add_map(&mut self, address: &str, map: &[u8]) -> bool {
        let Some(script) = self.wanted.get(address).and_then(|url| self.scripts.get_mut(url)) else { return false };
        script.map = read(map);
        script.map.is_some()
    }

    pub fn map(&self, url: &str) -> Option<Arc<SourceMap>> {
        self.scripts.get(url)?.map.clone()
    }

    /// What a position of a script, as its server sent it, is called.
    pub fn site(&self, url: &str, at: Position) -> Site {
        let script = self.scripts.get(url);
        if let Some((source, from)) = script.and_then(|script| script.map.as_ref()?.original(at)) {
            return Site::new(file_of(source), from.line);
        }
        let is_long = script.is_some_and(|script| script.long_lines.contains(&at.line));
        Site { column: is_long.then_some(at.column), ..Site::new(file_of(url), at.line) }
    }
}

fn read(map: &[u8]) -> Option<Arc<SourceMap>> {
    let text = std::str::from_utf8(map).ok().filter(|text| text.len() <= LARGEST_MAP)?;
    SourceMap::parse(text).ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = r#"{"version": 3, "sources": ["webpack://app/src/list.ts"], "mappings": "AAAA,UAEI"}"#;

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn positions_are_called_by_what_developers_wrote() {
        let mut sources = Sources::default();
        let url = "http://h/js/app.js?v=1";
        assert_eq!(sources.add(url, b"x;\n//# sourceMappingURL=app.js.map"), Some("http://h/js/app.js.map".into()));
        assert_eq!(sources.site(url, at(1, 12)).to_string(), "app.js:1");
        assert!(sources.wants("http://h/js/app.js.map") && sources.add_map("http://h/js/app.js.map", MAP.as_bytes()));
        assert_eq!(sources.site(url, at(1, 12)).to_string(), "list.ts:3");
        let inline = format!("x;\n//# sourceMappingURL=data:application/json;base64,{}", BASE64.encode(MAP));
        assert_eq!(sources.add("http://h/b.js", inline.as_bytes()), None);
        assert_eq!(sources.site("http://h/b.js", at(1, 1)).to_string(), "list.ts:1");
    }

    #[test]
    fn minified_scripts_without_a_map_have_columns() {
        let mut sources = Sources::default();
        sources.add("http://h/min.js", format!("{}\nshort", "x;".repeat(400)).as_bytes());
        assert_eq!(sources.site("http://h/min.js", at(1, 300)).to_string(), "min.js:1:300");
        assert_eq!(sources.site("http://h/min.js", at(2, 3)).to_string(), "min.js:2");
        assert_eq!(sources.site("http://h/unknown.js", at(2, 3)).to_string(), "unknown.js:2");
    }
}
