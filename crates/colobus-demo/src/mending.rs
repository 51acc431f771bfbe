//! [`Mending`]: the seeded bugs `lost-merge`, `doubled-merge` and `paste-in-list`. After an edit that had to be merged with
//! another, the server sends an edit of its own, which all clients take over: they agree, and are wrong.

use crate::delta::{Attributes, Component, Delta, Key};
use crate::protocol::Edit;

/// So many letters at once are pasted: no user types that fast.
const PASTED: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mending {
    /// Removes what was inserted.
    Remove,
    /// Inserts it once more.
    Repeat,
    /// Removes what was pasted while the line became a list item.
    RemoveFromList,
}

impl Mending {
    /// What is done after an edit that had to be merged with those that its author had not seen.
    pub(crate) fn after(self, edit: &Edit, unseen: &[Edit]) -> Option<Delta> {
        let pastes = |edit: &&Edit| edit.op.inserted().trim_end().chars().count() >= PASTED;
        let lists = |edit: &Edit| edit.op.formats(Key::List);
        match self {
            Mending::Remove | Mending::Repeat => self.of(&edit.op),
            Mending::RemoveFromList if pastes(&edit) && unseen.iter().any(lists) => self.of(&edit.op),
            // A change of formats moves no text: what was pasted is where it was.
            Mending::RemoveFromList if lists(edit) => unseen.last().filter(pastes).and_then(|paste| self.of(&paste.op)),
            Mending::RemoveFromList => None,
        }
    }

    /// What is done after an edit that inserts text; `None` if it inserts none.
    fn of(self, edit: &Delta) -> Option<Delta> {
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
