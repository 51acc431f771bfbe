//! [`Exercised`]: what a search for concurrent actions really did to the application. Counted from the messages of the
//! clients by the run loop, joined by `merge`, shown by every renderer; [`Report::doubts_about`] reads it.

use serde::{Deserialize, Serialize};

use crate::Report;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exercised {
    pub actions: Vec<ExercisedAction>,
    /// Interactions in which two users acted before either had heard of the other, both sent messages, and both received some
    /// afterwards.
    pub crossed: usize,
    /// Interactions in which users saw something else in the end than before they acted; `None` if phase 1 tells what actions change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<usize>,
    /// The `[[sometimes]]` properties of the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sometimes: Vec<SometimesHeld>,
}

/// What came of one action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExercisedAction {
    pub action: String,
    /// States of phase 1 in which it changed what its user sees; `None` if phase 1 was left out.
    pub changed: Option<usize>,
    /// Interactions in which it was performed with other users on the document.
    pub together: usize,
    /// Of these, those in which its user sent messages.
    pub sent: usize,
    /// Of these, those in which another user received messages afterwards: its consequences, or answers to messages of
    /// their own.
    pub reached: usize,
    /// Of these, those in which another user received messages before they acted.
    pub reached_first: usize,
}

/// Where a property held in some client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SometimesHeld {
    pub name: String,
    /// In how many states of phase 1.
    pub states: usize,
    pub interactions: usize,
}

impl ExercisedAction {
    /// What it never did; `None` if it did everything.
    fn gap(&self) -> Option<String> {
        let mut never = Vec::new();
        if self.changed == Some(0) {
            never.push("it never changed the page of its user");
        }
        match self {
            ExercisedAction { together: 0, .. } => never.push("it was never performed with other users"),
            ExercisedAction { sent: 0, .. } => never.push("its user never sent a message"),
            ExercisedAction { reached: 0, .. } => never.push("no other client ever received a message after it"),
            _ => {}
        }
        (!never.is_empty()).then(|| format!("`{}`: {}", self.action, never.join("; ")))
    }
}

impl Exercised {
    /// Of two parts of one search, which have phase 1 in common.
    pub fn plus(mut self, other: &Exercised) -> Exercised {
        self.crossed += other.crossed;
        self.changed = self.changed.zip(other.changed).map(|(one, more)| one + more).or(self.changed).or(other.changed);
        for more in &other.actions {
            match self.actions.iter_mut().find(|known| known.action == more.action) {
                Some(known) => {
                    known.changed = known.changed.max(more.changed);
                    known.together += more.together;
                    known.sent += more.sent;
                    known.reached += more.reached;
                    known.reached_first += more.reached_first;
                }
                None => self.actions.push(more.clone()),
            }
        }
        for more in &other.sometimes {
            match self.sometimes.iter_mut().find(|known| known.name == more.name) {
                Some(known) => {
                    known.states = known.states.max(more.states);
                    known.interactions += more.interactions;
                }
                None => self.sometimes.push(more.clone()),
            }
        }
        self
    }
}

impl Report {
    /// What actions never did, a sentence for each; nothing for a shard, of which another may have done it. Actions that could
    /// be performed nowhere are told as doubts.
    pub fn unexercised(&self) -> Vec<String> {
        let Some(exercised) = self.exercised.as_ref().filter(|_| self.shard.is_none()) else { return Vec::new() };
        let performed = exercised.actions.iter().filter(|action| !self.never_applied.contains(&action.action));
        performed.filter_map(ExercisedAction::gap).collect()
    }

    /// What the search never exercised at all.
    pub(crate) fn nothing_exercised(&self) -> Vec<String> {
        let Some(exercised) = &self.exercised else { return Vec::new() };
        let mut doubts = Vec::new();
        if exercised.crossed == 0 && self.counts.interactions.judged > 0 {
            doubts.push(
                "in no interaction did messages of two users cross: either the actions send nothing, or they send it past the proxy"
                    .to_string(),
            );
        }
        if exercised.changed == Some(0) && self.counts.interactions.judged > 0 {
            doubts.push("in no interaction did anything change that users see: they agree on a page that the actions leave as it was".to_string());
        }
        let never = exercised.sometimes.iter().filter(|property| property.states + property.interactions == 0);
        doubts.extend(never.map(|property| format!("“{}” of [[sometimes]] never held in any client", property.name)));
        doubts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counts, Tally};

    fn action(name: &str, figures: [usize; 4]) -> ExercisedAction {
        let [together, sent, reached, reached_first] = figures;
        ExercisedAction { action: name.into(), changed: Some(1), together, sent, reached, reached_first }
    }

    fn report(exercised: Exercised) -> Report {
        let interactions = Tally { planned: 4, judged: 4, ..Tally::default() };
        let counts = Counts { interactions, ..Counts::default() };
        Report { counts, exercised: Some(exercised), ..Report::default() }
    }

    #[test]
    fn what_an_action_never_did_is_told() {
        let mut blind = action("look", [0; 4]);
        blind.changed = Some(0);
        let actions = vec![
            action("all", [4, 3, 2, 0]),
            action("mute", [4, 0, 0, 0]),
            action("lost", [4, 4, 0, 0]),
            blind,
            action("absent", [0; 4]),
        ];
        let mut report = report(Exercised { actions, crossed: 1, changed: None, sometimes: Vec::new() });
        report.never_applied = vec!["absent".into()];
        assert_eq!(
            report.unexercised(),
            [
                "`mute`: its user never sent a message",
                "`lost`: no other client ever received a message after it",
                "`look`: it never changed the page of its user; it was never performed with other users",
            ]
        );
        assert_eq!(report.nothing_exercised(), Vec::<String>::new(), "something crossed");
        report.shard = Some((1, 2));
        assert_eq!(report.unexercised(), Vec::<String>::new(), "another shard may have done it");
    }

    #[test]
    fn shards_are_judged_together() {
        let held = |interactions| vec![SometimesHeld { name: "two drafts".into(), states: 0, interactions }];
        let part = |figures, crossed, cases| Exercised {
            actions: vec![action("a", figures)],
            crossed,
            changed: Some(crossed),
            sometimes: held(cases),
        };
        let (one, other) = (part([2, 1, 0, 0], 0, 0), part([3, 2, 1, 1], 1, 2));
        let mut shard = report(one.clone());
        let doubts = shard.doubts_about().join("\n");
        assert!(doubts.contains("in no interaction did messages of two users cross"), "{doubts}");
        assert!(doubts.contains("in no interaction did anything change that users see"), "{doubts}");
        assert!(doubts.contains("“two drafts” of [[sometimes]] never held in any client"), "{doubts}");
        shard.shard = Some((1, 2));
        assert_eq!(shard.doubts_about(), Vec::<String>::new());
        assert_eq!(one.plus(&other), part([5, 3, 1, 1], 1, 2));
    }
}
