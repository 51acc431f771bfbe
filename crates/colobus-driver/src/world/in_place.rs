//! [`InPlace`]: a document that is emptied and used again instead of a fresh one, as long as the two look the same. Kept by
//! a [`BrowserWorld`] whose application names its documents and says how one is emptied (`{doc}` and `reset`).
//!
//! What the clients show after the document was emptied (DOM, text, state, carets) is compared with what they showed when it was
//! fresh, before every execution. After some executions the comparison takes in pixels, and every client tries to undo: what was
//! there before must not come back. Then the next document is a fresh one in any case. As soon as anything differs, the run uses
//! fresh documents only, and says so.

use colobus_model::{Caret, Observation, Png, Step};
use colobus_world::{ObserveOptions, Settled, WorldError};
use futures_util::future::try_join_all;

use super::{BrowserWorld, Client};
use crate::settling::Look;

/// The longest life of a document, in executions; the first ones live shorter, so that a `reset` that leaves something behind is
/// noticed early.
const LONGEST_LIFE: usize = 16;

const UNDO: &str = "Control+z";

pub(super) struct InPlace {
    /// What each client showed when the present document was fresh; empty if it cannot be used again.
    fresh: Vec<Shown>,
    executions: usize,
    /// After how many executions the present document is given up.
    life: usize,
}

impl Default for InPlace {
    fn default() -> InPlace {
        InPlace { fresh: Vec::new(), executions: 0, life: 1 }
    }
}

impl InPlace {
    /// Something happened to the pages that emptying the document does not undo.
    pub fn spoil(&mut self) {
        self.fresh.clear();
    }

    fn begin(&mut self, fresh: Vec<Shown>) {
        (self.fresh, self.executions) = (fresh, 1);
    }
}

/// What a client shows of a document before the first step.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    dom: Option<String>,
    text: Option<Vec<String>>,
    state: Option<serde_json::Value>,
    caret: Option<Caret>,
    /// Not looked at before every execution.
    screenshot: Option<Png>,
}

impl Shown {
    fn without_picture(&self) -> Shown {
        Shown { screenshot: None, ..self.clone() }
    }

    /// What differs, in a word.
    fn difference(&self, other: &Shown) -> Option<&'static str> {
        let differs = [
            (self.state != other.state, "the document"),
            (self.text != other.text, "the text"),
            (self.dom != other.dom, "the DOM"),
            (self.caret != other.caret, "the caret"),
            (self.screenshot != other.screenshot, "the picture"),
        ];
        differs.into_iter().find_map(|(differs, what)| differs.then_some(what))
    }
}

impl BrowserWorld {
    /// Brings this many clients to an empty document: the one that they are on, if it can be emptied, or else a fresh one.
    pub(super) async fn begin_in_place(&mut self, count: usize, source: &str) -> Result<Settled, WorldError> {
        if self.can_be_emptied(count) && self.is_as_good_as_new(count, source).await? {
            self.in_place.executions += 1;
            return Ok(Settled::Quiet);
        }
        self.in_place.spoil();
        self.open_fresh_document(count).await?;
        let settled = self.settled(count).await?;
        if settled == Settled::Quiet && !self.shared.needs_fresh_documents() {
            let fresh = self.shown(count, true).await?;
            self.in_place.begin(fresh);
        }
        Ok(settled)
    }

    /// Whether the clients are still on a document that they have seen fresh, and no other client is on it.
    fn can_be_emptied(&self, count: usize) -> bool {
        let is_there = |client: &Client| !client.is_blank() && client.page.navigation_error().is_none();
        self.in_place.fresh.len() == count
            && count > 0
            && !self.shared.needs_fresh_documents()
            && self.clients[..count].iter().all(is_there)
    }

    /// Empties the document. False if it should not be used again, for whatever reason.
    async fn is_as_good_as_new(&mut self, count: usize, source: &str) -> Result<bool, WorldError> {
        // What the last execution left on its way must not arrive afterwards.
        if self.settled(count).await? != Settled::Quiet {
            return Ok(false);
        }
        self.empty_in_place(count, source).await?;
        if self.settled(count).await? != Settled::Quiet || self.is_different(count, "", false).await? {
            return Ok(false);
        }
        if self.in_place.executions < self.in_place.life {
            return Ok(true);
        }
        self.in_place.life = (self.in_place.life * 2).min(LONGEST_LIFE);
        let undo = Step::Press(UNDO.parse().map_err(|error| WorldError::CannotRun(format!("{UNDO}: {error}")))?);
        if self.is_different(count, "", true).await? {
            return Ok(false);
        }
        for client in &self.clients[..count] {
            client.perform(&undo).await?;
        }
        if self.settled(count).await? == Settled::Quiet {
            self.is_different(count, " after an undo", false).await?;
        }
        Ok(false)
    }

    /// Whether the clients show anything else than on the fresh document. If so, no document is emptied from now on.
    async fn is_different(&self, count: usize, when: &str, with_pictures: bool) -> Result<bool, WorldError> {
        let now = self.shown(count, with_pictures).await?;
        for (number, (now, fresh)) in now.iter().zip(&self.in_place.fresh).enumerate() {
            let fresh = if with_pictures { fresh.clone() } else { fresh.without_picture() };
            if let Some(what) = now.difference(&fresh) {
                let client = colobus_model::ClientId(number);
                self.shared.use_fresh_documents(format!(
                    "a document that `reset` emptied differs from a fresh one{when} ({what} of client {client}): every execution after \
                     that opened a fresh one, and what had passed shortly before was run again"
                ));
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn settled(&self, count: usize) -> Result<Settled, WorldError> {
        self.barrier.settle(&self.clients[..count], &self.shared.application.settle, Look::Usual).await
    }

    async fn shown(&self, count: usize, with_pictures: bool) -> Result<Vec<Shown>, WorldError> {
        let wanted = ObserveOptions { pixels: with_pictures, ..ObserveOptions::all() };
        let look = async |client: &Client| {
            let Observation { dom, text, state, screenshot, .. } = client.observe(wanted).await?;
            Ok::<Shown, WorldError>(Shown { dom, text, state, screenshot, caret: client.caret().await? })
        };
        try_join_all(self.clients[..count].iter().map(look)).await
    }
}
