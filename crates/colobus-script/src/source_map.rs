//! [`SourceMap`]: where in the sources that a developer wrote a position of a bundle comes from. Read from what bundlers
//! write (version 3, without sections); what contradicts itself has no answer, and is never believed.

use serde::Deserialize;

use crate::position::Position;

/// The map of one script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceMap {
    sources: Vec<String>,
    /// In the order of the bundle.
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    /// In the bundle, from 1.
    at: Position,
    /// None: from here on the bundle's own code.
    from: Option<(usize, Position)>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSourceMap {
    #[error("the source map cannot be read: {0}")]
    Unreadable(String),
    #[error("the source map has version {0}; only version 3 is known")]
    Version(u32),
    #[error("the mappings of the source map are damaged at character {0}")]
    Mappings(usize),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    version: u32,
    #[serde(default)]
    source_root: Option<String>,
    sources: Vec<Option<String>>,
    mappings: String,
}

impl SourceMap {
    pub fn parse(text: &str) -> Result<SourceMap, BadSourceMap> {
        // Servers may put this in front, so that the file is no script.
        let text = text.strip_prefix(")]}'").unwrap_or(text);
        let file: File = serde_json::from_str(text).map_err(|error| BadSourceMap::Unreadable(error.to_string()))?;
        if file.version != 3 {
            return Err(BadSourceMap::Version(file.version));
        }
        let root = file.source_root.unwrap_or_default();
        let sources = file.sources.into_iter().map(|source| format!("{root}{}", source.unwrap_or_default()));
        Ok(SourceMap { sources: sources.collect(), segments: segments(&file.mappings)? })
    }

    /// The source and the position in it that a position of the bundle comes from.
    pub fn original(&self, at: Position) -> Option<(&str, Position)> {
        let until = self.segments.partition_point(|segment| segment.at <= at);
        let segment = self.segments[..until].last().filter(|segment| segment.at.line == at.line)?;
        let (source, position) = segment.from?;
        Some((self.sources.get(source)?, position))
    }
}

/// The address that a script names as that of its map: in its last comment of this kind.
pub fn source_map_address(script: &str) -> Option<&str> {
    let start = script.rfind("# sourceMappingURL=").filter(|at| script[..*at].ends_with("//"))?;
    let address = script[start..].split_once('=')?.1;
    address.split(char::is_whitespace).next().filter(|address| !address.is_empty())
}

fn segments(mappings: &str) -> Result<Vec<Segment>, BadSourceMap> {
    let mut segments = Vec::new();
    let (mut line, mut column, mut source, mut from_line, mut from_column) = (1_u32, 0_i64, 0_i64, 0_i64, 0_i64);
    let mut offset = 0;
    for text in mappings.split(';') {
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let fields = fields(part).ok_or(BadSourceMap::Mappings(offset))?;
            let number = |sum: &mut i64, by: i64| {
                *sum += by;
                u32::try_from(*sum).map_err(|_| BadSourceMap::Mappings(offset))
            };
            let at = Position { line, column: number(&mut column, fields[0])?.saturating_add(1) };
            let from = match fields[1..] {
                [to_source, to_line, to_column, ..] => {
                    let source = number(&mut source, to_source)?;
                    let line = number(&mut from_line, to_line)?.saturating_add(1);
                    let column = number(&mut from_column, to_column)?.saturating_add(1);
                    Some((source as usize, Position { line, column }))
                }
                _ => None,
            };
            segments.push(Segment { at, from });
            offset += part.len() + 1;
        }
        (line, column) = (line.saturating_add(1), 0);
    }
    segments.sort_by_key(|segment| segment.at);
    Ok(segments)
}

/// Numbers of any length in digits of base 64, the sign last: one, four or five of them.
fn fields(part: &str) -> Option<Vec<i64>> {
    let mut fields = Vec::new();
    let (mut value, mut shift) = (0_i64, 0_u32);
    for byte in part.bytes() {
        let digit = i64::from(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        });
        // Longer numbers are no positions.
        if shift > 30 {
            return None;
        }
        value |= (digit & 31) << shift;
        shift += 5;
        if digit & 32 == 0 {
            fields.push(if value & 1 == 1 { -(value >> 1) } else { value >> 1 });
            (value, shift) = (0, 0);
        }
    }
    (shift == 0 && matches!(fields.len(), 1 | 4 | 5)).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn positions_of_a_bundle_lead_to_their_sources() {
        // Column 1 comes from a.js:1:1, column 11 from b.js:3:5, column 21 from nowhere; the second line from a.js:2:1.
        let map =
            r#")]}'{"version": 3, "sourceRoot": "src/", "sources": ["a.js", "b.js"], "mappings": "AAAA,UCEI,U;ADDJ"}"#;
        let map = SourceMap::parse(map).unwrap();
        assert_eq!(map.original(at(1, 4)), Some(("src/a.js", at(1, 1))));
        assert_eq!(map.original(at(1, 11)), Some(("src/b.js", at(3, 5))));
        assert_eq!(map.original(at(1, 30)), None);
        assert_eq!(map.original(at(2, 9)), Some(("src/a.js", at(2, 1))));
        assert_eq!(map.original(at(3, 1)), None);
    }

    #[test]
    fn maps_that_lie_are_not_believed() {
        let parse = |mappings: &str| {
            SourceMap::parse(&format!(r#"{{"version": 3, "sources": ["a.js"], "mappings": "{mappings}"}}"#))
        };
        for damaged in ["AAA", "A?AA", "gggggggggggA", "DAAA", "AADA"] {
            assert!(matches!(parse(damaged), Err(BadSourceMap::Mappings(_))), "{damaged}");
        }
        assert_eq!(parse("AAEAA").unwrap().original(at(1, 1)), Some(("a.js", at(3, 1))));
        assert_eq!(parse("ACAA").unwrap().original(at(1, 1)), None, "a source that is not there");
        assert_eq!(SourceMap::parse(r#"{"version": 2, "sources": [], "mappings": ""}"#), Err(BadSourceMap::Version(2)));
        assert!(matches!(SourceMap::parse("<html>"), Err(BadSourceMap::Unreadable(_))));
    }

    #[test]
    fn a_script_names_its_map_at_its_end() {
        assert_eq!(source_map_address("a;\n//# sourceMappingURL=app.js.map\n"), Some("app.js.map"));
        assert_eq!(source_map_address("'# sourceMappingURL=x'"), None);
        assert_eq!(source_map_address("a;"), None);
    }
}
