//! Imine and others, 2003, on terms.

use colobus_solver::build::{int, ite};
use colobus_solver::{Sort, Term};

use crate::form::{Carried, Form};
use crate::function::{SymbolicFunction, three_ways};

/// An insert remembers where it was generated; ties go to the smaller such position, then character.
pub struct Imine;

/// Where an operation was generated.
#[derive(Clone, Debug)]
pub struct Generated(pub Term);

impl Carried for Generated {
    fn choose(condition: &Term, then: &Self, otherwise: &Self) -> Self {
        Generated(ite(condition, &then.0, &otherwise.0))
    }

    fn equal(&self, other: &Self) -> Term {
        self.0.equal(&other.0)
    }
}

impl SymbolicFunction for Imine {
    type Extra = Generated;

    fn fresh(&self, position: &Term, _: usize) -> Generated {
        Generated(position.clone())
    }

    fn arbitrary(&self, name: &str, _: usize) -> Generated {
        Generated(Term::variable(&format!("{name}.generated"), Sort::Int))
    }

    fn nothing(&self, _: &Generated) -> Generated {
        Generated(int(0))
    }

    fn ins_ins(&self, a: &Form<Generated>, b: &Form<Generated>) -> Form<Generated> {
        let before = |a: &Form<Generated>, b: &Form<Generated>| {
            let by_character = a.extra.equal(&b.extra).and(&a.character.less(&b.character));
            a.extra.0.less(&b.extra.0).or(&by_character)
        };
        let not_before = Form::choose(&before(b, a), &a.right(), &a.nop(self.nothing(&a.extra)));
        three_ways(a, b, &Form::choose(&before(a, b), a, &not_before), &a.right())
    }

    fn ins_del(&self, a: &Form<Generated>, b: &Form<Generated>) -> Form<Generated> {
        Form::choose(&b.position.less(&a.position), &a.left(), a)
    }
}
