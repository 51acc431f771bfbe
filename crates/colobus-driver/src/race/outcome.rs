//! What an execution came to: the state of the page, what ran, and what each event touched that can conflict.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use colobus_browser::{LogKind, Page};
use colobus_model::Invariant;
use colobus_race::model::{Executed, Execution, FinalState, NotRun};
use colobus_world::WorldError;

use super::accesses::{NumberedAccesses, order_parsed};
use super::rewriting::as_written;
use super::run::Run;

impl Run<'_> {
    /// What the page came to.
    pub async fn outcome(&mut self) -> Result<Execution, WorldError> {
        let dom = self.page.main_frame().dom(&[]).await?;
        let log_entries = self.page.log_entries();
        let thrown = log_entries.iter().filter(|entry| entry.kind == LogKind::Uncaught);
        if self.recorded.is_some() && self.page.has_streams() {
            self.notes.insert("messages of sockets and event streams of workers come when they come".into());
        }
        let mut values = BTreeMap::new();
        if let Some(rewriter) = self.rewriter {
            let rewriter = rewriter.lock().unwrap_or_else(PoisonError::into_inner);
            self.notes.extend(rewriter.unparsed().cloned());
            let mut touched = std::mem::take(&mut self.touched);
            let of_event = |executed: &Executed| touched.remove(&executed.event.name).unwrap_or_default();
            let mut touched: Vec<NumberedAccesses> = self.ran.iter().map(of_event).collect();
            self.names.drop_unheard(&mut touched);
            let accesses = self.names.conflicting(&touched, &rewriter.sites);
            for ((executed, touched), accesses) in self.ran.iter_mut().zip(&touched).zip(accesses) {
                executed.touched = Some(self.names.digest(touched));
                executed.accesses = accesses;
            }
            values = self.names.values(&rewriter.sites);
        }
        let broken_invariants = broken_invariants(self.page, self.invariants).await?;
        let by = self.left_for.as_ref().and(self.current.clone());
        let waiting = std::mem::take(&mut self.registry.waiting);
        self.not_run.extend(waiting.into_iter().map(|it| NotRun { event: it.event, disabled_by: by.clone() }));
        self.ran.iter_mut().for_each(|executed| order_parsed(&mut executed.accesses));
        Ok(Execution {
            ran: std::mem::take(&mut self.ran),
            not_run: std::mem::take(&mut self.not_run),
            skipped: std::mem::take(&mut self.skipped),
            outcome: FinalState {
                dom: as_written(&dom),
                exceptions: thrown.map(|entry| entry.text.clone()).collect(),
                requests: std::mem::take(&mut self.requests),
                broken_invariants,
                screenshot: None,
                values,
            },
            notes: std::mem::take(&mut self.notes).into_iter().collect(),
            inexact: std::mem::take(&mut self.registry.inexact),
        })
    }
}

/// The names of the invariants that do not hold now, without the reasons of those that throw: engines word them after the code, which may be
/// rewritten.
pub(super) async fn broken_invariants(page: &Page, invariants: &[Invariant]) -> Result<BTreeSet<String>, WorldError> {
    let mut names = BTreeSet::new();
    for invariant in invariants {
        if !page.broken_invariants(std::slice::from_ref(invariant)).await?.is_empty() {
            names.insert(invariant.name.clone());
        }
    }
    Ok(names)
}
