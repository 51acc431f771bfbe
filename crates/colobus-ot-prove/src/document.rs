//! The document after a sequence of forms, asked at one index.
//!
//! The start is a text without end whose characters all differ from each other and from whatever is inserted: a cell of
//! it is known by its index. Two sequences that leave equal cells at every index of it leave equal texts whatever the text
//! was, because a text only makes more cells equal; that operations fit into a text with an end is a law of its own
//! ([`stays_inside`](crate::proof::stays_inside)).

use colobus_ot::Kind;
use colobus_solver::Term;
use colobus_solver::build::{boolean, ite};

use crate::form::{Carried, Form};

/// What stands at an index.
pub struct Cell {
    inserted: Term,
    /// The character if it was inserted, the index in the starting text otherwise.
    value: Term,
    buried: Term,
}

impl Cell {
    /// Both look the same.
    pub fn equal(&self, other: &Cell) -> Term {
        let same = self.inserted.equal(&other.inserted).and(&self.value.equal(&other.value));
        same.and(&self.buried.equal(&other.buried))
    }
}

/// The cell at `index` after `forms` were executed in order.
pub fn cell<X: Carried>(forms: &[&Form<X>], index: &Term, tombstones: bool) -> Cell {
    let Some((last, before)) = forms.split_last() else {
        return Cell { inserted: boolean(false), value: index.clone(), buried: boolean(false) };
    };
    let here = last.alive.and(&index.equal(&last.position));
    match last.kind {
        Kind::Ins => {
            let behind = last.alive.and(&last.position.less(index));
            let moved = cell(before, &ite(&behind, &index.plus(-1), index), tombstones);
            Cell {
                inserted: here.or(&moved.inserted),
                value: ite(&here, &last.character, &moved.value),
                buried: here.not().and(&moved.buried),
            }
        }
        _ if tombstones => {
            let kept = cell(before, index, tombstones);
            Cell { buried: here.or(&kept.buried), ..kept }
        }
        _ => {
            let behind = last.alive.and(&last.position.at_most(index));
            cell(before, &ite(&behind, &index.plus(1), index), tombstones)
        }
    }
}
