//! [`ExerciseCounts`]: what a search has exercised so far, by action and property. Counted from phase 1 and from the results of
//! interactions, also those of the journal; becomes [`Exercised`] of the report.

use std::collections::BTreeMap;

use colobus_model::{Action, Application, Exercised, ExercisedAction, Sometimes, SometimesHeld};
use serde::Deserialize;
use serde_json::Value;

use super::phase1::PhaseOne;
use crate::execute::Exercise;

#[derive(Default)]
pub(super) struct ExerciseCounts {
    actions: BTreeMap<String, ExercisedAction>,
    crossed: usize,
    changed: Option<usize>,
    sometimes: BTreeMap<String, SometimesHeld>,
}

impl ExerciseCounts {
    pub fn of_phase_one(seen: &PhaseOne, actions: &[Action]) -> ExerciseCounts {
        let mut counts = ExerciseCounts::default();
        for (action, changed) in actions.iter().zip(seen.changed(actions.len())) {
            counts.of(&action.name).changed = Some(changed);
        }
        for observation in seen.observations() {
            observation.sometimes.iter().for_each(|name| counts.property(name).states += 1);
        }
        counts
    }

    /// One more interaction. One that was not executed to its end says nothing.
    pub fn add(&mut self, feedback: &Value) -> Result<(), serde_json::Error> {
        if feedback.is_null() {
            return Ok(());
        }
        let exercise = Exercise::deserialize(feedback)?;
        for (action, reach) in &exercise.actions {
            let counted = self.of(action);
            counted.together += 1;
            counted.sent += usize::from(reach.sent);
            counted.reached += usize::from(reach.reached);
            counted.reached_first += usize::from(reach.reached_first);
        }
        self.crossed += usize::from(exercise.crossed);
        if let Some(changed) = exercise.changed {
            self.changed = Some(self.changed.unwrap_or(0) + usize::from(changed));
        }
        exercise.sometimes.iter().for_each(|name| self.property(name).interactions += 1);
        Ok(())
    }

    fn of(&mut self, action: &str) -> &mut ExercisedAction {
        let new = || ExercisedAction { action: action.to_string(), ..ExercisedAction::default() };
        self.actions.entry(action.to_string()).or_insert_with(new)
    }

    fn property(&mut self, name: &str) -> &mut SometimesHeld {
        let new = || SometimesHeld { name: name.to_string(), ..SometimesHeld::default() };
        self.sometimes.entry(name.to_string()).or_insert_with(new)
    }

    /// In the order of the configuration.
    pub fn report<'a>(&self, actions: impl Iterator<Item = &'a Action>, application: &Application) -> Exercised {
        let counted = |action: &Action| match self.actions.get(&action.name) {
            Some(counted) => counted.clone(),
            None => ExercisedAction { action: action.name.clone(), ..ExercisedAction::default() },
        };
        let held = |property: &Sometimes| match self.sometimes.get(&property.name) {
            Some(held) => held.clone(),
            None => SometimesHeld { name: property.name.clone(), ..SometimesHeld::default() },
        };
        Exercised {
            actions: actions.map(counted).collect(),
            crossed: self.crossed,
            changed: self.changed,
            sometimes: application.sometimes.iter().map(held).collect(),
        }
    }
}
