//! [`Pending`]: the beginnings of paths that [`summarise`](crate::concolic::summarise) has still to try, each a run up to one of its
//! conditions, which is negated.

use std::collections::BTreeSet;

use crate::concolic::Run;
use crate::paths::path;
use crate::symbolic::expr::Expr;

/// The beginning of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefix {
    /// Its conditions; the last one is the negated one.
    pub branches: Vec<Expr>,
    /// Whether the run that it comes from repeats another one there: its other side is likely to repeat it, too.
    pub is_combination: bool,
}

/// What is left to try.
#[derive(Clone, Debug)]
pub struct Pending {
    prefixes: Vec<Prefix>,
    tried: BTreeSet<String>,
    /// Conditions that held in some run, alone and after another.
    met: BTreeSet<String>,
}

impl Default for Pending {
    /// The first run has no conditions to fulfil.
    fn default() -> Self {
        let any = Prefix { branches: Vec::new(), is_combination: false };
        Pending { prefixes: vec![any], tried: BTreeSet::new(), met: BTreeSet::new() }
    }
}

impl Pending {
    /// Add the other sides of the conditions of a run. From `repeats_from` on it repeats another run.
    pub fn add(&mut self, run: &Run, repeats_from: usize) {
        self.met.extend(run.branches.iter().map(Expr::to_string));
        self.met.extend(run.branches.windows(2).map(path));
        for (index, branch) in run.branches.iter().enumerate() {
            let mut branches = run.branches[..index].to_vec();
            self.tried.insert(path(&run.branches[..=index]));
            branches.push(branch.negated());
            if self.tried.insert(path(&branches)) {
                self.prefixes.push(Prefix { branches, is_combination: index >= repeats_from });
            }
        }
    }

    /// The prefix to try next: the last one that ends with a condition which never held, so that every side of every branch is
    /// seen before combinations are; then one whose last condition never held after the one before it; then the last one; then
    /// what repeats another run.
    pub fn take_next(&mut self) -> Option<Prefix> {
        let ends_newly = |prefix: &Prefix, count: usize| {
            let from = prefix.branches.len().saturating_sub(count);
            prefix.branches.len() >= count && !self.met.contains(&path(&prefix.branches[from..]))
        };
        let last = |is_wanted: &dyn Fn(&Prefix) -> bool| self.prefixes.iter().rposition(is_wanted);
        if let Some(at) = last(&|prefix| ends_newly(prefix, 1)) {
            return Some(Prefix { is_combination: false, ..self.prefixes.remove(at) });
        }
        let at = last(&|prefix| !prefix.is_combination && ends_newly(prefix, 2))
            .or_else(|| last(&|prefix| !prefix.is_combination))
            .or_else(|| self.prefixes.len().checked_sub(1))?;
        Some(self.prefixes.remove(at))
    }
}
