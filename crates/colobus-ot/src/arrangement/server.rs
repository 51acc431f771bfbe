//! One server decides the order of all operations (the Jupiter way): a client transforms an arriving operation against
//! its own unconfirmed ones and those against it, the server does the same for the client, and no other site is involved.
//! Only TP1 is needed there.

use std::ops::ControlFlow;

use super::{Arrangement, Converge, FormTraces, converge};
use crate::operation::OpSet;
use crate::order::CausalOrder;
use crate::program::{Builder, FormId, Program};
use crate::setting::Setting;

/// When an operation was generated and when the server took it.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    operation: u8,
    /// How many operations the server had already sent to its client when the user generated it.
    seen: usize,
}

/// Visit every sequence of the server together with every choice of what each user had seen.
pub(super) fn visit_sequences<B>(
    setting: &Setting,
    visit: &mut impl FnMut(&[Taken]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    take_next(setting, &setting.owners(), &mut Vec::new(), visit)
}

fn take_next<B>(
    setting: &Setting,
    owners: &[u8],
    taken: &mut Vec<Taken>,
    visit: &mut impl FnMut(&[Taken]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if taken.len() == owners.len() {
        return visit(taken);
    }
    for site in 0..setting.sites() as u8 {
        let own = |t: &&Taken| owners[usize::from(t.operation)] == site;
        let done = taken.iter().filter(own).count();
        if done == setting.operations[usize::from(site)] {
            continue;
        }
        let operation = owners.iter().position(|&o| o == site).unwrap_or(0) + done;
        let earliest = taken.iter().rfind(own).map_or(0, |previous| previous.seen);
        for seen in earliest..=taken.len() {
            if seen > earliest && owners[usize::from(taken[seen - 1].operation)] == site {
                continue; // a confirmation shows the user nothing new
            }
            taken.push(Taken { operation: operation as u8, seen });
            take_next(setting, owners, taken, visit)?;
            taken.pop();
        }
    }
    ControlFlow::Continue(())
}

/// The traces of all clients and of the server for one sequence.
pub(super) fn server(setting: &Setting, taken: &[Taken]) -> (Arrangement, Program<Converge>) {
    let owners = &setting.owners();
    let order = causal_order(owners, taken);
    let mut builder = Builder::new(&order);
    let mut clients: Vec<Client> = (0..setting.sites() as u8).map(Client::new).collect();
    let mut server = Vec::new();
    for next in taken {
        let site = usize::from(owners[usize::from(next.operation)]);
        clients[site].receive(&mut builder, owners, &server, next.seen);
        clients[site].generate(&mut builder, next.operation);
        let form = clients[site].form_at_server(&mut builder, owners, &server);
        server.push((next.operation, form));
    }
    for client in &mut clients {
        client.receive(&mut builder, owners, &server, server.len());
    }
    let mut traces: FormTraces = clients.into_iter().map(|client| vec![client.trace]).collect();
    traces.push(vec![server]);
    let plain = traces.iter().map(|site| site.iter().map(|t| t.iter().map(|&(o, _)| o).collect()).collect());
    let arrangement = Arrangement { order, traces: plain.collect() };
    let program = converge(builder, &traces, &setting.start);
    (arrangement, program)
}

/// What had happened before each operation: what its client had received and what that depends on.
fn causal_order(owners: &[u8], taken: &[Taken]) -> CausalOrder {
    let mut before = vec![OpSet::default(); owners.len()];
    for (index, next) in taken.iter().enumerate() {
        let site = owners[usize::from(next.operation)];
        let known = taken[..index].iter().enumerate();
        let seen = known.filter(|(at, t)| *at < next.seen || owners[usize::from(t.operation)] == site);
        let ids = seen.map(|(_, t)| t.operation);
        before[usize::from(next.operation)] = OpSet::of(ids);
    }
    CausalOrder { owners: owners.to_vec(), before }
}

/// A client's side of its link with the server.
struct Client {
    site: u8,
    trace: Vec<(u8, FormId)>,
    /// How many operations of the server's sequence it has received (its own ones come back as confirmations).
    received: usize,
    /// Its own operations that the server has not confirmed, as they follow everything received so far.
    unconfirmed: Vec<(u8, FormId)>,
}

impl Client {
    fn new(site: u8) -> Self {
        Client { site, trace: Vec::new(), received: 0, unconfirmed: Vec::new() }
    }

    fn generate(&mut self, builder: &mut Builder, operation: u8) {
        let form = builder.original(operation);
        self.trace.push((operation, form));
        self.unconfirmed.push((operation, form));
    }

    /// Receive the server's sequence up to an index.
    fn receive(&mut self, builder: &mut Builder, owners: &[u8], server: &[(u8, FormId)], until: usize) {
        while self.received < until {
            let (operation, form) = server[self.received];
            self.received += 1;
            if owners[usize::from(operation)] == self.site {
                self.unconfirmed.retain(|&(own, _)| own != operation);
                continue;
            }
            let form = cross(builder, form, &mut self.unconfirmed);
            self.trace.push((operation, form));
        }
    }

    /// The form in which the server executes the client's newest operation: as it would be if the client had received
    /// everything the server has taken before it.
    fn form_at_server(&self, builder: &mut Builder, owners: &[u8], server: &[(u8, FormId)]) -> FormId {
        let mut unconfirmed = self.unconfirmed.clone();
        for &(operation, form) in &server[self.received..] {
            if owners[usize::from(operation)] == self.site {
                unconfirmed.retain(|&(own, _)| own != operation);
            } else {
                cross(builder, form, &mut unconfirmed);
            }
        }
        unconfirmed[0].1
    }
}

/// Carry an operation past a sequence: both sides are transformed, step by step.
fn cross(builder: &mut Builder, form: FormId, sequence: &mut [(u8, FormId)]) -> FormId {
    sequence.iter_mut().fold(form, |form, (_, other)| {
        let past = builder.transform(form, *other);
        *other = builder.transform(*other, form);
        past
    })
}
