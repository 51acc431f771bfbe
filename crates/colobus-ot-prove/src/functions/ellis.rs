//! Ellis and Gibbs, 1989, on terms.

use colobus_solver::Term;

use crate::form::Form;
use crate::function::{SymbolicFunction, three_ways};

/// Ties go to the site with the smaller number; equal characters at a tie are kept once.
pub struct Ellis;

impl SymbolicFunction for Ellis {
    type Extra = ();

    fn fresh(&self, _: &Term, _: usize) {}

    fn arbitrary(&self, _: &str, _: usize) {}

    fn nothing(&self, (): &()) {}

    fn ins_ins(&self, a: &Form<()>, b: &Form<()>) -> Form<()> {
        let by_site = Form::choose(&b.site.less(&a.site), &a.right(), a);
        let tie = Form::choose(&a.character.equal(&b.character), &a.nop(()), &by_site);
        three_ways(a, b, &tie, &a.right())
    }

    fn ins_del(&self, a: &Form<()>, b: &Form<()>) -> Form<()> {
        Form::choose(&a.position.less(&b.position), a, &a.left())
    }
}
