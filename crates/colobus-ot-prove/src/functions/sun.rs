//! Sun and others, 1998, on terms.

use colobus_solver::Term;

use crate::form::Form;
use crate::function::{SymbolicFunction, three_ways};

/// The operation that is integrated later goes to the right.
pub struct Sun;

impl SymbolicFunction for Sun {
    type Extra = ();

    fn fresh(&self, _: &Term, _: usize) {}

    fn arbitrary(&self, _: &str, _: usize) {}

    fn nothing(&self, (): &()) {}

    fn ins_ins(&self, a: &Form<()>, b: &Form<()>) -> Form<()> {
        three_ways(a, b, &a.right(), &a.right())
    }

    fn ins_del(&self, a: &Form<()>, b: &Form<()>) -> Form<()> {
        Form::choose(&a.position.at_most(&b.position), a, &a.left())
    }
}
