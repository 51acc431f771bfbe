//! [`Arrangement`]: the ways in which the sites of a setting can execute operations with one causal order, compiled to
//! a [`Program`] that asks whether they all arrive at the same text.

mod peers;
mod server;

use std::ops::ControlFlow;

pub use peers::{compile, peers};

use server::{Taken, server, visit_sequences};

use crate::document::Document;
use crate::machine::{Goal, View};
use crate::order::{CausalOrder, visit_orders};
use crate::program::{Builder, FormId, Program, TextId};
use crate::setting::{Network, Setting, SettingError, Start};
use crate::signature::Signature;
use crate::transformation::Transformation;

/// One causal order with the traces each site can have under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// What happened before what.
    pub order: CausalOrder,
    /// Per site (in a server-ordered setting the last one is the server): every possible trace.
    pub traces: Vec<Vec<Vec<u8>>>,
}

impl Arrangement {
    /// The different traces, whichever sites they belong to.
    pub fn distinct_traces(&self) -> usize {
        let all: std::collections::BTreeSet<&Vec<u8>> = self.traces.iter().flatten().collect();
        all.len()
    }
}

/// The question whether all traces end with the same text.
#[derive(Clone, Debug)]
pub struct Converge {
    /// The final documents to compare, each once.
    finals: Vec<TextId>,
    /// Where users are limited to the text they see: per site its traces.
    limited: Option<Vec<Vec<SiteTrace>>>,
}

/// A trace of a site and what its own user saw.
#[derive(Clone, Debug)]
struct SiteTrace {
    end: TextId,
    own: Vec<(FormId, TextId)>,
}

impl SiteTrace {
    /// Whether the site's user could generate its operations on the documents it saw.
    fn is_possible<T: Transformation, D: Document>(&self, view: &View<'_, T, D>) -> bool {
        self.own.iter().all(|&(form, seen)| Signature::from(view.form(form)).fits(view.text(seen).len()))
    }
}

impl Goal for Converge {
    #[inline(always)]
    fn fails<T: Transformation, D: Document>(&self, view: &View<'_, T, D>) -> bool {
        match &self.limited {
            None => {
                let reference = view.text(self.finals[0]);
                self.finals[1..].iter().any(|&end| view.text(end) != reference)
            }
            Some(sites) => {
                let mut ends = Vec::new();
                for traces in sites {
                    let known = ends.len();
                    ends.extend(traces.iter().filter(|t| t.is_possible(view)).map(|t| view.text(t.end)));
                    if ends.len() == known {
                        return false; // a site has no way to take part: this assignment cannot happen
                    }
                }
                ends.windows(2).any(|pair| pair[0] != pair[1])
            }
        }
    }
}

/// The traces of an arrangement as sequences of forms, per site.
pub(crate) type FormTraces = Vec<Vec<Vec<(u8, FormId)>>>;

/// Ask a program whether the given traces converge.
pub(crate) fn converge(mut builder: Builder, traces: &FormTraces, start: &Start) -> Program<Converge> {
    let mut finals = Vec::new();
    let mut sites = Vec::new();
    for (site, traces) in (0u8..).zip(traces) {
        let mut of_site = Vec::new();
        for trace in traces {
            let mut own = Vec::new();
            let mut text = builder.start();
            for &(operation, form) in trace {
                if builder.order().owners[usize::from(operation)] == site {
                    own.push((form, text));
                }
                text = builder.execute(text, form);
            }
            if !finals.contains(&text) {
                finals.push(text);
            }
            of_site.push(SiteTrace { end: text, own });
        }
        sites.push(of_site);
    }
    let limited = (*start != Start::Unbounded).then_some(sites);
    builder.finish(Converge { finals, limited })
}

/// Visit every arrangement of a setting with its program, in the canonical order.
pub fn visit_arrangements<T: Transformation, B>(
    setting: &Setting,
    symmetry: bool,
    visit: &mut impl FnMut(Arrangement, Program<Converge>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, SettingError> {
    visit_shapes::<T, B>(setting, symmetry, &mut |shape| {
        let (arrangement, program) = match shape {
            Shape::Peers(order) => peers(order, setting),
            Shape::Server(sequence) => server(setting, sequence),
        };
        visit(arrangement, program)
    })
}

/// How many arrangements a setting has, counting no further than `most`.
pub fn count_arrangements<T: Transformation>(
    setting: &Setting,
    symmetry: bool,
    most: u64,
) -> Result<u64, SettingError> {
    let mut count = 0;
    let _ = visit_shapes::<T, ()>(setting, symmetry, &mut |_| {
        count += 1;
        if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(count)
}

/// What an arrangement is compiled from.
enum Shape<'s> {
    Peers(CausalOrder),
    Server(&'s [Taken]),
}

fn visit_shapes<T: Transformation, B>(
    setting: &Setting,
    symmetry: bool,
    visit: &mut impl FnMut(Shape<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, SettingError> {
    if symmetry && T::USES_SITES {
        return Err(SettingError::UnsoundSymmetry);
    }
    Ok(match setting.network {
        Network::Peers => visit_orders(&setting.owners(), &mut |order| {
            if symmetry && !order.is_representative(&setting.operations) {
                return ControlFlow::Continue(());
            }
            visit(Shape::Peers(order))
        }),
        Network::Server => visit_sequences(setting, &mut |sequence| visit(Shape::Server(sequence))),
    })
}
