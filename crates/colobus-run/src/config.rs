//! [`RunConfig`]: everything a run needs to know, resolved. The caller has merged flags, file and defaults.

use colobus_check::Checks;
use colobus_model::{Action, Application, Aspect, Event, Schedule};
use colobus_pairs::{Extent, SearchSize};
use colobus_schedule::orders::as_taken;
use serde::Serialize;

use crate::{FaultKinds, OrderChoice, RunOptions};

#[derive(Clone, Debug)]
pub struct RunConfig {
    /// How reports call the application.
    pub title: String,
    /// What `--config` has to name for its actions to be found again.
    pub source: String,
    pub application: Application,
    pub actions: Vec<Action>,
    /// Actions that lead back to where they begin: A tries each alone, and beside every action of B.
    pub returning: Vec<Action>,
    /// Longest sequence of actions, the concurrent one included.
    pub depth: usize,
    /// Two or more.
    pub clients: usize,
    /// Whether clients may perform the same action at the same time.
    pub same: bool,
    /// How often the concurrent actions are performed, one round after the other.
    pub rounds: usize,
    /// After which interactions a late joiner looks at the document.
    pub late_joiner: LateJoinerChoice,
    /// Whether phase 1 leaves out what comes after a state that is like one before it in every respect that can be seen.
    pub prune: bool,
    /// Skip phase 1 and run all combinations in all states.
    pub naive: bool,
    pub judge: Judge,
    /// What is asked of every execution.
    pub checks: Checks,
    pub orders: Orders,
    /// Instead of a search of states: only orders near the one in which the actions, one for each client, were once taken.
    pub around: Option<Around>,
    pub workers: usize,
    /// Part `index` (from zero) of `of` parts of the search.
    pub shard: Option<Shard>,
    pub seed: u64,
    pub options: RunOptions,
}

/// After which interactions a further client opens the document, to be compared with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LateJoinerChoice {
    Never,
    /// After all of them, or, where it never makes a difference, after a sample.
    Sampled,
    Always,
}

impl RunConfig {
    /// How much this configuration has to run.
    pub fn size(&self) -> SearchSize {
        SearchSize::of(&Extent {
            actions: self.actions.len(),
            returning: self.returning.len(),
            alone: self.returning.iter().filter(|action| action.neutral).count(),
            depth: self.depth,
            clients: self.clients,
            same: self.same,
            apart: self.tells_clients_apart(),
            naive: self.naive,
        })
    }

    /// Whether it matters which client performs which action. What users did together is searched as it was.
    pub(crate) fn tells_clients_apart(&self) -> bool {
        self.around.is_none() && self.application.tells_clients_apart(self.clients)
    }

    /// The action with this number; those that lead back come after the others.
    pub(crate) fn action(&self, number: usize) -> &Action {
        self.actions.get(number).unwrap_or_else(|| &self.returning[number - self.actions.len()])
    }
}

/// What several users once did, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Around {
    /// The file with the recording.
    pub source: String,
    /// The steps of all of them, in their order.
    pub order: Schedule,
}

impl Around {
    /// The steps as they were taken.
    pub fn new(source: String, taken: Vec<Event>) -> Around {
        Around { source, order: as_taken(taken) }
    }
}

/// In how many orders every interaction is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Orders {
    /// Beyond the few that stand for "at the same time": this many at most, nearest reversals first. Zero for none.
    pub limit: usize,
    /// Only orders within this many conflict reversals of the natural one.
    pub bound: Option<usize>,
    /// Which faults come into them, one in each order.
    pub faults: FaultKinds,
    /// Whether every order is run twice, and told where the second time differs from the first.
    pub twice: bool,
    /// Whether orders are left out that are equivalent by what events read and write, and not by their names alone.
    pub precise: bool,
    pub choice: OrderChoice,
}

/// What is judged on which aspect of an observation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Judge {
    pub effect: Aspect,
    pub equivalence: Aspect,
    pub convergence: Vec<Aspect>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Shard {
    pub index: usize,
    pub of: usize,
}
