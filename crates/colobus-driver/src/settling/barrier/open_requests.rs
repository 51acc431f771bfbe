//! Requests that are open: which of them are waited for, and which stay open for good.

use std::collections::BTreeSet;

use colobus_model::Settle;
use tokio::time::{Instant, timeout_at};
use tracing::debug;

use super::{Barrier, Pass};
use crate::settling::limits::{ASK_AGAIN, SHARE_OF_OPEN_REQUESTS, share};
use crate::settling::movement::{any_change, revisions};
use crate::settling::page_activity::has_secrets;
use crate::settling::reactions::is_background;
use crate::settling::shape;
use crate::world::Client;
use colobus_proxy::{ConnectionId, RequestInfo};

impl Barrier {
    /// Waits for requests that are not answered yet; whether there were any.
    pub(super) async fn awaits_answers(&self, pass: &Pass<'_>) -> bool {
        // An answer that is held moves no count.
        let revisions = revisions(pass.clients);
        let open = self.open_requests(pass.clients, pass.settle);
        let Some(oldest) = open.iter().map(|request| request.age).max() else { return false };
        debug!(target: "settling", open = open.len(), oldest = ?oldest, "waits: requests are not answered");
        let long = share(pass.settle, SHARE_OF_OPEN_REQUESTS);
        if self.patience.is_learning(pass.clients.len()) && pass.begun.elapsed() >= long {
            // Only reading stays open for good: what changes something is answered.
            for request in open.iter().filter(|request| request.method == "GET" && request.age >= long) {
                self.patience.stays_open(shape::of_request(&request.method, &request.url));
            }
            if open.iter().all(|request| self.stays_open(request, pass.settle)) {
                return false;
            }
        }
        let until = (Instant::now() + long.saturating_sub(oldest).max(ASK_AGAIN)).min(pass.deadline);
        let _ = timeout_at(until, any_change(pass.clients, revisions)).await;
        true
    }

    /// To be called when the server has nothing left to do: a GET that it leaves open is a long poll. Later, timers of older polls may hide
    /// that it has nothing to do.
    pub(super) fn learn_long_polls(&self, clients: &[Client], settle: &Settle) {
        for request in self.open_requests(clients, settle).iter().filter(|request| request.method == "GET") {
            self.patience.stays_open(shape::of_request(&request.method, &request.url));
        }
    }

    /// Requests that the servers have got and not answered, and that are not known to stay open.
    fn open_requests(&self, clients: &[Client], settle: &Settle) -> Vec<RequestInfo> {
        let open = |client: &Client| {
            let at_gate: BTreeSet<ConnectionId> = client.proxy.held().into_iter().map(|held| held.connection).collect();
            let port = client.proxy.address().port();
            let mut requests = client.proxy.in_flight();
            let in_vain = &self.reactions().in_vain;
            requests.retain(|request| !at_gate.contains(&request.id) && !in_vain.contains(&(port, request.id)));
            requests
        };
        let mut open: Vec<RequestInfo> = clients.iter().flat_map(open).collect();
        open.retain(|request| !request.streams && !self.stays_open(request, settle));
        open
    }

    /// What is open now is not waited for again while messages are held: the server may need one of those to answer it.
    pub(super) fn give_up_waiting(&self, clients: &[Client], settle: &Settle) {
        for client in clients {
            let port = client.proxy.address().port();
            let open = self.open_requests(std::slice::from_ref(client), settle);
            self.reactions().in_vain.extend(open.into_iter().map(|request| (port, request.id)));
        }
    }

    /// Whether pages send this request again and again by themselves, and it only reads.
    pub fn is_poll(&self, request: &RequestInfo) -> bool {
        request.method == "GET" && self.patience.is_poll(&shape::of_request(&request.method, &request.url))
    }

    /// Whether this client waits for an answer.
    pub fn awaits_answer(&self, client: &Client) -> bool {
        !self.open_requests(std::slice::from_ref(client), &client.application.settle).is_empty()
    }

    /// Whether anything can reach this client that it did not ask for: without a connection that stays open, only answers do.
    pub(super) fn can_be_told(&self, client: &Client) -> bool {
        !client.proxy.sockets().is_empty() || self.has_open_request(client) || has_secrets(client)
    }

    /// Whether a long poll or a stream of this client is open.
    pub(super) fn has_open_request(&self, client: &Client) -> bool {
        self.has_long_poll(client) || client.proxy.in_flight().iter().any(|request| request.streams)
    }

    pub(super) fn has_long_poll(&self, client: &Client) -> bool {
        let settle = &client.application.settle;
        client.proxy.in_flight().iter().any(|request| !request.streams && self.stays_open(request, settle))
    }

    fn stays_open(&self, request: &RequestInfo, settle: &Settle) -> bool {
        is_background(&request.method, &request.url, &settle.background, &self.patience)
    }
}
