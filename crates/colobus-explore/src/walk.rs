//! [`Walk`]: what is done after a sequence, in the page as the sequence left it. Opening a page and leading it to a state takes much
//! longer than one more event there. Chosen where the sequence is executed, from what was known when it was given out, so that
//! nothing depends on other executions at the same time.

use std::sync::Arc;

use colobus_learn::Random;

use crate::priority::Waiting;
use crate::ui_model::StateId;
use crate::{Action, Feedback, Job, Knowledge, Priority, Sequence, Values, candidates};

/// How much more often the more promising action is chosen: weights are priorities to this power.
const GREED: i32 = 4;

/// Chooses actions one after the other.
pub struct Walk {
    /// What was known before, and what the walk has shown since.
    knowledge: Knowledge,
    values: Values,
    priority: &'static dyn Priority,
    random: Random,
    /// All that was done, and the state before the last action of it.
    sequence: Sequence,
    state: Option<StateId>,
    left: usize,
}

impl Walk {
    pub fn new(
        job: &Job,
        length: usize,
        knowledge: Knowledge,
        values: Values,
        priority: &'static dyn Priority,
        random: Random,
    ) -> Walk {
        let (sequence, state) = (job.sequence.clone(), job.state);
        Walk { knowledge, values, priority, random, sequence, state, left: length }
    }

    /// The next action, after what the last one told.
    pub fn next(&mut self, told: &Feedback) -> Option<Arc<Action>> {
        self.left = self.left.checked_sub(1)?;
        self.state = Some(self.knowledge.learn(0, &self.sequence, self.state, told)?);
        let actions: Vec<Arc<Action>> =
            candidates(&told.offers, &mut self.values, &self.knowledge.covered).into_iter().map(Arc::new).collect();
        let weights: Vec<f64> = actions.iter().map(|action| self.weight(action)).collect();
        let action = actions.get(self.pick(&weights)?)?.clone();
        self.sequence = self.sequence.then(action.clone(), 0);
        self.knowledge.attempt(self.state, &self.sequence);
        Some(action)
    }

    /// All that was done.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    fn weight(&mut self, action: &Arc<Action>) -> f64 {
        let sequence = self.sequence.then(action.clone(), 0);
        let waiting = Waiting { sequence: &sequence, state: self.state };
        self.priority.of(waiting, &self.knowledge, &mut self.random).powi(GREED)
    }

    /// One of these, the heavier the more often; any if none has a weight.
    fn pick(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        if total <= 0.0 {
            return (!weights.is_empty()).then(|| self.random.below(weights.len()));
        }
        let mut left = self.random.below(1_000_000) as f64 / 1_000_000.0 * total;
        weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        })
    }
}
