//! Oster, Urso, Molli and Imine, 2006 (tombstone transformation functions), on terms.

use colobus_solver::Term;

use crate::form::Form;
use crate::function::{SymbolicFunction, three_ways};

/// Deleted characters stay and are counted; ties go to the smaller site.
pub struct Ttf;

impl SymbolicFunction for Ttf {
    type Extra = ();
    const TOMBSTONES: bool = true;

    fn fresh(&self, _: &Term, _: usize) {}

    fn arbitrary(&self, _: &str, _: usize) {}

    fn nothing(&self, (): &()) {}

    fn ins_ins(&self, a: &Form<()>, b: &Form<()>) -> Form<()> {
        three_ways(a, b, &Form::choose(&a.site.less(&b.site), a, &a.right()), &a.right())
    }

    fn ins_del(&self, a: &Form<()>, _: &Form<()>) -> Form<()> {
        a.clone()
    }

    fn del_del(&self, a: &Form<()>, _: &Form<()>) -> Form<()> {
        a.clone()
    }
}
