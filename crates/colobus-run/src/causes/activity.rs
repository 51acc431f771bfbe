//! [`Activity`]: what users do while a text goes wrong for all of them, as far as their steps tell. Clients that agree show no difference
//! by which two bugs could be told apart: a text that an undo takes away and one that a new kind of block takes away look the same.

use std::fmt;

use colobus_model::{Action, Interaction, TextEffect};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// One of them undoes or redoes something.
    Undo,
    /// All of them write, and nothing else.
    Writing,
    /// Anything else: buttons, deletions, commands.
    Other,
}

impl Activity {
    /// Of the concurrent actions. Names and texts do not matter.
    pub fn of(interaction: &Interaction) -> Activity {
        let does =
            |action: &Action, wanted: fn(TextEffect) -> bool| action.steps.iter().any(|step| wanted(step.effect()));
        let undoes = |action: &Action| action.returns() || does(action, |effect| effect == TextEffect::Undoes);
        let does_more = |action: &Action| {
            action.deletes || does(action, |effect| matches!(effect, TextEffect::Deletes | TextEffect::Unknown))
        };
        match &interaction.concurrent {
            actions if actions.iter().any(undoes) => Activity::Undo,
            actions if actions.iter().any(does_more) => Activity::Other,
            _ => Activity::Writing,
        }
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Activity::Undo => "beside an undo",
            Activity::Writing => "with writing alone",
            Activity::Other => "with more than writing",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::{Step, Target};

    #[test]
    fn an_undo_a_command_and_writing_are_told_apart() {
        let press = |key: &str| Step::Press(key.parse().unwrap());
        let write = || Action::new("write", vec![press("Home"), Step::Type("{token}".into()), press("Enter")]);
        let activity = |step: Step| {
            let concurrent = vec![write(), Action::new("other", vec![step])];
            Activity::of(&Interaction::new(vec![], concurrent))
        };
        assert_eq!(activity(Step::Paste("x".into())), Activity::Writing);
        assert_eq!(activity(press("Control+z")), Activity::Undo);
        assert_eq!(activity(press("Backspace")), Activity::Other);
        assert_eq!(activity(Step::Click(Target::Selector("#list".into()))), Activity::Other);
    }
}
