//! The concrete model: users choose operations and sites execute them step by step. The closest to an implementation and
//! by far the largest state space; the other two models are measured against it.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;

use super::symbolic;
use crate::counterexample::{Counterexample, SiteTrace};
use crate::document::{Document, Ink, Wide};
use crate::glyphs::Glyphs;
use crate::integrate::integrate;
use crate::operation::Op;
use crate::order::CausalOrder;
use crate::outcome::{Model, Outcome, Verdict};
use crate::search::Options;
use crate::setting::{Setting, Start};
use crate::signature::Signature;
use crate::transformation::Transformation;

/// A state: what has been executed where, what users chose, and what each site shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    traces: symbolic::State,
    signatures: Vec<Signature>,
    texts: Vec<Vec<u8>>,
}

/// Check convergence.
pub fn check<T: Transformation>(function: &T, setting: &Setting, options: &Options) -> Outcome {
    let initial = State {
        traces: symbolic::State::initial(),
        signatures: Vec::new(),
        texts: vec![Glyphs::of(setting).1; setting.sites()],
    };
    let size = (setting.sites() * (64 + setting.total() + setting.longest()) + 128) as u64;
    let most = options.memory / size;
    let limit = options.limit.map_or(most, |limit| limit.min(most));
    let mut known = HashSet::from([initial.clone()]);
    let mut frontier = vec![initial];
    let mut met: HashMap<CausalOrder, HashSet<Vec<u8>>> = HashMap::new();
    let (mut explored, mut evaluations) = (0, 0);
    let mut limited = false;
    let mut counterexample = None;
    'search: while !frontier.is_empty() {
        let mut next = Vec::new();
        for state in frontier {
            if known.len() as u64 >= limit {
                limited = true;
                break 'search;
            }
            explored += 1;
            if let Some(watch) = &options.watch {
                watch.done.store(explored, Ordering::Relaxed);
            }
            for successor in successors(function, setting, &state) {
                if known.insert(successor.clone()) {
                    next.push(successor);
                }
            }
            if state.traces.is_complete(setting) && !state.traces.is_compared() {
                evaluations += 1;
                let arrangement = state.traces.arrangement(setting);
                if state.texts.windows(2).any(|pair| pair[0] != pair[1]) {
                    counterexample = Some(Counterexample {
                        setting: setting.clone(),
                        signatures: by_operation(&state, setting),
                        traces: SiteTrace::of_peers(arrangement.traces.concat()),
                        order: arrangement.order,
                    });
                    break 'search;
                }
                met.entry(arrangement.order).or_default().extend(arrangement.traces.concat());
            }
        }
        frontier = next;
    }
    Outcome {
        verdict: Verdict::of(counterexample.is_some(), limited),
        model: Model::Concrete,
        explored,
        computed: known.len() as u64,
        orders: met.len() as u64,
        traces: met.values().map(|traces| traces.len() as u64).sum(),
        transformations: 0,
        evaluations,
        memory: known.len() as u64 * size,
        counterexample,
    }
}

/// Signatures are stored in the order of generation; settings number operations site by site.
fn by_operation(state: &State, setting: &Setting) -> Vec<Signature> {
    let sites = 0..setting.sites() as u8;
    let generated = || state.traces.owners().iter().zip(&state.signatures);
    sites.flat_map(|site| generated().filter(move |(owner, _)| *owner == site).map(|(_, s)| *s)).collect()
}

/// Every step any site can take; generating an operation has one successor per signature.
fn successors<T: Transformation>(function: &T, setting: &Setting, state: &State) -> Vec<State> {
    let mut found = Vec::new();
    for traces in state.traces.successors(setting) {
        let grown = |site: &usize| traces.trace(*site).len() > state.traces.trace(*site).len();
        let Some(site) = (0..setting.sites()).find(grown) else {
            found.push(State { traces, ..state.clone() });
            continue;
        };
        if traces.owners() == state.traces.owners() {
            found.push(execute(function, setting, state, traces, site, None));
            continue;
        }
        let possible = |s: &Signature| setting.start == Start::Unbounded || s.fits(state.texts[site].len());
        let choices = setting.signatures().into_iter().filter(possible);
        found.extend(choices.map(|choice| execute(function, setting, state, traces, site, Some(choice))));
    }
    found
}

/// Site `site` has the last operation of its new trace to execute, which it may just have generated.
fn execute<T: Transformation>(
    function: &T,
    setting: &Setting,
    state: &State,
    traces: symbolic::State,
    site: usize,
    generated: Option<Signature>,
) -> State {
    let mut next = State { traces, ..state.clone() };
    next.signatures.extend(generated);
    let owners: Vec<u8> = next.traces.owners().iter().collect();
    let generated = owners.iter().zip(next.traces.numbers(setting)).zip(&next.signatures);
    let originals: Vec<Op<T::Extra>> =
        generated.map(|((&owner, number), choice)| choice.generate(function, owner, number)).collect();
    let before = (0..owners.len() as u8).map(|id| next.traces.before(id)).collect();
    let order = CausalOrder { owners, before };
    let trace: Vec<u8> = next.traces.trace(site).iter().collect();
    if let Some((&operation, history)) = trace.split_last() {
        let op = integrate(function, &order, &originals, history, operation);
        let mut text = Wide::new(&next.texts[site]);
        text.execute::<T, _>(op, Ink::Character);
        next.texts[site] = text.cells();
    }
    next
}
