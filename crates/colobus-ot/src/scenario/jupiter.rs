//! A server and its clients, message by message: each link keeps what the other side has not confirmed, and both sides
//! transform against that and nothing else.

use std::collections::VecDeque;

use super::plan::Plan;
use super::replay::Executed;
use super::{Scenario, ScenarioError};
use crate::operation::{Op, Parameters};
use crate::transformation::Transformation;

/// An operation on its way, with how many messages its sender had received from the other side.
struct Message<X> {
    id: u8,
    op: Op<X>,
    received: usize,
}

/// One end of the link between a client and the server.
struct End<X> {
    received: usize,
    /// What was sent and may not have been received: its sequence number and the operation, kept up to date.
    pending: VecDeque<(usize, Op<X>)>,
    sent: usize,
}

impl<X: Parameters> End<X> {
    fn new() -> Self {
        End { received: 0, pending: VecDeque::new(), sent: 0 }
    }

    fn send(&mut self, id: u8, op: Op<X>) -> Message<X> {
        self.pending.push_back((self.sent, op));
        self.sent += 1;
        Message { id, op, received: self.received }
    }

    /// What an arriving operation becomes here; everything pending is carried past it.
    fn receive<T: Transformation<Extra = X>>(&mut self, function: &T, message: &Message<X>) -> Op<X> {
        self.received += 1;
        self.pending.retain(|(number, _)| *number >= message.received);
        self.pending.iter_mut().fold(message.op, |arriving, (_, mine)| {
            let past = function.transform(arriving, *mine);
            *mine = function.transform(*mine, arriving);
            past
        })
    }
}

/// A client: its end of the link, the trace it still has to follow, and the messages on their way to it and from it.
struct Client<X> {
    site: u8,
    index: usize,
    at_client: End<X>,
    at_server: End<X>,
    down: VecDeque<Message<X>>,
    up: VecDeque<Message<X>>,
    executed: Vec<Executed<X>>,
}

/// The forms that each trace executes; the traces must fit together as the server's sequence says.
pub(super) fn run<T: Transformation>(
    function: &T,
    scenario: &Scenario,
    plan: &Plan,
    originals: &[Op<T::Extra>],
) -> Result<Vec<Vec<Executed<T::Extra>>>, ScenarioError> {
    let Some(server_index) = plan.traces.iter().position(|(site, _)| site.is_none()) else {
        return Err(ScenarioError::MissingTrace("the server".into()));
    };
    if let Some(owner) = plan.order.owners.iter().find(|&&o| plan.traces.iter().all(|(site, _)| *site != Some(o))) {
        return Err(ScenarioError::MissingTrace(format!("site {}", owner + 1)));
    }
    let sites = plan.traces.iter().enumerate().filter_map(|(index, (site, _))| Some((index, (*site)?)));
    let mut clients: Vec<Client<T::Extra>> = sites.map(|(index, site)| Client::new(index, site)).collect();
    let mut server: Vec<Executed<T::Extra>> = Vec::new();
    let sequence = &plan.traces[server_index].1;
    loop {
        let mut moved = false;
        for client in &mut clients {
            moved |= client.follow(function, &plan.traces[client.index].1, plan, originals);
        }
        if let Some(&next) = sequence.get(server.len()) {
            moved |= take(function, next, &mut clients, &mut server);
        }
        if !moved {
            break;
        }
    }
    let mut all: Vec<Vec<Executed<T::Extra>>> = plan.traces.iter().map(|_| Vec::new()).collect();
    clients.into_iter().for_each(|client| all[client.index] = client.executed);
    all[server_index] = server;
    for ((_, trace), (executed, named)) in plan.traces.iter().zip(all.iter().zip(&scenario.traces)) {
        if let Some(&missing) = trace.get(executed.len()) {
            let name = scenario.operations[usize::from(missing)].name.clone();
            return Err(ScenarioError::Stuck(named.site_name(), name));
        }
    }
    Ok(all)
}

/// The server takes an operation if it has arrived, executes it and passes it on.
fn take<T: Transformation>(
    function: &T,
    next: u8,
    clients: &mut [Client<T::Extra>],
    server: &mut Vec<Executed<T::Extra>>,
) -> bool {
    let Some(from) = clients.iter().position(|c| c.up.front().is_some_and(|m| m.id == next)) else {
        return false;
    };
    let Some(message) = clients[from].up.pop_front() else {
        return false;
    };
    let op = clients[from].at_server.receive(function, &message);
    server.push(Executed { id: next, op });
    for (index, client) in clients.iter_mut().enumerate() {
        if index != from {
            let message = client.at_server.send(next, op);
            client.down.push_back(message);
        }
    }
    true
}

impl<X: Parameters> Client<X> {
    fn new(index: usize, site: u8) -> Self {
        let (at_client, at_server) = (End::new(), End::new());
        Client { site, index, at_client, at_server, down: VecDeque::new(), up: VecDeque::new(), executed: Vec::new() }
    }

    /// Go on with the trace as far as messages allow; whether that was anywhere.
    fn follow<T: Transformation<Extra = X>>(
        &mut self,
        function: &T,
        trace: &[u8],
        plan: &Plan,
        originals: &[Op<X>],
    ) -> bool {
        let before = self.executed.len();
        while let Some(&next) = trace.get(self.executed.len()) {
            if plan.order.owners[usize::from(next)] == self.site {
                let op = originals[usize::from(next)];
                let message = self.at_client.send(next, op);
                self.up.push_back(message);
                self.executed.push(Executed { id: next, op });
            } else {
                let Some(message) = self.arrived(next) else {
                    break;
                };
                let op = self.at_client.receive(function, &message);
                self.executed.push(Executed { id: next, op });
            }
        }
        self.executed.len() > before
    }

    /// The next message of the server, if it is the operation that the trace wants next.
    fn arrived(&mut self, wanted: u8) -> Option<Message<X>> {
        self.down.front().filter(|message| message.id == wanted)?;
        self.down.pop_front()
    }
}
