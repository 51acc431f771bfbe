//! [`Source`]: the text of a configuration and where everything in it stands.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub struct Source<'a> {
    text: &'a str,
    tree: &'a Spanned<DeTable<'a>>,
}

impl<'a> Source<'a> {
    pub fn new(text: &'a str, tree: &'a Spanned<DeTable<'a>>) -> Source<'a> {
        Source { text, tree }
    }

    /// Where the value at a path such as `action.2.steps.0` stands; if it is not there, where its parent does.
    pub fn span(&self, path: &str) -> Range<usize> {
        self.walk(path).1
    }

    /// Whether the file has a value at this path.
    pub fn has(&self, path: &str) -> bool {
        self.walk(path).0.is_some()
    }

    /// Where one byte of the text at this path stands, if it is written there as it is read; else, where the text does.
    pub fn span_inside(&self, path: &str, offset: usize) -> Range<usize> {
        let (found, span) = self.walk(path);
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        match found.and_then(DeValue::as_str) {
            Some(value) if inner == value => {
                let start = span.start + 1 + offset;
                start..start + 1
            }
            _ => span,
        }
    }

    fn walk(&self, path: &str) -> (Option<&'a DeValue<'a>>, Range<usize>) {
        let mut table = Some(self.tree.get_ref());
        let mut value: Option<&DeValue> = None;
        let mut span = self.tree.span();
        for key in path.split('.') {
            let next = match (table, value.and_then(DeValue::as_array)) {
                (Some(table), _) => table.get(key),
                (None, Some(array)) => key.parse::<usize>().ok().and_then(|index| array.get(index)),
                (None, None) => None,
            };
            let Some(next) = next else {
                return (None, span);
            };
            span = next.span();
            value = Some(next.get_ref());
            table = next.get_ref().as_table();
        }
        (value, span)
    }
}
