//! The two transformation properties. TP1: two concurrent operations can be executed in either order. TP2: a third one is
//! transformed to the same form along both orders.
//!
//! With fresh parameters, as users generate operations; and with the parameters that operations can reach when others
//! were executed before them (the context), which is what a theorem about all parameters cannot tell.

use std::ops::ControlFlow;

use crate::counterexample::{Counterexample, SiteTrace};
use crate::document::{Document, Ink};
use crate::machine::{Goal, View};
use crate::operation::OpSet;
use crate::order::{CausalOrder, permutations, visit_orders};
use crate::program::{Builder, FormId, Program, TextId};
use crate::search::{Options, Until, search};
use crate::setting::{Setting, SettingError};
use crate::transformation::Transformation;

/// Which property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Two operations, either order, one text.
    Tp1,
    /// Three operations; the third does the same after either order of the other two.
    Tp2Effect,
    /// Three operations; the third has the same form, parameters included, after either order of the other two.
    Tp2Form,
}

impl Law {
    /// All of them.
    pub const ALL: [Law; 3] = [Law::Tp1, Law::Tp2Effect, Law::Tp2Form];

    /// How many pairwise concurrent operations it is about.
    fn operations(self) -> usize {
        if self == Law::Tp1 { 2 } else { 3 }
    }
}

/// How often a law was tried and broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawCount {
    /// The law.
    pub law: Law,
    /// How many operations were executed before the ones in question; 0 means fresh parameters.
    pub context: usize,
    /// How many combinations were tried.
    pub cases: u64,
    /// How many of them broke it.
    pub violations: u64,
    /// A violation with the smallest positions.
    pub witness: Option<Witness>,
}

/// A violation of a law: a setting in which the last operations are the ones in question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The operations and their causal order. The two traces execute the context, then both orders.
    pub scenario: Counterexample,
}

/// Count the violations of a law among operations at `positions` positions with `alphabet` characters, after every
/// possible context of `context` operations.
pub fn count<T: Transformation>(
    function: &T,
    law: Law,
    positions: u8,
    alphabet: usize,
    context: usize,
    options: &Options,
) -> Result<LawCount, SettingError> {
    let cases = |positions: u8| -> Result<_, SettingError> {
        let operations = law.operations() + context;
        let setting = Setting::new(vec![1; operations])?;
        setting.positions(0..=positions.max(1) - 1)?.alphabet(alphabet)
    };
    let setting = cases(positions)?;
    let (contexts, programs) = compile(law, context);
    let tally = search(function, &setting, Ink::Character, &programs, Until::Exhausted, options);
    let mut witness = None;
    for fewer in (1..=positions).take_while(|_| tally.first.is_some()) {
        let setting = cases(fewer)?;
        let found = search(function, &setting, Ink::Character, &programs, Until::FirstFailure, options);
        if let Some(failure) = found.first {
            let order = programs[failure.program].order.clone();
            let scenario = witness_scenario(law, setting, order, &contexts[failure.program], failure.signatures);
            witness = Some(Witness { scenario });
            break;
        }
    }
    Ok(LawCount { law, context, cases: tally.evaluations, violations: tally.failures, witness })
}

/// What is compared.
enum Compared {
    Texts(TextId, TextId),
    Forms(FormId, FormId),
}

impl Goal for Compared {
    #[inline(always)]
    fn fails<T: Transformation, D: Document>(&self, view: &View<'_, T, D>) -> bool {
        match *self {
            Compared::Texts(a, b) => view.text(a) != view.text(b),
            Compared::Forms(a, b) => view.form(a) != view.form(b),
        }
    }
}

/// One program per way in which the operations in question can follow a context, with that context's sequence.
fn compile(law: Law, context: usize) -> (Vec<Vec<u8>>, Vec<Program<Compared>>) {
    let (mut contexts, mut programs) = (Vec::new(), Vec::new());
    let asked: Vec<u8> = (0..law.operations()).map(|index| (context + index) as u8).collect();
    for owners in owner_choices(law.operations(), context) {
        let _ = visit_orders::<()>(&owners, &mut |order| {
            let past = OpSet::first(context);
            let concurrent = asked.iter().all(|&a| asked.iter().all(|&b| a == b || order.concurrent(a, b)));
            if concurrent && order.is_past(past) {
                for sequence in order.sequences_of(past) {
                    programs.push(compare(law, &order, &sequence, &asked));
                    contexts.push(sequence);
                }
            }
            ControlFlow::Continue(())
        });
    }
    (contexts, programs)
}

/// Sites for the context's operations (any, also one that takes no other part) and, all different, for the others.
fn owner_choices(operations: usize, context: usize) -> Vec<Vec<u8>> {
    let mut choices: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 0..context {
        let longer = |choice: &Vec<u8>| {
            let choice = choice.clone();
            (0..=operations as u8).map(move |site| [choice.clone(), vec![site]].concat())
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    let with_sites = |choice: Vec<u8>| permutations(operations).into_iter().map(move |s| [choice.clone(), s].concat());
    choices.into_iter().flat_map(with_sites).collect()
}

fn compare(law: Law, order: &CausalOrder, context: &[u8], asked: &[u8]) -> Program<Compared> {
    let mut builder = Builder::new(order);
    let history = builder.history(context);
    let text = builder.execute_all(&history);
    let forms: Vec<FormId> = asked.iter().map(|&operation| builder.integrate(operation, context)).collect();
    let (first, second) = match law {
        Law::Tp1 => (forms[0], forms[1]),
        Law::Tp2Effect | Law::Tp2Form => (forms[1], forms[2]),
    };
    let one = [first, builder.transform(second, first)];
    let other = [second, builder.transform(first, second)];
    let after = |builder: &mut Builder, path: [FormId; 2]| path.iter().fold(text, |t, &f| builder.execute(t, f));
    let goal = match law {
        Law::Tp1 => Compared::Texts(after(&mut builder, one), after(&mut builder, other)),
        Law::Tp2Form => Compared::Forms(builder.transform_all(forms[0], &one), builder.transform_all(forms[0], &other)),
        Law::Tp2Effect => {
            let (a, b) = (builder.transform_all(forms[0], &one), builder.transform_all(forms[0], &other));
            let common = after(&mut builder, one);
            Compared::Texts(builder.execute(common, a), builder.execute(common, b))
        }
    };
    builder.finish(goal)
}

fn witness_scenario(
    law: Law,
    setting: Setting,
    order: CausalOrder,
    context: &[u8],
    signatures: Vec<crate::signature::Signature>,
) -> Counterexample {
    let asked: Vec<u8> = (0..law.operations()).map(|index| (context.len() + index) as u8).collect();
    let orders = match law {
        Law::Tp1 => [vec![asked[0], asked[1]], vec![asked[1], asked[0]]],
        _ => [vec![asked[1], asked[2], asked[0]], vec![asked[2], asked[1], asked[0]]],
    };
    // Two sites that only listen follow the two paths.
    let listener = order.owners.iter().max().map_or(0, |last| last + 1);
    let traces = (listener..)
        .zip(orders)
        .map(|(site, path)| SiteTrace { site: Some(site), operations: [context.to_vec(), path].concat() });
    let traces = traces.collect();
    Counterexample { setting, order, signatures, traces }
}
