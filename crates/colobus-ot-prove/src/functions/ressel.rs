//! Ressel, Nitsche-Ruhland and Gunzenhäuser, 1996, on terms.

use colobus_solver::Term;

use crate::form::Form;
use crate::function::{SymbolicFunction, three_ways};

/// Ties go to the smaller site.
pub struct Ressel;

impl SymbolicFunction for Ressel {
    type Extra = ();

    fn fresh(&self, _: &Term, _: usize) {}

    fn arbitrary(&self, _: &str, _: usize) {}

    fn nothing(&self, (): &()) {}

    fn ins_ins(&self, a: &Form<()>, b: &Form<()>) -> Form<()> {
        three_ways(a, b, &Form::choose(&a.site.less(&b.site), a, &a.right()), &a.right())
    }

    fn ins_del(&self, a: &Form<()>, b: &Form<()>) -> Form<()> {
        Form::choose(&a.position.at_most(&b.position), a, &a.left())
    }
}
