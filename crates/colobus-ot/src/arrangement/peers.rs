//! Every site sends to every other one: a site's trace is any sequence that respects causality and has its own
//! operations where their timestamps say.

use super::{Arrangement, Converge, converge};
use crate::order::CausalOrder;
use crate::program::{Builder, Program};
use crate::setting::Setting;

/// All traces of all sites under one causal order.
pub fn peers(order: CausalOrder, setting: &Setting) -> (Arrangement, Program<Converge>) {
    let traces = (0..setting.sites() as u8).map(|site| order.traces_at(site)).collect();
    let arrangement = Arrangement { order, traces };
    let program = compile(&arrangement, setting);
    (arrangement, program)
}

/// The program that compares the given traces, integrating operation by operation.
pub fn compile(arrangement: &Arrangement, setting: &Setting) -> Program<Converge> {
    let mut builder = Builder::new(&arrangement.order);
    let mut with_forms = |trace: &Vec<u8>| trace.iter().copied().zip(builder.history(trace)).collect::<Vec<_>>();
    let traces = arrangement.traces.iter().map(|of_site| of_site.iter().map(&mut with_forms).collect()).collect();
    converge(builder, &traces, &setting.start)
}
