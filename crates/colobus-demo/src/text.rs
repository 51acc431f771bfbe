//! [`Text`]: the content of one document and the single order of its edits. Pure; every edit is rebased onto those
//! that its author had not seen.

#[cfg(test)]
mod tests;

use crate::delta::{Delta, Order, Transformer};
use crate::protocol::{ClientId, Edit, Proposal};
use std::collections::HashMap;

/// How edits are put in order; the defaults are right, the rest are seeded bugs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) transformer: Transformer,
    pub(crate) forgets_what_it_has: bool,
    pub(crate) leaves_order_to_clients: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Text {
    content: Delta,
    history: Vec<Edit>,
    last_seq: HashMap<ClientId, u64>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Rejection {
    #[error("the edit was made against revision {made_at}, but the document is at {current}")]
    FromTheFuture { made_at: usize, current: usize },
    #[error("the edit does not fit the document at revision {revision}")]
    DoesNotFit { revision: usize },
}

impl Text {
    pub(crate) fn new() -> Text {
        Text { content: Delta::empty_document(), history: Vec::new(), last_seq: HashMap::new() }
    }

    pub(crate) fn content(&self) -> &Delta {
        &self.content
    }

    pub(crate) fn revision(&self) -> usize {
        self.history.len()
    }

    /// The edits behind a revision; `None` when the document has not come that far.
    pub(crate) fn since(&self, revision: usize) -> Option<&[Edit]> {
        self.history.get(revision..)
    }

    /// Takes an edit into the order and returns it as it is now; `None` when it was already there.
    pub(crate) fn accept(
        &mut self,
        client: ClientId,
        proposal: Proposal,
        rules: Rules,
    ) -> Result<Option<Edit>, Rejection> {
        let Proposal { seq, revision: made_at, op, clock } = proposal;
        let known = self.last_seq.get(&client).is_some_and(|last| seq <= *last);
        if known && !rules.forgets_what_it_has {
            return Ok(None);
        }
        let current = self.revision();
        let unseen = self.since(made_at).ok_or(Rejection::FromTheFuture { made_at, current })?;
        let mut op = op.normalised();
        if !rules.leaves_order_to_clients {
            for edit in unseen {
                op = rules.transformer.transform(&op, &edit.op, Order::of(client, edit.client));
            }
            if !op.fits(&self.content) {
                return Err(Rejection::DoesNotFit { revision: current });
            }
            self.content = self.content.compose(&op);
        }
        self.last_seq.insert(client, seq);
        let edit = Edit { revision: current + 1, client, seq, op, clock };
        self.history.push(edit.clone());
        Ok(Some(edit))
    }
}
