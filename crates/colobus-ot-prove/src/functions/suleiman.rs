//! Suleiman, Cart and Ferrié, 1998, on terms.

use colobus_solver::build::{any, boolean, ite};
use colobus_solver::{Sort, Term};

use crate::form::{Carried, Form};
use crate::function::{SymbolicFunction, three_ways};

/// An insert remembers which concurrent deletions happened before and after it; ties then go to the larger character.
pub struct Suleiman;

/// The deletions an insert has met, as one truth value for each identity.
#[derive(Clone, Debug)]
pub struct Met {
    /// Deletions of a character before the insert.
    pub pre: Vec<Term>,
    /// Deletions of a character after the insert.
    pub post: Vec<Term>,
}

impl Carried for Met {
    fn choose(condition: &Term, then: &Self, otherwise: &Self) -> Self {
        let each = |a: &[Term], b: &[Term]| a.iter().zip(b).map(|(a, b)| ite(condition, a, b)).collect();
        Met { pre: each(&then.pre, &otherwise.pre), post: each(&then.post, &otherwise.post) }
    }

    fn equal(&self, other: &Self) -> Term {
        let pairs = self.pre.iter().zip(&other.pre).chain(self.post.iter().zip(&other.post));
        pairs.fold(boolean(true), |same, (a, b)| same.and(&a.equal(b)))
    }
}

/// The two sets share an operation.
fn meet(a: &[Term], b: &[Term]) -> Term {
    any(a.iter().zip(b).map(|(a, b)| a.and(b)))
}

/// The set and one more operation.
fn with(set: &[Term], id: usize) -> Vec<Term> {
    set.iter().enumerate().map(|(index, member)| if index == id { boolean(true) } else { member.clone() }).collect()
}

impl SymbolicFunction for Suleiman {
    type Extra = Met;

    fn fresh(&self, _: &Term, identities: usize) -> Met {
        let empty = vec![boolean(false); identities];
        Met { pre: empty.clone(), post: empty }
    }

    fn arbitrary(&self, name: &str, identities: usize) -> Met {
        let set = |which: &str| {
            (0..identities).map(|id| Term::variable(&format!("{name}.{which}{id}"), Sort::Bool)).collect()
        };
        Met { pre: set("pre"), post: set("post") }
    }

    fn nothing(&self, before: &Met) -> Met {
        let empty = vec![boolean(false); before.pre.len()];
        Met { pre: empty.clone(), post: empty }
    }

    fn ins_ins(&self, a: &Form<Met>, b: &Form<Met>) -> Form<Met> {
        let by_character = Form::choose(&a.character.less(&b.character), &a.right(), &a.nop(self.nothing(&a.extra)));
        let keeps = meet(&a.extra.post, &b.extra.pre).or(&b.character.less(&a.character));
        let unrelated = Form::choose(&keeps, a, &by_character);
        let tie = Form::choose(&meet(&a.extra.pre, &b.extra.post), &a.right(), &unrelated);
        three_ways(a, b, &tie, &a.right())
    }

    fn ins_del(&self, a: &Form<Met>, b: &Form<Met>) -> Form<Met> {
        let behind = Met { post: with(&a.extra.post, b.id), ..a.extra.clone() };
        let ahead = Met { pre: with(&a.extra.pre, b.id), ..a.extra.clone() };
        let keep = Form { extra: behind, ..a.clone() };
        Form::choose(&a.position.at_most(&b.position), &keep, &Form { extra: ahead, ..a.left() })
    }
}
