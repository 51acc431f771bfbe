//! [`together`]: a session of several users as what each of them does, and the order in which they did it.

use colobus_model::{Action, ClientId, Event, Step};

use super::{Entry, steps};
use crate::{Recording, Who};

/// What several users did.
#[derive(Clone, Debug, PartialEq)]
pub struct Together {
    /// One for every user who does anything.
    pub actions: Vec<Action>,
    /// Their steps, in the order in which they were taken.
    pub taken: Vec<Event>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TogetherError {
    #[error("no user does anything in it that a search can do again")]
    Nothing,
    #[error(
        "only {who} does something in it, and orders are about several users\n  \
         record two with `colobus record --clients 2`, or make an action of it: `colobus export RECORDING --to action`"
    )]
    Alone { who: String },
    #[error(
        "a search cannot do again what its users did\n  {}\n  \
         Take these lines out of the recording if the session makes sense without them, or record it without them",
        .lines.join("\n  ")
    )]
    Unsaid { lines: Vec<String> },
}

/// The actions are called after the users: `A in demo`.
pub fn together(recording: &Recording, title: &str) -> Result<Together, TogetherError> {
    let entries = steps(recording);
    let (grave, light): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().filter(|entry| entry.loss.is_some()).partition(|entry| entry.matters());
    if !grave.is_empty() {
        return Err(TogetherError::Unsaid { lines: grave.iter().map(|entry| entry.complaint(recording)).collect() });
    }
    let mut warnings: Vec<String> = light.iter().map(|entry| entry.complaint(recording)).collect();
    let taken: Vec<(usize, &Step)> =
        entries.iter().filter_map(|entry| Some((entry.client, entry.step.as_ref()?))).collect();
    let acts = |client: &usize| taken.iter().any(|(whose, _)| whose == client);
    let (acting, idle): (Vec<usize>, Vec<usize>) = (0..recording.clients()).partition(acts);
    match acting[..] {
        [] => return Err(TogetherError::Nothing),
        [only] => return Err(TogetherError::Alone { who: letter(only) }),
        _ => {}
    }
    warnings.extend(idle.iter().map(|client| format!("{} does nothing, and is left out", letter(*client))));
    let mut actions: Vec<Action> =
        acting.iter().map(|client| Action::new(format!("{} in {title}", letter(*client)), Vec::new())).collect();
    let mut events = Vec::new();
    for (client, step) in taken {
        let Some(place) = acting.iter().position(|whose| *whose == client) else { continue };
        events.push(Event::Step { client: ClientId(place), step: actions[place].steps.len() });
        actions[place].steps.push(step.clone());
    }
    Ok(Together { actions, taken: events, warnings })
}

fn letter(client: usize) -> String {
    Who { client, tab: 1 }.to_string()
}

impl Entry {
    pub fn matters(&self) -> bool {
        self.loss.as_ref().is_some_and(|loss| loss.matters)
    }

    /// Which line, why, and the line itself.
    pub fn complaint(&self, recording: &Recording) -> String {
        let why = self.loss.as_ref().map_or("", |loss| loss.why);
        let said = recording.lines.get(self.line - 1).map(ToString::to_string).unwrap_or_default();
        format!("line {}: {why}: {said}", self.line)
    }
}
