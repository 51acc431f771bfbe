//! Rich text as deltas: a [`Delta`] is a list of inserts, retains and deletes, each with formatting.
//! A document is a delta of inserts only that ends in a newline; what a line is (list, indent, heading) is
//! formatting of its newline. Lengths count UTF-16 units, as JavaScript does, so that both sides agree.
//! `page/delta.js` and `page/transform.js` are the same functions for the browser.

mod compose;
mod cursor;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
mod transform;

pub(crate) use transform::{Order, Transformer};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What can be said about a character, or (the last three) about a line, that is about its newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Key {
    Bold,
    Italic,
    Underline,
    Heading,
    Indent,
    List,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Flag(bool),
    Level(u8),
}

/// `None` takes the formatting away; it has a meaning on a retain only.
pub(crate) type Attributes = BTreeMap<Key, Option<Value>>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum Component {
    Insert {
        insert: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        attributes: Attributes,
    },
    Retain {
        retain: usize,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        attributes: Attributes,
    },
    Delete {
        delete: usize,
    },
}

impl Component {
    pub(crate) fn len(&self) -> usize {
        match self {
            Component::Insert { insert, .. } => insert.encode_utf16().count(),
            Component::Retain { retain, .. } => *retain,
            Component::Delete { delete } => *delete,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Delta {
    components: Vec<Component>,
}

impl Delta {
    pub(crate) fn empty_document() -> Delta {
        let mut document = Delta::default();
        document.insert("\n", Attributes::new());
        document
    }

    pub(crate) fn components(&self) -> &[Component] {
        &self.components
    }

    pub(crate) fn insert(&mut self, text: &str, attributes: Attributes) {
        self.push(Component::Insert { insert: text.to_owned(), attributes });
    }

    pub(crate) fn retain(&mut self, count: usize, attributes: Attributes) {
        self.push(Component::Retain { retain: count, attributes });
    }

    /// Appends in normal form: neighbours of one kind are one component, and at one place the insert stands
    /// before the delete, so that equal changes are equal values.
    pub(crate) fn push(&mut self, component: Component) {
        if component.len() == 0 {
            return;
        }
        let behind_delete = matches!(self.components.last(), Some(Component::Delete { .. }));
        if behind_delete && matches!(component, Component::Insert { .. }) {
            let delete = self.components.pop();
            self.merge(component);
            self.components.extend(delete);
        } else {
            self.merge(component);
        }
    }

    fn merge(&mut self, component: Component) {
        match (self.components.last_mut(), &component) {
            (Some(Component::Insert { insert, attributes }), Component::Insert { insert: more, attributes: same })
                if attributes == same =>
            {
                insert.push_str(more)
            }
            (Some(Component::Retain { retain, attributes }), Component::Retain { retain: more, attributes: same })
                if attributes == same =>
            {
                *retain = retain.saturating_add(*more)
            }
            (Some(Component::Delete { delete }), Component::Delete { delete: more }) => {
                *delete = delete.saturating_add(*more);
            }
            _ => self.components.push(component),
        }
    }

    /// A retain without formatting at the end says nothing.
    fn trimmed(mut self) -> Delta {
        while matches!(self.components.last(), Some(Component::Retain { attributes, .. }) if attributes.is_empty()) {
            self.components.pop();
        }
        self
    }

    /// The same change in normal form, whatever form it arrived in.
    pub(crate) fn normalised(self) -> Delta {
        let mut normal = Delta::default();
        for component in self.components {
            normal.push(component);
        }
        normal.trimmed()
    }

    /// All text that it inserts.
    pub(crate) fn inserted(&self) -> String {
        let inserts = self.components.iter().filter_map(|component| match component {
            Component::Insert { insert, .. } => Some(insert.as_str()),
            Component::Retain { .. } | Component::Delete { .. } => None,
        });
        inserts.collect()
    }

    /// Whether it changes formats and no text.
    pub(crate) fn only_formats(&self) -> bool {
        self.components.iter().all(|component| matches!(component, Component::Retain { .. }))
    }

    /// Whether it gives this format to anything, or takes it away.
    pub(crate) fn formats(&self, key: Key) -> bool {
        self.components.iter().any(|component| match component {
            Component::Retain { attributes, .. } => attributes.contains_key(&key),
            Component::Insert { .. } | Component::Delete { .. } => false,
        })
    }

    /// A document: text only, no formatting taken away, a newline at the end.
    pub(crate) fn is_document(&self) -> bool {
        let text_only = self.components.iter().all(|component| {
            matches!(component, Component::Insert { attributes, .. } if attributes.values().all(Option::is_some))
        });
        let ends_line =
            matches!(self.components.last(), Some(Component::Insert { insert, .. }) if insert.ends_with('\n'));
        text_only && ends_line
    }

    /// Whether the change fits a document: it stays within it, cuts no character in two, and leaves a document.
    pub(crate) fn fits(&self, document: &Delta) -> bool {
        let units: Vec<u16> = document
            .components
            .iter()
            .filter_map(|component| match component {
                Component::Insert { insert, .. } => Some(insert.encode_utf16()),
                _ => None,
            })
            .flatten()
            .collect();
        let mut at = 0_usize;
        for component in &self.components {
            if matches!(component, Component::Insert { .. }) {
                continue;
            }
            at = at.saturating_add(component.len());
            let cuts = units.get(at).is_some_and(|unit| (0xDC00..0xE000).contains(unit));
            if at > units.len() || cuts {
                return false;
            }
        }
        document.compose(self).is_document()
    }

    /// Where a position of the document is after this change. With `stick`, text inserted right there comes after it.
    pub(crate) fn moved(&self, position: usize, stick: bool) -> usize {
        let (mut before, mut after) = (0_usize, position);
        for component in &self.components {
            if before > after {
                break;
            }
            match component {
                Component::Insert { .. } => {
                    if before < after || !stick {
                        after = after.saturating_add(component.len());
                    }
                    before = before.saturating_add(component.len());
                }
                Component::Retain { retain, .. } => before = before.saturating_add(*retain),
                Component::Delete { delete } => after -= (*delete).min(after - before),
            }
        }
        after
    }

    /// Where the author of this change stands after it: behind what was inserted or deleted last, if anything was.
    pub(crate) fn caret_behind(&self) -> Option<usize> {
        let (mut at, mut last) = (0_usize, None);
        for component in &self.components {
            if !matches!(component, Component::Delete { .. }) {
                at = at.saturating_add(component.len());
            }
            if !matches!(component, Component::Retain { .. }) {
                last = Some(at);
            }
        }
        last
    }
}
