//! [`Counterexample`]: the execution that a search ends with.

use crate::arrangement::Arrangement;
use crate::document::{Document, Ink, Wide};
use crate::glyphs::Glyphs;
use crate::integrate::integrate;
use crate::operation::Op;
use crate::order::CausalOrder;
use crate::setting::{Network, Setting, Start};
use crate::signature::Signature;
use crate::transformation::Transformation;

/// A complete execution after which two sites differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The setting it was found in.
    pub setting: Setting,
    /// What happened before what.
    pub order: CausalOrder,
    /// What each user did.
    pub signatures: Vec<Signature>,
    /// What each site executed.
    pub traces: Vec<SiteTrace>,
}

/// The order in which a site executed the operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteTrace {
    /// The site, counted from 0; `None` is the server.
    pub site: Option<u8>,
    /// The operations.
    pub operations: Vec<u8>,
}

impl SiteTrace {
    /// The traces of the sites from 0 on.
    pub(crate) fn of_peers(traces: Vec<Vec<u8>>) -> Vec<Self> {
        (0u8..).zip(traces).map(|(site, operations)| SiteTrace { site: Some(site), operations }).collect()
    }
}

impl Counterexample {
    /// Choose one trace per site by direct execution, such that two sites differ if that is possible.
    pub(crate) fn choose<T: Transformation>(
        function: &T,
        setting: &Setting,
        arrangement: &Arrangement,
        signatures: Vec<Signature>,
    ) -> Self {
        let order = arrangement.order.clone();
        let traces = match setting.network {
            Network::Server => {
                let mut traces = SiteTrace::of_peers(arrangement.traces.concat());
                traces.iter_mut().next_back().into_iter().for_each(|server| server.site = None);
                traces
            }
            Network::Peers => SiteTrace::of_peers(differing_traces(function, setting, arrangement, &signatures)),
        };
        Counterexample { setting: setting.clone(), order, signatures, traces }
    }
}

/// The first possible trace of each site; if all of those agree, another one for the first site that has one with a
/// different end.
fn differing_traces<T: Transformation>(
    function: &T,
    setting: &Setting,
    arrangement: &Arrangement,
    signatures: &[Signature],
) -> Vec<Vec<u8>> {
    let owners = &arrangement.order.owners;
    let generate = |(id, signature): (u8, &Signature)| signature.generate(function, owners[usize::from(id)], id);
    let originals: Vec<Op<T::Extra>> = (0u8..).zip(signatures).map(generate).collect();
    let end = |trace: &[u8], site: u8| run_trace(function, setting, &arrangement.order, &originals, trace, site);
    let candidates: Vec<Vec<(&Vec<u8>, Wide)>> = (0u8..)
        .zip(&arrangement.traces)
        .map(|(site, traces)| traces.iter().filter_map(|trace| Some((trace, end(trace, site)?))).collect())
        .collect();
    let mut chosen: Vec<&(&Vec<u8>, Wide)> = candidates.iter().filter_map(|of_site| of_site.first()).collect();
    if let Some(common) = chosen.first().map(|(_, end)| *end).filter(|common| chosen.iter().all(|c| c.1 == *common)) {
        let other = |of_site: &'_ Vec<(&Vec<u8>, Wide)>| of_site.iter().position(|(_, end)| *end != common);
        if let Some((site, index)) = candidates.iter().enumerate().find_map(|(site, c)| Some((site, other(c)?))) {
            chosen[site] = &candidates[site][index];
        }
    }
    chosen.into_iter().map(|(trace, _)| (*trace).clone()).collect()
}

/// Where a trace ends, or `None` if the site's own user could not have generated its operations on what it saw.
fn run_trace<T: Transformation>(
    function: &T,
    setting: &Setting,
    order: &CausalOrder,
    originals: &[Op<T::Extra>],
    trace: &[u8],
    site: u8,
) -> Option<Wide> {
    let mut text = Wide::new(&Glyphs::of(setting).1);
    for (done, &operation) in trace.iter().enumerate() {
        let op = integrate(function, order, originals, &trace[..done], operation);
        let own = order.owners[usize::from(operation)] == site;
        if own && setting.start != Start::Unbounded && !Signature::from(op).fits(text.len()) {
            return None;
        }
        text.execute::<T, _>(op, Ink::Character);
    }
    Some(text)
}
