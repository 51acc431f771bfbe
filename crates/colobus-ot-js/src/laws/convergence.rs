//! Convergence around a server that puts all operations in one order, as Jupiter and its heirs do.
//!
//! Each client has its own edits that the server has not confirmed (`pending`), in order, one of them on its way at a
//! time. The server transforms what it takes over what the client had not seen; the client transforms what it
//! receives over its pending edits and these over that. An operation not yet taken has the left side. When everything has been delivered, all documents
//! must be equal.

use super::{Claim, Law, Run, Shape, Stop};
use crate::case::{Case, Move};
use crate::json::Json;
use crate::subject::{Facts, Side};

pub struct Convergence;

impl Law for Convergence {
    fn id(&self) -> &'static str {
        "convergence"
    }

    fn statement(&self) -> &'static str {
        "clients around an ordering server end with the server's document"
    }

    fn claim(&self, _facts: &Facts) -> Claim {
        Claim::Claimed
    }

    fn shape(&self) -> Shape {
        Shape::Clients
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop> {
        let mut world = World::new(&case.document, case.clients());
        for &event in &case.schedule {
            world.step(run, event, &case.operations)?;
        }
        world.settle(run)?;
        for (index, client) in world.clients.iter().enumerate() {
            run.agree(
                (format_args!("the server"), &world.document),
                (format_args!("client {index}"), &client.document),
            )?;
        }
        Ok(())
    }
}

/// The server, its history, and every client.
pub(crate) struct World {
    document: Json,
    history: Vec<Taken>,
    clients: Vec<Client>,
}

struct Taken {
    name: String,
    author: usize,
    operation: Json,
}

struct Client {
    document: Json,
    /// How much of the history it has received, its own operations included.
    seen: usize,
    pending: Vec<(String, Json)>,
    /// Whether the server has taken the first pending edit and the client does not know yet.
    in_flight: bool,
}

impl World {
    pub fn new(document: &Json, clients: usize) -> World {
        let client = || Client { document: document.clone(), seen: 0, pending: Vec::new(), in_flight: false };
        World { document: document.clone(), history: Vec::new(), clients: (0..clients).map(|_| client()).collect() }
    }

    /// What a client sees at the moment.
    pub fn document_of(&self, client: usize) -> &Json {
        &self.clients[client].document
    }

    pub fn step(&mut self, run: &mut Run<'_>, event: Move, operations: &[Json]) -> Result<(), Stop> {
        let (done, idle) = match event {
            Move::Edit { client, operation } => (self.edit(run, client, operation, operations)?, "no such operation"),
            Move::Submit { client } => (self.submit_next(run, client)?, "nothing to submit, or waits for an answer"),
            Move::Receive { client } => (self.receive_next(run, client)?, "nothing to receive"),
        };
        match done {
            true => Ok(()),
            false => Err(Stop::Inapplicable(format!("client {} has {idle}", event.client()))),
        }
    }

    fn edit(&mut self, run: &mut Run<'_>, index: usize, operation: usize, operations: &[Json]) -> Result<bool, Stop> {
        let Some(made) = operations.get(operation) else {
            return Ok(false);
        };
        let client = &mut self.clients[index];
        let name = Case::name(operation);
        client.document = run.edit(format_args!("client {index} makes {name}"), &client.document, made)?;
        client.pending.push((name, made.clone()));
        Ok(true)
    }

    fn submit_next(&mut self, run: &mut Run<'_>, index: usize) -> Result<bool, Stop> {
        let client = &mut self.clients[index];
        let Some((name, made)) = client.pending.first().filter(|_| !client.in_flight).cloned() else {
            return Ok(false);
        };
        // The pending form accounts for all that the client has seen, and none of the rest is its own.
        let mut operation = made;
        for taken in &self.history[client.seen..] {
            operation = run.transform(
                format_args!("server: transform({name}, {}, left)", taken.name),
                &operation,
                &taken.operation,
                Side::Left,
            )?;
        }
        self.document = run.apply(format_args!("server applies {name}"), &self.document, &operation)?;
        client.in_flight = true;
        self.history.push(Taken { name, author: index, operation });
        Ok(true)
    }

    /// Delivers everything: all submit before any receives, so that what can be concurrent is.
    fn settle(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        loop {
            let mut moved = false;
            for client in 0..self.clients.len() {
                moved |= self.submit_next(run, client)?;
            }
            for client in 0..self.clients.len() {
                while self.receive_next(run, client)? {
                    moved = true;
                }
            }
            if !moved {
                return Ok(());
            }
        }
    }

    fn receive_next(&mut self, run: &mut Run<'_>, index: usize) -> Result<bool, Stop> {
        let client = &mut self.clients[index];
        let Some(taken) = self.history.get(client.seen) else {
            return Ok(false);
        };
        client.seen += 1;
        if taken.author == index {
            client.pending.remove(0);
            client.in_flight = false;
            return Ok(true);
        }
        let mut incoming = taken.operation.clone();
        for (name, own) in &mut client.pending {
            let (server, mine) = cross(run, (&taken.name, &incoming), (name, own))?;
            (incoming, *own) = (server, mine);
        }
        client.document =
            run.apply(format_args!("client {index} applies {}", taken.name), &client.document, &incoming)?;
        Ok(true)
    }
}

/// Moves a server operation and a client's own edit past each other.
fn cross(run: &mut Run<'_>, server: (&str, &Json), own: (&str, &Json)) -> Result<(Json, Json), Stop> {
    let (server_name, server) = server;
    let (own_name, own) = own;
    let server_moved =
        run.transform(format_args!("transform({server_name}, {own_name}, right)"), server, own, Side::Right)?;
    let own_moved =
        run.transform(format_args!("transform({own_name}, {server_name}, left)"), own, server, Side::Left)?;
    Ok((server_moved, own_moved))
}
