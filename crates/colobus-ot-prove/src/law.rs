//! [`Case`]: the operations of a law with their kinds fixed, and the terms that are true exactly if the law is broken.

use colobus_ot::Kind;
use colobus_ot::properties::tp::Law;
use colobus_solver::build::{all, boolean, int};
use colobus_solver::{Sort, Term};

use crate::document::cell;
use crate::form::Form;
use crate::function::SymbolicFunction;

/// What the operations in question carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// What users give them.
    Fresh,
    /// What they have after one other operation, seen or concurrent.
    AfterOne,
    /// Anything: a proof then holds after any number of operations; a counterexample may not be reachable.
    Any,
}

impl Parameters {
    /// All of them.
    pub const ALL: [Parameters; 3] = [Parameters::Fresh, Parameters::AfterOne, Parameters::Any];
}

/// How many operations a law is about.
pub(crate) fn operations(law: Law) -> usize {
    if law == Law::Tp1 { 2 } else { 3 }
}

/// The kinds of the operations, and of the one before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The operations in question.
    pub kinds: Vec<Kind>,
    /// The operation before them, if any, and for each operation in question whether it is concurrent with that.
    pub context: Option<(Kind, Vec<bool>)>,
}

impl Case {
    /// All cases of a law.
    pub fn all(law: Law, parameters: Parameters) -> Vec<Case> {
        let count = operations(law);
        let either = |bits: usize, index: usize| if bits >> index & 1 == 0 { Kind::Ins } else { Kind::Del };
        let kinds = |bits: usize| (0..count).map(|index| either(bits, index)).collect::<Vec<_>>();
        let choices = 1 << count;
        if parameters != Parameters::AfterOne {
            return (0..choices).map(|bits| Case { kinds: kinds(bits), context: None }).collect();
        }
        let mut cases = Vec::new();
        for bits in 0..choices {
            for before in [Kind::Ins, Kind::Del] {
                for mask in 0..choices {
                    let concurrent = (0..count).map(|index| mask >> index & 1 == 1).collect();
                    cases.push(Case { kinds: kinds(bits), context: Some((before, concurrent)) });
                }
            }
        }
        cases
    }

    /// The names of its operations in models: `context`, then `o0`, `o1`, ...
    pub fn names(&self) -> Vec<String> {
        let asked = (0..self.kinds.len()).map(|index| format!("o{index}"));
        self.context.iter().map(|_| "context".to_owned()).chain(asked).collect()
    }

    /// What must hold for the operations to be possible, and what is true exactly if the law is broken.
    pub fn broken<F: SymbolicFunction>(&self, function: &F, law: Law, parameters: Parameters) -> Vec<Term> {
        let (mut terms, forms) = self.forms(function, parameters);
        let transform = |a: &Form<F::Extra>, b: &Form<F::Extra>| function.transform(a, b);
        let [first, second] = if law == Law::Tp1 { [&forms[0], &forms[1]] } else { [&forms[1], &forms[2]] };
        let second_after = transform(second, first);
        let first_after = transform(first, second);
        let along = |a: &Form<F::Extra>, b: &Form<F::Extra>| transform(&transform(&forms[0], a), b);
        let index = Term::variable("index", Sort::Int);
        let differ = |one: &[&Form<F::Extra>], other: &[&Form<F::Extra>]| {
            let equal = cell(one, &index, F::TOMBSTONES).equal(&cell(other, &index, F::TOMBSTONES));
            int(0).at_most(&index).and(&equal.not())
        };
        terms.push(match law {
            Law::Tp1 => differ(&[first, &second_after], &[second, &first_after]),
            Law::Tp2Form => along(first, &second_after).equal(&along(second, &first_after)).not(),
            Law::Tp2Effect => {
                let (one, other) = (along(first, &second_after), along(second, &first_after));
                differ(&[first, &second_after, &one], &[first, &second_after, &other])
            }
        });
        terms
    }

    /// The forms in question, and what must hold of them.
    pub(crate) fn forms<F: SymbolicFunction>(
        &self,
        function: &F,
        parameters: Parameters,
    ) -> (Vec<Term>, Vec<Form<F::Extra>>) {
        let named = self.kinds.len() + usize::from(self.context.is_some());
        // With anything carried, each pair of operations may share an identity of its own.
        let identities = if parameters == Parameters::Any { named + named * named } else { named };
        let form = |name: &str, kind: Kind, id: usize| {
            Form::variable(name, kind, id, |position| match parameters {
                Parameters::Any if kind == Kind::Ins => function.arbitrary(name, identities),
                _ => function.fresh(position, identities),
            })
        };
        let before = self.context.as_ref().map(|(kind, _)| form("context", *kind, 0));
        let first = usize::from(before.is_some());
        let asked = self.kinds.iter().enumerate();
        let asked: Vec<_> = asked.map(|(index, kind)| form(&format!("o{index}"), *kind, first + index)).collect();
        let mut terms = vec![distinct(asked.iter().map(|form| &form.site))];
        terms.extend(before.iter().chain(&asked).map(possible));
        let Some((before, (_, concurrent))) = before.zip(self.context.as_ref()) else { return (terms, asked) };
        let met = asked.iter().zip(concurrent).map(|(form, concurrent)| match concurrent {
            true => {
                terms.push(form.site.equal(&before.site).not());
                function.transform(form, &before)
            }
            false => form.clone(),
        });
        let met = met.collect();
        (terms, met)
    }
}

fn possible<X>(form: &Form<X>) -> Term {
    let not_negative = |term: &Term| int(0).at_most(term);
    all([&form.position, &form.character, &form.site].map(not_negative))
}

fn distinct<'a>(terms: impl Iterator<Item = &'a Term>) -> Term {
    let terms: Vec<&Term> = terms.collect();
    let pairs = terms.iter().enumerate().flat_map(|(at, a)| terms[..at].iter().map(move |b| a.equal(b).not()));
    pairs.fold(boolean(true), |sum, term| sum.and(&term))
}
