//! [`TextContent`]: the text of a document, as passages in which words can be counted. The application's own document tells
//! it best; where there is none, what can be seen does.

use colobus_model::Observation;
use serde_json::Value;

/// Pieces of text, each without a break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextContent(Vec<String>);

impl TextContent {
    /// What the document says, or else what the client shows; `None` if neither was observed.
    pub fn of(observation: &Observation) -> Option<TextContent> {
        TextContent::in_document(observation).or_else(|| TextContent::on_screen(observation))
    }

    pub fn in_document(observation: &Observation) -> Option<TextContent> {
        let mut passages = Vec::new();
        read(observation.state.as_ref()?, &mut passages);
        Some(TextContent(passages))
    }

    pub fn on_screen(observation: &Observation) -> Option<TextContent> {
        observation.text.clone().map(TextContent)
    }

    pub fn passages(&self) -> &[String] {
        &self.0
    }

    /// What fits on a line.
    pub fn brief(&self) -> String {
        let text = self.0.join("\n");
        let shown: String = text.chars().take(80).map(|c| if c == '\n' { '⏎' } else { c }).collect();
        if text.chars().count() > 80 { format!("{shown}…") } else { shown }
    }

    /// How often the word stands there, unbroken.
    pub fn count(&self, word: &str) -> usize {
        self.0.iter().map(|passage| passage.matches(word).count()).sum()
    }
}

/// Strings are passages. Of a list of objects, which is how most formats write text whose formatting changes, equal fields
/// of neighbours are one passage: `[{insert: "ab"}, {insert: "c", bold: true}]` says `abc`.
fn read(value: &Value, passages: &mut Vec<String>) {
    match value {
        Value::String(text) => passages.push(text.clone()),
        Value::Object(fields) => fields.values().for_each(|value| read(value, passages)),
        Value::Array(items) => {
            let mut joined: Vec<(&String, String)> = Vec::new();
            for item in items {
                let Value::Object(fields) = item else {
                    joined.drain(..).for_each(|(_, text)| passages.push(text));
                    read(item, passages);
                    continue;
                };
                for (key, value) in fields {
                    let Value::String(text) = value else {
                        read(value, passages);
                        continue;
                    };
                    match joined.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, passage)) => passage.push_str(text),
                        None => joined.push((key, text.clone())),
                    }
                }
            }
            passages.extend(joined.into_iter().map(|(_, text)| text));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn writing(state: Value) -> TextContent {
        TextContent::in_document(&Observation { state: Some(state), ..Observation::default() }).unwrap()
    }

    #[test]
    fn formatting_does_not_cut_a_word_and_blocks_do() {
        let delta = writing(json!([{"insert": "bq"}, {"insert": "d", "attributes": {"bold": true}}, {"insert": "\n"}]));
        assert_eq!(delta.count("bqd"), 1);
        let paragraph =
            |texts: [&str; 2]| json!({"type": "paragraph", "content": texts.map(|text| json!({"text": text}))});
        let document =
            writing(json!({"content": [paragraph(["b", "qd"]), paragraph(["dx", ""]), paragraph(["g", ""])]}));
        assert_eq!((document.count("bqd"), document.count("dxg")), (1, 0));
        assert_eq!(writing(json!({"text": "bqd bqd", "lines": ["bqd"]})).count("bqd"), 3);
    }
}
