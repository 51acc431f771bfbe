//! One step of the search: a partial sequence extended by every anchor along every way.

use super::anchors::{Anchor, candidates};
use super::outcome::Note;
use super::partial::{Partial, SummaryId};
use super::ways::ways;
use super::{Running, SearchError};
use crate::given::needed_answers;
use crate::invariant::assume;
use crate::summary::compose;
use crate::symbolic::expr::Expr;
use crate::symbolic::solve::{Solution, solve_briefly};

/// A longer partial sequence, and how it came about.
#[derive(Clone, Debug)]
pub struct Extension {
    /// The anchor that it begins with.
    pub anchor: Anchor,
    /// The connectors between the anchor and what was there before.
    pub way: Vec<SummaryId>,
    /// The longer sequence; its priority and number are not set yet.
    pub partial: Partial,
}

impl Running<'_> {
    /// The sequences that begin with the start of the application, or those that do not.
    pub(super) fn extend(&mut self, partial: &Partial, by_start: bool) -> Result<Vec<Extension>, SearchError> {
        let (model, summaries) = (self.search.model, self.search.summaries);
        let mut extensions = Vec::new();
        let is_wanted = |anchor: &Anchor| summaries[anchor.summary].is_start() == by_start;
        for anchor in candidates(partial, model, summaries).into_iter().filter(is_wanted) {
            if self.look_forward()? || (self.search.is_late)() {
                break;
            }
            self.found.statistics.anchors += 1;
            let alone = compose(&summaries[anchor.summary], &partial.condition, partial.list.len() as u32 + 1);
            if !self.is_possible(&alone)? {
                self.found.statistics.pruned += 1;
                if let Some(needed) = needed_answers(&partial.condition, &summaries[anchor.summary]) {
                    self.found.is_external = true;
                    self.found.first_reason(needed);
                }
                self.found.note(Note::Pruned {
                    anchor: summaries[anchor.summary].name.clone(),
                    sequence: self.names(&partial.list),
                });
                continue;
            }
            let transition = &model.transitions[anchor.transition];
            for state in
                [&transition.from, &transition.to].into_iter().filter(|state| model.incomplete.contains(*state))
            {
                self.found.reason(format!("the state `{state}` was not crawled completely"));
            }
            let ways = ways(&transition.to, partial, model, summaries, self.search.limits.ways);
            if ways.cut_off {
                self.found.reason(format!(
                    "only the {} shortest ways from `{}` were followed",
                    self.search.limits.ways, transition.event
                ));
            }
            for way in ways.found {
                self.found.statistics.ways += 1;
                let Some(longer) = self.prepend(partial, &anchor, &way)? else { continue };
                self.found.note(Note::Extended { sequence: self.names(&longer.list) });
                extensions.push(Extension { anchor: anchor.clone(), way, partial: longer });
            }
        }
        // The shortest first, so that it keeps its priority among equals.
        extensions.sort_by_key(|extension| extension.partial.list.len());
        Ok(extensions)
    }

    /// The sequence with a way and an anchor before it; `None` if that is impossible, or asks for
    /// the same as a shorter one did.
    fn prepend(
        &mut self,
        partial: &Partial,
        anchor: &Anchor,
        way: &[SummaryId],
    ) -> Result<Option<Partial>, SearchError> {
        let mut longer = partial.clone();
        for &id in [&[anchor.summary], way].concat().iter().rev() {
            let number = longer.list.len() as u32 + 1;
            longer.condition = compose(&self.search.summaries[id], &longer.condition, number);
            longer.list.insert(0, id);
        }
        longer.state = self.search.model.transitions[anchor.transition].from.clone();
        longer.connectors += way.len();
        longer.ancestors.push(partial.demand());
        if longer.ancestors.contains(&longer.demand()) {
            self.found.statistics.loops += 1;
            return Ok(None);
        }
        Ok(self.is_possible(&longer.condition)?.then_some(longer))
    }

    /// Whether the solver does not exclude a condition.
    fn is_possible(&mut self, condition: &[Expr]) -> Result<bool, SearchError> {
        let assumed = assume(condition, &self.integral);
        match solve_briefly(&[condition, &assumed].concat(), self.search.solver)? {
            Solution::Never => Ok(false),
            Solution::Values(_) => Ok(true),
            Solution::Unknown(_) => {
                self.found.statistics.unknown += 1;
                Ok(true)
            }
        }
    }
}
