//! Operational transformation: a change rebased onto another one made at the same time.

use super::cursor::Cursor;
use super::{Attributes, Component, Delta};
use crate::protocol::ClientId;

/// Where a change stands relative to the one it is transformed against, in the order of their authors' numbers: were it
/// the order of arrival, what one user types key by key could be mixed with what another one types at the same place.
/// At one place the earlier text comes first; of two formats for one character the later one stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Earlier,
    Later,
}

impl Order {
    /// Where a change of one author stands relative to another's.
    pub(crate) fn of(author: ClientId, other: ClientId) -> Order {
        if author < other { Order::Earlier } else { Order::Later }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Transformer {
    /// The seeded bug `lost-formatting`: text beside a deleted run is taken for a part of it.
    pub(crate) loses_formatting: bool,
}

impl Transformer {
    /// `change`, so that it can be applied after `other`.
    pub(crate) fn transform(&self, change: &Delta, other: &Delta, order: Order) -> Delta {
        let (mut ours, mut theirs) = (Cursor::new(change.components()), Cursor::new(other.components()));
        let mut rebased = Delta::default();
        let mut beside_deletion = false;
        while !ours.is_at_end() {
            if ours.at_insert() && (order == Order::Earlier || !theirs.at_insert()) {
                let Some(Component::Insert { insert, mut attributes }) = ours.take_whole() else { break };
                if self.loses_formatting && (beside_deletion || theirs.at_delete()) {
                    attributes.clear();
                }
                rebased.insert(&insert, attributes);
            } else if theirs.at_insert() {
                rebased.retain(theirs.available(), Attributes::new());
                theirs.take_whole();
            } else {
                let count = ours.available().min(theirs.available());
                let (our, their) = (ours.take(count), theirs.take(count));
                beside_deletion = matches!(their, Component::Delete { .. });
                if let Component::Retain { attributes: set, .. } = their {
                    rebased.push(without_overruled(our, &set, order));
                }
            }
        }
        rebased.trimmed()
    }
}

fn without_overruled(component: Component, set: &Attributes, order: Order) -> Component {
    match component {
        Component::Retain { retain, mut attributes } => {
            if order == Order::Earlier {
                attributes.retain(|key, _| !set.contains_key(key));
            }
            Component::Retain { retain, attributes }
        }
        other => other,
    }
}
