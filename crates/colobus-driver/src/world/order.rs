//! [`ConnectionNumbers`]: single messages as events. It gives the connections of every client numbers that mean the same in every
//! execution, and knows what has to be waited for after each event so that the next is chosen in a settled state.

use std::collections::BTreeSet;

use colobus_model::{ClientId, Direction, Event, Message};
use tokio::time::{Instant, timeout_at};

use super::client::Client;
use crate::settling::limits::{LONG_WAIT, RECONNECT_LIMIT};
use crate::settling::{Barrier, Look, quiesce, receive, receive_piece};
use colobus_proxy::{self as proxy, ConnectionId, HeldMessage, MessageKind, RequestInfo};
use colobus_world::WorldError;

/// The connections of each client, in the order in which they were first seen on this document.
#[derive(Default)]
pub struct ConnectionNumbers {
    connections: Vec<Vec<ConnectionId>>,
}

impl ConnectionNumbers {
    /// Gives numbers to connections that are new. To be called whenever something may have opened one, so that numbers do
    /// not depend on who asks what when.
    pub fn look(&mut self, clients: &[Client]) {
        self.connections.resize(clients.len(), Vec::new());
        for (known, client) in self.connections.iter_mut().zip(clients) {
            let sockets = client.proxy.sockets().into_iter().map(|socket| socket.id);
            let requests = client.proxy.in_flight().into_iter().map(|request| request.id);
            let held = client.proxy.held().into_iter().map(|message| message.connection);
            let seen: BTreeSet<ConnectionId> = sockets.chain(requests).chain(held).collect();
            known.extend(seen.into_iter().filter(|connection| !known.contains(connection)).collect::<Vec<_>>());
        }
    }

    /// Every waiting message, by client, direction and connection: an event as often as messages wait in its queue.
    pub fn deliverable(&mut self, clients: &[Client]) -> Vec<Event> {
        self.look(clients);
        let mut events: Vec<Event> = self.waiting(clients).collect();
        events.sort();
        events
    }

    /// The same, as far as connections have numbers.
    fn waiting(&self, clients: &[Client]) -> impl Iterator<Item = Event> {
        clients.iter().enumerate().flat_map(move |(index, client)| {
            let (held, kept) = (client.proxy.held(), client.proxy.kept_answers());
            // The answer to a poll that the order asked for has an event of its own.
            let held = held.into_iter().filter(move |message| !kept.contains(&message.connection));
            held.filter_map(move |message| self.event(ClientId(index), &message))
        })
    }

    fn event(&self, client: ClientId, message: &HeldMessage) -> Option<Event> {
        let connection = self.connections.get(client.0)?.iter().position(|known| *known == message.connection)?;
        let direction = match message.direction {
            proxy::Direction::ToServer => Direction::ToServer,
            proxy::Direction::ToClient => Direction::ToClient,
        };
        Some(Event::Deliver { client, direction, connection })
    }

    /// The first message of the queue that this event is about.
    fn first(&self, clients: &[Client], event: &Event) -> Option<HeldMessage> {
        let id = event.client()?;
        let held = clients.get(id.0)?.proxy.held();
        held.into_iter().find(|message| self.event(id, message).as_ref() == Some(event))
    }

    pub fn message(&self, clients: &[Client], event: &Event) -> Option<Message> {
        let HeldMessage { kind, url, preview, .. } = self.first(clients, event)?;
        Some(Message { kind, url, preview })
    }

    /// The request that the first message of this queue belongs to, if it belongs to one.
    pub fn request(&self, clients: &[Client], event: &Event) -> Option<RequestInfo> {
        let connection = self.first(clients, event)?.connection;
        let requests = clients.get(event.client()?.0)?.proxy.in_flight();
        requests.into_iter().find(|request| request.id == connection)
    }

    /// Lets the first message of one queue through, and waits for what follows from it.
    pub async fn deliver(&self, clients: &[Client], event: &Event, barrier: &Barrier) -> Result<(), WorldError> {
        let Event::Deliver { client: id, .. } = event else { return Ok(()) };
        let Some(client) = clients.get(id.0) else { return Ok(()) };
        let Some(message) = self.first(clients, event) else {
            return Err(WorldError::Interrupted(format!(
                "there is no message for {event} to let through, only for: {}",
                self.waiting(clients).map(|event| event.to_string()).collect::<Vec<_>>().join(" ")
            )));
        };
        if message.kind == MessageKind::StreamEvent {
            client.page.watch_network().await?;
        }
        let pieces = client.page.pieces();
        // A connection that closed at this very moment took its message along: that, too, is what happened.
        let _ = client.proxy.release(message.id).await;
        match message.direction {
            proxy::Direction::ToClient if message.kind == MessageKind::StreamEvent => {
                receive_piece(client, pieces).await
            }
            proxy::Direction::ToClient => receive(client).await,
            proxy::Direction::ToServer => barrier.hear_servers(clients).await,
        }
    }
}

/// The client loses its network; the application and the others notice.
pub async fn cut(clients: &[Client], client: &Client, barrier: &Barrier) -> Result<(), WorldError> {
    client.proxy.cut().await;
    receive(client).await?;
    barrier.hear_servers(clients).await
}

/// The client's network is back. Returns when the page has begun to connect again, or seems to have no intention to.
pub async fn restore(client: &Client) -> Result<(), WorldError> {
    let deadline = Instant::now() + RECONNECT_LIMIT;
    let attempts = client.proxy.counts().exchanges_started;
    client.proxy.restore();
    loop {
        let revision = client.proxy.counts().revision;
        let again = client.proxy.counts().exchanges_started > attempts;
        if again || timeout_at(deadline, client.proxy.changed(revision)).await.is_err() {
            return receive(client).await;
        }
    }
}

/// The client loads its page again; its own messages flow while it does.
pub async fn reload(clients: &[Client], id: ClientId, url: &str, barrier: &Barrier) -> Result<(), WorldError> {
    let Some(client) = clients.get(id.0) else { return Ok(()) };
    client.proxy.open(proxy::Direction::BOTH).await;
    let arrived = client.visit(id, url).await;
    let settled = match arrived {
        Ok(()) => {
            let settle = &client.application.settle;
            barrier.settle(std::slice::from_ref(client), settle, Look::Joining).await.map(|_| ())
        }
        Err(error) => Err(error),
    };
    client.proxy.hold(proxy::Direction::BOTH);
    client.page.begin_concurrent();
    settled?;
    barrier.hear_servers(clients).await
}

/// Half a minute passes in the pages of a client: long enough for an application that waits for an answer to try again.
pub async fn wait(client: &Client) -> Result<(), WorldError> {
    for tab in std::iter::once(client).chain(&client.tabs) {
        // A page that polls does so once.
        tab.page.ask("polls.again", &[]).await?;
        tab.page.ask("time.pass", &[serde_json::json!(LONG_WAIT.as_millis() as u64)]).await?;
    }
    quiesce(client, true).await
}
