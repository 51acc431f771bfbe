//! Lines of a recording as texts, as files keep them: the journal and the evidence of findings.

use colobus_record::{Line, Recording, Viewport};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Reads what [`written`] made of lines.
pub fn parse(lines: &[String]) -> Result<Vec<Line>, colobus_record::ParseError> {
    // Lines have no format of their own: they are read as a recording of any size.
    let empty = Recording { viewport: Viewport { width: 1, height: 1 }, lines: Vec::new() };
    Ok(Recording::parse(&(empty.to_string() + &lines.join("\n") + "\n"))?.lines)
}

pub fn written(lines: &[Line]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}

pub fn serialize<S: Serializer>(lines: &[Line], serializer: S) -> Result<S::Ok, S::Error> {
    written(lines).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Line>, D::Error> {
    parse(&Vec::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}
