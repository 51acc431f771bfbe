//! Texts for a search that tries: texts in which a pattern matches, with given texts for what its groups capture.

use std::collections::BTreeMap;

use colobus_solver::Text;

use super::Pattern;
use super::node::{Node, Ranges};

/// So many texts of one pattern.
const MOST_SAMPLES: usize = 120;
/// So many texts are tried in one group if another one has a text, too.
const MOST_TOGETHER: usize = 8;

impl Pattern {
    /// Texts in which it matches, with some of the given texts as what one or two groups capture.
    pub fn samples(&self, given: &[Text]) -> Vec<Text> {
        let mut found = Vec::new();
        for alternative in self.alternatives() {
            let node = &alternative.node;
            found.push(sample(node, &BTreeMap::new()));
            let groups = groups(node);
            let fitting = |inner: &Node| {
                let language = inner.language();
                given.iter().filter(|text| language.matches(text)).cloned().collect::<Vec<_>>()
            };
            let choices: Vec<(usize, Vec<Text>)> =
                groups.iter().map(|(group, inner)| (*group, fitting(inner))).collect();
            let whole = fitting(node);
            found.extend(whole);
            for (at, (group, texts)) in choices.iter().enumerate() {
                found.extend(texts.iter().map(|text| sample(node, &[(*group, text)].into())));
                for (other, others) in &choices[at + 1..] {
                    for text in texts.iter().take(MOST_TOGETHER) {
                        let both = |also| sample(node, &[(*group, text), (*other, also)].into());
                        found.extend(others.iter().take(MOST_TOGETHER).map(both));
                    }
                }
            }
        }
        found.truncate(MOST_SAMPLES);
        found
    }

    /// Up to three of the given texts with a match between each two.
    pub fn separated(&self, given: &[Text]) -> Vec<Text> {
        let Some(separator) = self.alternatives().first().map(|first| sample(&first.node, &BTreeMap::new())) else {
            return Vec::new();
        };
        let after = |text: &Text, next: &Text| text.concat(&separator).concat(next);
        let given = &given[..given.len().min(MOST_TOGETHER)];
        let pairs: Vec<Text> = given.iter().flat_map(|text| given.iter().map(move |next| after(text, next))).collect();
        let triples = pairs.iter().flat_map(|pair| given.iter().map(|last| after(pair, last)));
        let mut found: Vec<Text> = pairs.iter().cloned().chain(triples).collect();
        found.truncate(MOST_SAMPLES * 2);
        found
    }
}

/// The groups of a node, each with what it captures.
fn groups(node: &Node) -> Vec<(usize, &Node)> {
    match node {
        Node::Unit(_) => Vec::new(),
        Node::Sequence(parts) | Node::Either(parts) => parts.iter().flat_map(groups).collect(),
        Node::Group(number, inner) => [vec![(*number, &**inner)], groups(inner)].concat(),
        Node::Repeat { inner, .. } => groups(inner),
    }
}

/// A text that a node matches, with texts for some groups.
fn sample(node: &Node, filled: &BTreeMap<usize, &Text>) -> Text {
    let is_wanted = |node: &&Node| node.groups().iter().any(|group| filled.contains_key(group));
    match node {
        Node::Unit(ranges) => Text(vec![unit(ranges)]),
        Node::Sequence(parts) => parts.iter().fold(Text::default(), |sum, part| sum.concat(&sample(part, filled))),
        Node::Either(parts) => {
            let chosen = parts.iter().find(is_wanted).or(parts.first());
            chosen.map(|part| sample(part, filled)).unwrap_or_default()
        }
        Node::Group(number, inner) => filled.get(number).map_or_else(|| sample(inner, filled), |text| (*text).clone()),
        Node::Repeat { inner, least, .. } => {
            let count = if is_wanted(&&**inner) { (*least).max(1) } else { *least };
            (0..count).fold(Text::default(), |sum, _| sum.concat(&sample(inner, filled)))
        }
    }
}

/// A unit that a keyboard has, if there is one.
fn unit(ranges: &Ranges) -> u16 {
    let within = |unit: &u16| ranges.iter().any(|(low, high)| (*low..=*high).contains(unit));
    let known = "a1 ,".encode_utf16().find(within).or_else(|| (0x21..0x7f).find(within));
    known.or(ranges.first().map(|range| range.0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_hold_the_given_texts() {
        let given: Vec<Text> = ["42", "vip"].map(Text::from).into();
        let pattern = Pattern::new("^(\\d+)-(?:no|(\\w+))$", "").unwrap();
        let texts: Vec<String> = pattern.samples(&given).iter().map(Text::to_string).collect();
        assert_eq!(texts, ["1-no", "42-no", "42-42", "42-vip", "1-42", "1-vip"]);
        let separator = Pattern::new("\\s*;", "").unwrap();
        let texts: Vec<String> = separator.separated(&given).iter().map(Text::to_string).collect();
        assert_eq!(texts[..3], ["42;42", "42;vip", "vip;42"]);
        assert!(texts.contains(&"vip;42;vip".to_owned()));
    }
}
