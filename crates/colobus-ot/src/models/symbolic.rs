//! The symbolic model: a state is the operations generated so far and the trace of each site. Signatures are tried when
//! all traces are complete. States are visited breadth first, the process ascending, then the operation's site ascending.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;

use crate::arrangement::{Arrangement, compile};
use crate::counterexample::{Counterexample, SiteTrace};
use crate::document::Ink;
use crate::operation::OpSet;
use crate::order::CausalOrder;
use crate::outcome::{Model, Outcome, Verdict};
use crate::search::{Options, Until, search};
use crate::sequence::Sequence;
use crate::setting::{MAX_OPERATIONS, Setting};
use crate::transformation::Transformation;

/// A state: who generated which operation, and which operations each site has executed, in order.
///
/// Operations are numbered in the order of their generation. The vectors of counters of the sites and the timestamps
/// of the operations follow from that and are not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The site of each operation.
    owners: Sequence,
    /// The operations each site has executed.
    traces: [Sequence; MAX_OPERATIONS],
    /// Whether the sites have compared their texts.
    compared: bool,
}

impl State {
    /// Nothing has happened yet.
    pub fn initial() -> Self {
        State { owners: Sequence::default(), traces: Default::default(), compared: false }
    }

    /// Whether the sites have compared their texts.
    pub fn is_compared(&self) -> bool {
        self.compared
    }

    /// Whether every site has executed every operation.
    pub fn is_complete(&self, setting: &Setting) -> bool {
        self.traces[..setting.sites()].iter().all(|trace| trace.len() == setting.total())
    }

    /// The operations generated so far, by the sites that generated them.
    pub fn owners(&self) -> Sequence {
        self.owners
    }

    /// The operations a site has executed.
    pub fn trace(&self, site: usize) -> Sequence {
        self.traces[site]
    }

    /// The site of an operation.
    fn owner(&self, operation: u8) -> usize {
        self.owners.get(operation.into()).unwrap_or(0).into()
    }

    /// What had happened before an operation: what its site had executed when it was generated.
    pub fn before(&self, operation: u8) -> OpSet {
        self.traces[self.owner(operation)].before(operation)
    }

    /// The states after one more step, in the order of the search.
    pub fn successors(&self, setting: &Setting) -> Vec<State> {
        if self.compared {
            return Vec::new();
        }
        if self.is_complete(setting) {
            return vec![State { compared: true, ..*self }];
        }
        let sites = 0..setting.sites();
        sites.clone().flat_map(|process| sites.clone().filter_map(move |k| self.step(setting, process, k))).collect()
    }

    /// Site `process` executes the next operation of site `k`, if it may.
    fn step(&self, setting: &Setting, process: usize, k: usize) -> Option<State> {
        let executed = self.traces[process].iter().filter(|&operation| self.owner(operation) == k).count();
        let mut next = *self;
        let operation = if process == k {
            if executed == setting.operations[k] {
                return None;
            }
            next.owners = self.owners.pushed(k as u8);
            self.owners.len() as u8
        } else {
            let operation = self.traces[k].iter().filter(|&operation| self.owner(operation) == k).nth(executed)?;
            if !self.before(operation).within(self.traces[process].members()) {
                return None;
            }
            operation
        };
        next.traces[process] = next.traces[process].pushed(operation);
        Some(next)
    }

    /// The number that each operation has in a [`Setting`], which counts site by site: who it is does not depend on when
    /// it was generated.
    pub fn numbers(&self, setting: &Setting) -> Vec<u8> {
        let mut next: Vec<u8> =
            (0..setting.sites()).map(|s| setting.operations[..s].iter().sum::<usize>() as u8).collect();
        let number = |site: u8| {
            let number = next[usize::from(site)];
            next[usize::from(site)] += 1;
            number
        };
        self.owners.iter().map(number).collect()
    }

    /// The causal order and traces, with operations numbered as in a [`Setting`].
    pub fn arrangement(&self, setting: &Setting) -> Arrangement {
        let renamed = self.numbers(setting);
        let rename = |operation: u8| renamed[usize::from(operation)];
        let mut before = vec![OpSet::default(); renamed.len()];
        for operation in 0..renamed.len() as u8 {
            before[usize::from(rename(operation))] = OpSet::of(self.before(operation).iter().map(rename));
        }
        let order = CausalOrder { owners: setting.owners(), before };
        let traces = self.traces[..setting.sites()].iter().map(|t| vec![t.iter().map(rename).collect()]).collect();
        Arrangement { order, traces }
    }

    /// Whether every site executed causes before their effects.
    pub fn preserves_causality(&self) -> bool {
        self.traces
            .iter()
            .all(|trace| trace.iter().all(|operation| self.before(operation).within(trace.before(operation))))
    }
}

/// What a known state takes, its share of the hash table included.
const STATE_BYTES: u64 = 2 * size_of::<State>() as u64;

/// Explore the states in order until `visit` says stop. Returns explored and computed states; `visit` gets every
/// explored state with its successors.
pub fn explore(
    setting: &Setting,
    limit: Option<u64>,
    mut visit: impl FnMut(&State, &[State]) -> bool,
) -> (u64, u64, bool) {
    let initial = State::initial();
    let mut known = HashSet::from([initial]);
    let mut frontier = vec![initial];
    let mut explored = 0;
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for state in frontier {
            if limit.is_some_and(|limit| explored >= limit) {
                return (explored, known.len() as u64, true);
            }
            explored += 1;
            let successors = state.successors(setting);
            let fresh = successors.iter().copied().filter(|successor| known.insert(*successor));
            next.extend(fresh);
            if visit(&state, &successors) {
                return (explored, known.len() as u64, false);
            }
        }
        frontier = next;
    }
    (explored, known.len() as u64, false)
}

/// Check convergence.
pub fn check<T: Transformation>(function: &T, setting: &Setting, options: &Options) -> Outcome {
    let mut judged: HashMap<(CausalOrder, Vec<Vec<u8>>), bool> = HashMap::new();
    let mut evaluations = 0;
    let mut transformations = 0;
    let mut counterexample = None;
    let most = options.memory / STATE_BYTES;
    let limit = options.limit.map_or(most, |limit| limit.min(most));
    let unlimited = Options { limit: None, watch: None, ..options.clone() };
    let (explored, computed, limited) = explore(setting, Some(limit), |state, _| {
        if let Some(watch) = &options.watch {
            watch.done.fetch_add(1, Ordering::Relaxed);
        }
        if state.compared || !state.is_complete(setting) {
            return false;
        }
        let arrangement = state.arrangement(setting);
        let key = (arrangement.order.clone(), arrangement.traces.concat());
        if judged.contains_key(&key) {
            return false;
        }
        let program = compile(&arrangement, setting);
        transformations += program.transformations() as u64;
        let programs = [program];
        let tally = search(function, setting, Ink::Character, &programs, Until::FirstFailure, &unlimited);
        evaluations += tally.evaluations;
        judged.insert(key, tally.first.is_some());
        counterexample = tally.first.map(|failure| Counterexample {
            setting: setting.clone(),
            order: arrangement.order.clone(),
            signatures: failure.signatures,
            traces: SiteTrace::of_peers(arrangement.traces.concat()),
        });
        counterexample.is_some()
    });
    let orders: HashMap<&CausalOrder, HashSet<&Vec<u8>>> =
        judged.keys().fold(HashMap::new(), |mut orders, (order, traces)| {
            orders.entry(order).or_default().extend(traces);
            orders
        });

    Outcome {
        verdict: Verdict::of(counterexample.is_some(), limited),
        model: Model::Symbolic,
        explored,
        computed,
        orders: orders.len() as u64,
        traces: orders.values().map(|traces| traces.len() as u64).sum(),
        transformations,
        evaluations,
        memory: computed * STATE_BYTES,
        counterexample,
    }
}
