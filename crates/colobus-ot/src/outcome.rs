//! [`Outcome`]: a verdict, how much work it rests on, and the counterexample if there is one.

use serde::Serialize;

use crate::arrangement::Arrangement;
use crate::document::{Document, Ink, Wide};
use crate::glyphs::Glyphs;
use crate::integrate::integrate;
use crate::operation::Op;
use crate::order::CausalOrder;
use crate::setting::{Network, Setting};
use crate::signature::Signature;
use crate::transformation::Transformation;

/// What is known about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No violation exists within the bounds of the setting.
    Holds,
    /// There is a violation.
    Violated,
    /// The search ended before it knew.
    Unknown,
}

impl Verdict {
    /// The verdict of a search that found a violation or not, and that was cut short or not.
    pub fn of(violated: bool, limited: bool) -> Self {
        match (violated, limited) {
            (true, _) => Verdict::Violated,
            (false, true) => Verdict::Unknown,
            (false, false) => Verdict::Holds,
        }
    }
}

/// How the executions of a setting are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Per causal order, every trace against one reference.
    Fast,
    /// Traces first, state by state; signatures when they are complete.
    Symbolic,
    /// Signatures chosen and operations executed step by step.
    Concrete,
}

/// The result of a convergence check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The model that was used.
    pub model: Model,
    /// States explored; for the fast model, causal orders judged completely.
    pub explored: u64,
    /// States computed; for the fast model, causal orders enumerated.
    pub computed: u64,
    /// Causal orders met.
    pub orders: u64,
    /// Different traces, summed over the orders.
    pub traces: u64,
    /// Different transformations, summed over the orders; 0 where the model does not share them.
    pub transformations: u64,
    /// Assignments of signatures judged.
    pub evaluations: u64,
    /// Bytes kept for the search, roughly.
    pub memory: u64,
    /// The first violation in the canonical order.
    pub counterexample: Option<Counterexample>,
}

/// A complete execution after which two sites differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The setting it was found in.
    pub setting: Setting,
    /// What happened before what.
    pub order: CausalOrder,
    /// What each user did.
    pub signatures: Vec<Signature>,
    /// The trace of each site; in a server-ordered setting the last one is the server's.
    pub traces: Vec<Vec<u8>>,
}

impl Counterexample {
    /// Choose one trace per site such that two sites differ, by direct execution.
    pub(crate) fn choose<T: Transformation>(
        function: &T,
        setting: &Setting,
        arrangement: &Arrangement,
        signatures: Vec<Signature>,
    ) -> Self {
        let order = arrangement.order.clone();
        let mut traces: Vec<Vec<u8>> = Vec::new();
        if setting.network == Network::Server {
            traces = arrangement
                .traces
                .iter()
                .map(|of_site| of_site[0].clone())
                .collect();
        } else {
            let start = Wide::new(&Glyphs::of(setting).1);
            let originals: Vec<Op<T::Extra>> = (0u8..)
                .zip(&signatures)
                .map(|(id, signature)| {
                    signature.generate(function, order.owners[usize::from(id)], id)
                })
                .collect();
            let run = |trace: &[u8], site: u8| {
                run_trace(function, setting, &order, &originals, &start, trace, site)
            };
            let mut reference = None;
            for (site, candidates) in (0u8..).zip(&arrangement.traces) {
                let ends: Vec<_> = candidates
                    .iter()
                    .filter_map(|t| Some((t, run(t, site)?)))
                    .collect();
                let reference = reference.get_or_insert_with(|| ends.first().map(|(_, end)| *end));
                let differing = ends.iter().find(|(_, end)| Some(*end) != *reference);
                if let Some((trace, _)) = differing.or(ends.first()) {
                    traces.push((*trace).clone());
                }
            }
        }
        Counterexample {
            setting: setting.clone(),
            order,
            signatures,
            traces,
        }
    }
}

/// Where a trace ends, or `None` if the site's own user could not have generated its operations on what it saw.
fn run_trace<T: Transformation>(
    function: &T,
    setting: &Setting,
    order: &CausalOrder,
    originals: &[Op<T::Extra>],
    start: &Wide,
    trace: &[u8],
    site: u8,
) -> Option<Wide> {
    let bounded = setting.start != crate::setting::Start::Unbounded;
    let mut text = *start;
    for (done, &operation) in trace.iter().enumerate() {
        let op = integrate(function, order, originals, &trace[..done], operation);
        let own = order.owners[usize::from(operation)] == site;
        let signature = Signature {
            kind: op.kind,
            position: op.position,
            character: op.character,
        };
        if bounded && own && !signature.fits(text.len()) {
            return None;
        }
        text.execute::<T, _>(op, Ink::Character);
    }
    Some(text)
}
