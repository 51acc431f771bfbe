//! [`SymbolicFunction`]: a transformation function on terms. It says the same as the
//! [`Transformation`](colobus_ot::Transformation) of that name; a test compares them.

use colobus_ot::Kind;
use colobus_solver::Term;

use crate::form::{Carried, Form};

/// An inclusion transformation on [`Form`]s. The two cases that the literature shares have defaults.
pub trait SymbolicFunction {
    /// What operations carry.
    type Extra: Carried;

    /// Whether the document keeps deleted characters.
    const TOMBSTONES: bool = false;

    /// What a freshly generated operation carries; `identities` is how many operations there are.
    fn fresh(&self, position: &Term, identities: usize) -> Self::Extra;

    /// What an operation carries of which nothing is known: variables named after `name`.
    fn arbitrary(&self, name: &str, identities: usize) -> Self::Extra;

    /// What a Nop carries that was an operation with `before`.
    fn nothing(&self, before: &Self::Extra) -> Self::Extra;

    /// An insert meets an insert.
    fn ins_ins(&self, a: &Form<Self::Extra>, b: &Form<Self::Extra>) -> Form<Self::Extra>;

    /// An insert meets a deletion.
    fn ins_del(&self, a: &Form<Self::Extra>, b: &Form<Self::Extra>) -> Form<Self::Extra>;

    /// A deletion meets an insert.
    fn del_ins(&self, a: &Form<Self::Extra>, b: &Form<Self::Extra>) -> Form<Self::Extra> {
        Form::choose(&a.position.less(&b.position), a, &a.right())
    }

    /// A deletion meets a deletion.
    fn del_del(&self, a: &Form<Self::Extra>, b: &Form<Self::Extra>) -> Form<Self::Extra> {
        three_ways(a, b, &a.nop(self.nothing(&a.extra)), &a.left())
    }

    /// IT(a, b).
    fn transform(&self, a: &Form<Self::Extra>, b: &Form<Self::Extra>) -> Form<Self::Extra> {
        let transformed = match (a.kind, b.kind) {
            (Kind::Ins, Kind::Ins) => self.ins_ins(a, b),
            (Kind::Ins, _) => self.ins_del(a, b),
            (_, Kind::Ins) => self.del_ins(a, b),
            _ => self.del_del(a, b),
        };
        Form::choose(&a.alive.and(&b.alive), &transformed, a)
    }
}

/// `a` as it is if it is further to the left, `equal` at the same position, `right` otherwise.
pub fn three_ways<X: Carried>(a: &Form<X>, b: &Form<X>, equal: &Form<X>, right: &Form<X>) -> Form<X> {
    let otherwise = Form::choose(&b.position.less(&a.position), right, equal);
    Form::choose(&a.position.less(&b.position), a, &otherwise)
}
