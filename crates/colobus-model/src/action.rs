//! [`Action`]: something a user does, as data. A name and the steps that make it up.

use serde::{Deserialize, Serialize};

use crate::Step;

/// A logical thing a user does, such as "toggle bold on the line before". Its steps are not atomic: messages of other
/// users may arrive between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// What reports and `colobus list` call it. Unique within a configuration.
    pub name: String,
    /// What the user does, in order. At least one.
    pub steps: Vec<Step>,
    /// Whether it may take away text that is not selected and not beside the caret: then no check demands that what others
    /// type meanwhile is still there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deletes: bool,
    /// Whether it should leave everything as it was, such as undo and redo after one another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub neutral: bool,
    /// Whether it ends with taking back what it did.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

impl Action {
    pub fn new(name: impl Into<String>, steps: Vec<Step>) -> Action {
        Action { name: name.into(), steps, deletes: false, neutral: false, undone: false }
    }

    /// Whether it ends where it began, as far as its user is concerned.
    pub fn returns(&self) -> bool {
        self.neutral || self.undone
    }

    /// Whether it types fresh words.
    pub fn types_tokens(&self) -> bool {
        self.steps.iter().any(|step| step.tokens() > 0)
    }

    /// Only some of its steps, by their index. The name says which, counted from one: `bold[1+3]`.
    pub fn part(&self, steps: &[usize]) -> Action {
        let kept = steps.iter().filter_map(|index| Some((index + 1, self.steps.get(*index)?.clone())));
        let (numbers, steps): (Vec<usize>, Vec<Step>) = kept.unzip();
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        // Half of what leads back to the beginning does not.
        Action { deletes: self.deletes, ..Action::new(format!("{}[{}]", self.name, numbers.join("+")), steps) }
    }

    /// The one of this name, or the part of one that the name says.
    pub fn named(name: &str, actions: &[Action]) -> Option<Action> {
        let called = |name: &str| actions.iter().find(|action| action.name == name);
        if let Some(whole) = called(name) {
            return Some(whole.clone());
        }
        let (whole, numbers) = name.strip_suffix(']')?.rsplit_once('[')?;
        let whole = called(whole)?;
        let index = |number: &str| number.parse::<usize>().ok()?.checked_sub(1).filter(|i| *i < whole.steps.len());
        let steps: Vec<usize> = numbers.split('+').map(index).collect::<Option<_>>()?;
        Some(whole.part(&steps))
    }
}
