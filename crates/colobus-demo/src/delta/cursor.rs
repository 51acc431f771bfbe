//! Walks the components of a delta in pieces of any length.

use super::{Attributes, Component};

pub(super) struct Cursor<'a> {
    rest: std::slice::Iter<'a, Component>,
    current: Option<Component>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(components: &'a [Component]) -> Cursor<'a> {
        let mut rest = components.iter();
        let current = rest.next().cloned();
        Cursor { rest, current }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.current.is_none()
    }

    pub(super) fn at_insert(&self) -> bool {
        matches!(self.current, Some(Component::Insert { .. }))
    }

    pub(super) fn at_delete(&self) -> bool {
        matches!(self.current, Some(Component::Delete { .. }))
    }

    /// The units left of the current component; without end behind the last one, where all is retained.
    pub(super) fn available(&self) -> usize {
        self.current.as_ref().map_or(usize::MAX, Component::len)
    }

    /// The rest of the current component.
    pub(super) fn take_whole(&mut self) -> Option<Component> {
        std::mem::replace(&mut self.current, self.rest.next().cloned())
    }

    /// The next `count` units, at most those of the current component; retained ones behind the end.
    pub(super) fn take(&mut self, count: usize) -> Component {
        let head = match &mut self.current {
            Some(current) if current.len() > count => Some(split_head(current, count)),
            _ => self.take_whole(),
        };
        head.unwrap_or(Component::Retain { retain: count, attributes: Attributes::new() })
    }
}

/// Cuts the first `count` units off a component that is longer than that.
fn split_head(component: &mut Component, count: usize) -> Component {
    match component {
        Component::Insert { insert, attributes } => {
            let tail = insert.split_off(byte_offset(insert, count));
            let head = std::mem::replace(insert, tail);
            Component::Insert { insert: head, attributes: attributes.clone() }
        }
        Component::Retain { retain, attributes } => {
            *retain -= count;
            Component::Retain { retain: count, attributes: attributes.clone() }
        }
        Component::Delete { delete } => {
            *delete -= count;
            Component::Delete { delete: count }
        }
    }
}

fn byte_offset(text: &str, units: usize) -> usize {
    let mut seen = 0;
    text.char_indices()
        .find(|(_, character)| {
            let here = seen;
            seen += character.len_utf16();
            here >= units
        })
        .map_or(text.len(), |(offset, _)| offset)
}
