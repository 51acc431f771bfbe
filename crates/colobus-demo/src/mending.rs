//! [`Mending`]: the seeded bugs `lost-merge` and `doubled-merge`. After an edit that had to be merged with another, the
//! server sends an edit of its own, which everybody takes over: all agree, and are wrong.

use crate::delta::{Attributes, Component, Delta};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mending {
    /// Removes what was inserted.
    Remove,
    /// Inserts it once more.
    Repeat,
}

impl Mending {
    /// What is done after an edit that inserts text; `None` if it inserts none.
    pub(crate) fn of(self, edit: &Delta) -> Option<Delta> {
        let mut mended = Delta::default();
        for component in edit.components() {
            match component {
                Component::Retain { retain, .. } => mended.retain(*retain, Attributes::new()),
                Component::Delete { .. } => {}
                Component::Insert { insert, attributes } if self == Mending::Repeat => {
                    mended.insert(insert, attributes.clone());
                    return Some(mended);
                }
                inserted @ Component::Insert { .. } => {
                    mended.push(Component::Delete { delete: inserted.len() });
                    return Some(mended);
                }
            }
        }
        None
    }
}
