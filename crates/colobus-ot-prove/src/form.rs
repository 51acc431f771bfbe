//! [`Form`]: an operation whose position, character, site and parameters are terms. Transformed by a
//! [`SymbolicFunction`](crate::SymbolicFunction), executed by [`document`](crate::document).

use colobus_ot::Kind;
use colobus_solver::build::{boolean, int, ite};
use colobus_solver::{Sort, Term};

/// What a function lets its operations carry, as terms.
pub trait Carried: Clone {
    /// The first if the condition holds, the second otherwise.
    fn choose(condition: &Term, then: &Self, otherwise: &Self) -> Self;

    /// Both are the same.
    fn equal(&self, other: &Self) -> Term;
}

impl Carried for () {
    fn choose(_: &Term, (): &Self, (): &Self) {}

    fn equal(&self, (): &Self) -> Term {
        boolean(true)
    }
}

/// An operation. Its kind is fixed, but for whether it still has an effect.
#[derive(Clone, Debug)]
pub struct Form<X> {
    /// Insert or delete, as its user generated it.
    pub kind: Kind,
    /// Whether it has not become a Nop.
    pub alive: Term,
    /// Where.
    pub position: Term,
    /// What is inserted; 0 for a deletion.
    pub character: Term,
    /// The site that generated it.
    pub site: Term,
    /// Its identity.
    pub id: usize,
    /// The parameters of the function.
    pub extra: X,
}

impl<X: Carried> Form<X> {
    /// An operation with variables named after `name`; a deletion inserts no character.
    pub fn variable(name: &str, kind: Kind, id: usize, extra: impl FnOnce(&Term) -> X) -> Self {
        let named = |part: &str| Term::variable(&format!("{name}.{part}"), Sort::Int);
        let position = named("position");
        let character = if kind == Kind::Ins { named("character") } else { int(0) };
        let extra = extra(&position);
        Form { kind, alive: boolean(true), position, character, site: named("site"), id, extra }
    }

    /// One position further to the right.
    pub fn right(&self) -> Self {
        Form { position: self.position.plus(1), ..self.clone() }
    }

    /// One position further to the left; the start of the document stops it.
    pub fn left(&self) -> Self {
        let position = ite(&int(0).less(&self.position), &self.position.plus(-1), &int(0));
        Form { position, ..self.clone() }
    }

    /// Without its effect; `nothing` is what a Nop carries.
    pub fn nop(&self, nothing: X) -> Self {
        Form { alive: boolean(false), position: int(0), character: int(0), extra: nothing, ..self.clone() }
    }

    /// The first if the condition holds, the second otherwise; two forms of one operation.
    pub fn choose(condition: &Term, then: &Self, otherwise: &Self) -> Self {
        Form {
            alive: ite(condition, &then.alive, &otherwise.alive),
            position: ite(condition, &then.position, &otherwise.position),
            character: ite(condition, &then.character, &otherwise.character),
            extra: X::choose(condition, &then.extra, &otherwise.extra),
            ..then.clone()
        }
    }

    /// Two forms of one operation are the same, parameters included.
    pub fn equal(&self, other: &Self) -> Term {
        let same = self.alive.equal(&other.alive).and(&self.position.equal(&other.position));
        same.and(&self.character.equal(&other.character)).and(&self.extra.equal(&other.extra))
    }

    /// A user who sees a document of `length` characters can generate it.
    pub fn fits(&self, length: &Term) -> Term {
        let inside = match self.kind {
            Kind::Ins => self.position.at_most(length),
            _ => self.position.less(length),
        };
        self.alive.implies(&inside)
    }
}
