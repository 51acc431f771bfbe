//! One change after another, as one change; applying a change to a document is composing them.

use super::cursor::Cursor;
use super::{Attributes, Component, Delta};

impl Delta {
    pub(crate) fn compose(&self, later: &Delta) -> Delta {
        let (mut first, mut second) = (Cursor::new(&self.components), Cursor::new(&later.components));
        let mut composed = Delta::default();
        while !(first.is_at_end() && second.is_at_end()) {
            if second.at_insert() {
                second.take_whole().into_iter().for_each(|insert| composed.push(insert));
            } else if first.at_delete() {
                first.take_whole().into_iter().for_each(|delete| composed.push(delete));
            } else {
                let count = first.available().min(second.available());
                if let Some(piece) = overlay(first.take(count), second.take(count)) {
                    composed.push(piece);
                }
            }
        }
        composed.trimmed()
    }
}

/// What an insert or a retain becomes under a retain or a delete of the same length.
fn overlay(below: Component, above: Component) -> Option<Component> {
    match (below, above) {
        (Component::Insert { insert, attributes }, Component::Retain { attributes: change, .. }) => {
            let mut attributes = merged(attributes, change);
            attributes.retain(|_, value| value.is_some());
            Some(Component::Insert { insert, attributes })
        }
        (Component::Retain { retain, attributes }, Component::Retain { attributes: change, .. }) => {
            Some(Component::Retain { retain, attributes: merged(attributes, change) })
        }
        (Component::Insert { .. }, _) => None,
        (_, above) => Some(above),
    }
}

fn merged(mut attributes: Attributes, change: Attributes) -> Attributes {
    attributes.extend(change);
    attributes
}
