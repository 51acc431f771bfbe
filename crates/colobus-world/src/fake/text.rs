//! [`Replica`]: one client's copy of a shared text. Characters have identities and remember what they were inserted
//! behind, so that edits merge in any order of arrival.

use colobus_model::ClientId;

/// An edit as it is sent to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Insert { id: Id, after: Option<Id>, character: char },
    Delete { id: Id },
}

/// Who inserted a character, and as the how manyeth of the document.
pub(super) type Id = (usize, usize);

#[derive(Clone, Debug)]
struct Element {
    id: Id,
    after: Option<Id>,
    character: char,
    deleted: bool,
}

#[derive(Clone)]
pub(super) struct Replica {
    client: usize,
    clock: usize,
    elements: Vec<Element>,
    /// The caret stands behind this character.
    caret: Option<Id>,
}

impl Replica {
    pub fn new(client: usize) -> Replica {
        Replica { client, clock: 0, elements: Vec::new(), caret: None }
    }

    pub fn text(&self) -> String {
        self.visible().map(|element| element.character).collect()
    }

    /// Every character with its author.
    pub fn messages(&self) -> impl Iterator<Item = (ClientId, char)> {
        self.visible().map(|element| (ClientId(element.id.1), element.character))
    }

    fn visible(&self) -> impl Iterator<Item = &Element> {
        self.elements.iter().filter(|element| !element.deleted)
    }

    /// How many visible characters stand before the caret.
    pub fn caret(&self) -> usize {
        let Some(place) = self.caret.and_then(|id| self.place(id)) else { return 0 };
        self.elements[..=place].iter().filter(|element| !element.deleted).count()
    }

    pub fn place_caret(&mut self, position: usize) {
        self.caret = position.checked_sub(1).and_then(|index| self.visible().nth(index)).map(|element| element.id);
    }

    pub fn insert(&mut self, character: char) -> Edit {
        self.clock += 1;
        let edit = Edit::Insert { id: (self.clock, self.client), after: self.caret, character };
        self.integrate(&edit, false);
        self.caret = Some((self.clock, self.client));
        edit
    }

    pub fn delete_before(&mut self) -> Option<Edit> {
        let before = self.caret().checked_sub(1)?;
        let id = self.visible().nth(before)?.id;
        self.integrate(&Edit::Delete { id }, false);
        self.place_caret(before);
        Some(Edit::Delete { id })
    }

    /// Takes in an edit, its own or another's. `reversed` is the bug: characters behind the same one are ordered the
    /// other way round.
    pub fn integrate(&mut self, edit: &Edit, reversed: bool) {
        match *edit {
            Edit::Delete { id } => {
                if let Some(place) = self.place(id) {
                    self.elements[place].deleted = true;
                }
            }
            Edit::Insert { id, after, character } => {
                self.clock = self.clock.max(id.0);
                let mut place = after.and_then(|id| self.place(id)).map_or(0, |place| place + 1);
                // Later siblings, with all that hangs on them, stay in front.
                while let Some(next) = self.elements.get(place) {
                    let sibling = next.after == after;
                    if sibling && (next.id > id) == reversed {
                        break;
                    }
                    if !sibling && !self.hangs_on_sibling(next, after) {
                        break;
                    }
                    place += 1;
                }
                self.elements.insert(place, Element { id, after, character, deleted: false });
            }
        }
    }

    fn hangs_on_sibling(&self, element: &Element, after: Option<Id>) -> bool {
        let mut parent = element.after;
        while let Some(id) = parent {
            let Some(place) = self.place(id) else { return false };
            if self.elements[place].after == after {
                return true;
            }
            parent = self.elements[place].after;
        }
        false
    }

    fn place(&self, id: Id) -> Option<usize> {
        self.elements.iter().position(|element| element.id == id)
    }
}
