//! [`Room`]: a document and the clients that have it open. Whatever a client must know goes into its outbox while the
//! room is locked, so that everyone hears of the edits in the same order.

use crate::delta::Delta;
use crate::mending::Mending;
use crate::protocol::{ClientId, Edit, FromServer, Proposal, Range};
use crate::socket::Outbox;
use crate::storage::Storage;
use crate::text::{Rejection, Rules, Text};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who makes the edits of the server itself: clients count from one.
const SERVER: ClientId = 0;

/// How a server's rooms treat edits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conduct {
    pub(crate) rules: Rules,
    pub(crate) storage: Storage,
    /// The seeded bug `lost-update`.
    pub(crate) edits_a_copy: bool,
    /// The seeded bug `format-overwritten`.
    pub(crate) formats_a_copy: bool,
    pub(crate) mending: Option<Mending>,
    /// The seeded bug `stale-load`.
    pub(crate) serves_old_copies: bool,
}

#[derive(Debug)]
pub(crate) struct Room {
    conduct: Conduct,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    text: Text,
    /// The document before the last edit that had to be merged.
    before_merge: Option<Delta>,
    members: BTreeMap<ClientId, Arc<Outbox>>,
    presence: BTreeMap<ClientId, Range>,
    next_client: ClientId,
}

/// What a client that comes back says about itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Returning {
    pub(crate) client: ClientId,
    pub(crate) revision: usize,
}

impl Room {
    pub(crate) fn new(conduct: Conduct) -> Room {
        let state = State {
            text: Text::new(),
            before_merge: None,
            members: BTreeMap::new(),
            presence: BTreeMap::new(),
            next_client: 1,
        };
        Room { conduct, state: Mutex::new(state) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn join(&self, outbox: Arc<Outbox>, returning: Option<Returning>) -> ClientId {
        let mut state = self.lock();
        let known =
            returning.filter(|back| back.client < state.next_client && state.text.since(back.revision).is_some());
        let client = known.map_or(state.next_client, |back| back.client);
        state.next_client = state.next_client.max(client + 1);
        state.members.insert(client, outbox);
        state.welcome(client, known.map(|back| back.revision), self.conduct.rules.leaves_order_to_clients);
        state.announce_users(Some(client));
        client
    }

    /// Forgets a connection; a client that is already back on another one stays. Says whether the room is empty.
    pub(crate) fn leave(&self, client: ClientId, outbox: &Arc<Outbox>) -> bool {
        let mut state = self.lock();
        if state.members.get(&client).is_some_and(|current| Arc::ptr_eq(current, outbox)) {
            state.members.remove(&client);
            state.presence.remove(&client);
            state.announce_users(None);
        }
        state.members.is_empty()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().members.is_empty()
    }

    pub(crate) fn edit(&self, client: ClientId, proposal: Proposal) {
        let Conduct { rules, storage, edits_a_copy, formats_a_copy, .. } = self.conduct;
        let mut state;
        if edits_a_copy || formats_a_copy && proposal.op.only_formats() {
            let mut copy = self.lock().text.clone();
            let revision = copy.revision();
            let outcome = copy.accept(client, proposal.clone(), rules);
            storage.save_document();
            state = self.lock();
            let meanwhile = state.text.since(revision).unwrap_or_default();
            if edits_a_copy || !meanwhile.is_empty() && meanwhile.iter().all(|edit| edit.op.only_formats()) {
                state.text = copy;
                state.publish(client, outcome);
                return;
            }
        } else {
            storage.save_edit();
            state = self.lock();
        }
        let unseen = state.text.since(proposal.revision).unwrap_or_default().to_vec();
        if !unseen.is_empty() && self.conduct.serves_old_copies {
            state.before_merge = Some(state.text.content().clone());
        }
        let outcome = state.text.accept(client, proposal, rules);
        let accepted = outcome.as_ref().ok().cloned().flatten();
        state.publish(client, outcome);
        if let (false, Some(mending), Some(edit)) = (unseen.is_empty(), self.conduct.mending, accepted)
            && let Some(op) = mending.after(&edit, &unseen)
        {
            state.mend(op, rules);
        }
    }

    pub(crate) fn show(&self, client: ClientId, revision: usize, range: Range) {
        let mut state = self.lock();
        let Some(unseen) = state.text.since(revision) else { return };
        let range = unseen.iter().fold(range, |range, edit| range.after(&edit.op));
        state.presence.insert(client, range);
        let revision = state.text.revision();
        state.send_all_but(Some(client), &FromServer::Presence { client, revision, range });
    }

    pub(crate) fn resync(&self, client: ClientId) {
        self.lock().welcome(client, None, self.conduct.rules.leaves_order_to_clients);
    }

    /// The document is as it was in the beginning, for the server and for everyone who has it open.
    pub(crate) fn empty(&self) {
        let mut state = self.lock();
        state.text = Text::new();
        state.before_merge = None;
        state.presence.clear();
        state.next_client = state.members.keys().next_back().map_or(1, |last| last + 1);
        state.send_all_but(None, &FromServer::Emptied);
    }

    pub(crate) fn refuse(&self, client: ClientId, reason: &str) {
        self.lock().send(client, &FromServer::Rejected { reason });
    }
}

impl State {
    fn welcome(&self, client: ClientId, revision: Option<usize>, from_the_start: bool) {
        let empty = Delta::empty_document();
        let (revision, document) = match revision {
            Some(revision) => (revision, None),
            None if from_the_start => (0, Some(&empty)),
            None => (self.text.revision(), Some(self.before_merge.as_ref().unwrap_or(self.text.content()))),
        };
        let edits = self.text.since(revision).unwrap_or_default();
        let presence = &self.presence;
        let message = FromServer::Welcome { client, revision, document, edits, users: self.users(), presence };
        self.send(client, &message);
    }

    fn publish(&mut self, author: ClientId, outcome: Result<Option<Edit>, Rejection>) {
        match outcome {
            Ok(None) => {}
            Ok(Some(edit)) => {
                for (client, range) in &mut self.presence {
                    let behind = edit.op.caret_behind().filter(|_| *client == edit.client);
                    *range = behind.map_or_else(|| range.after(&edit.op), |at| Range { anchor: at, head: at });
                }
                self.send_all_but(None, &FromServer::Edit(&edit));
            }
            Err(rejection) => {
                self.send(author, &FromServer::Rejected { reason: &rejection.to_string() });
                self.welcome(author, None, false);
            }
        }
    }

    /// The server adds an edit of its own behind a merged one.
    fn mend(&mut self, op: Delta, rules: Rules) {
        let revision = self.text.revision();
        let proposal = Proposal { seq: revision as u64, revision, op, clock: None };
        let outcome = self.text.accept(SERVER, proposal, rules);
        self.publish(SERVER, outcome);
    }

    fn users(&self) -> Vec<ClientId> {
        self.members.keys().copied().collect()
    }

    fn announce_users(&self, except: Option<ClientId>) {
        self.send_all_but(except, &FromServer::Users { users: self.users() });
    }

    fn send_all_but(&self, except: Option<ClientId>, message: &FromServer<'_>) {
        for (_, outbox) in self.members.iter().filter(|(client, _)| Some(**client) != except) {
            outbox.send(message);
        }
    }

    fn send(&self, client: ClientId, message: &FromServer<'_>) {
        if let Some(outbox) = self.members.get(&client) {
            outbox.send(message);
        }
    }
}
