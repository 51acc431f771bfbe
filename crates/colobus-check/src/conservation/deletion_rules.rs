//! The users who may delete a word: those whose steps delete, or move into the word and go on, while they see it; and those who
//! remove a whole range, even unseen, because the application decides whether text that others just typed into it survives.

use colobus_model::{Action, ClientId, Event, Part, Step, TextEffect, Token, Trace};

/// Whether it is in order that the token is not there, or not whole.
pub fn may_vanish(trace: &Trace, token: &Token) -> bool {
    if token.whole_alone == Some(false) {
        return true;
    }
    let interaction = &trace.interaction;
    let (prefix, concurrent) = (&interaction.prefix, &interaction.concurrent);
    match token.part {
        Part::Prefix if token.whole_alone.is_some() && interaction.rounds == 1 => false,
        Part::Prefix => prefix.iter().chain(concurrent).any(|action| is_rough(&action.steps) || action.deletes),
        Part::Concurrent { step } => concurrent.iter().enumerate().any(|(index, action)| {
            let client = ClientId(index);
            if client == token.client {
                // What becomes of it in its own round, phase 1 has shown.
                let round_end = (step / action.steps.len().max(1) + 1) * action.steps.len();
                let from = if token.whole_alone.is_some() { round_end } else { step + 1 };
                let later = steps_from(trace, client, from);
                return action.returns() || is_rough(&later) || action.deletes && !later.is_empty();
            }
            removes_ranges(trace, action) || is_rough(&seen_steps(trace, token.client, step, client))
        }),
    }
}

/// The steps that the client performs when it may have seen what `author` typed in its step.
fn seen_steps(trace: &Trace, author: ClientId, step: usize, client: ClientId) -> Vec<Step> {
    let typed = Event::Step { client: author, step };
    let events = trace.schedule.events.iter().skip_while(|event| **event != typed);
    let arrived = |event: &&Event| match event {
        Event::Flush => true,
        Event::Deliver { client: to, .. }
        | Event::Reload { client: to }
        | Event::Restore { client: to }
        | Event::PollAnswer { client: to }
        | Event::Tab { client: to } => *to == client,
        _ => false,
    };
    let mut later = events.skip_while(|event| !arrived(event)).filter_map(|event| match event {
        Event::Step { client: other, step } if *other == client => Some(*step),
        _ => None,
    });
    later.next().map_or(Vec::new(), |first| steps_from(trace, client, first))
}

fn steps_from(trace: &Trace, client: ClientId, from: usize) -> Vec<Step> {
    let interaction = &trace.interaction;
    (from..interaction.step_count(client)).filter_map(|number| interaction.step(client, number).cloned()).collect()
}

/// Whether the action can remove more than what stands beside the caret.
fn removes_ranges(trace: &Trace, action: &Action) -> bool {
    let selects = |step: &Step| step.effect() == TextEffect::Selects;
    let first = action.steps.iter().position(selects);
    let replaces = first.is_some_and(|first| {
        action.steps[first..].iter().any(|step| matches!(step.effect(), TextEffect::Deletes | TextEffect::Inserts))
    });
    // Something took a word away when it was alone, and it was no key that is known to.
    let deletes_by_itself = || {
        let unknown = |step: &Step| step.effect() == TextEffect::Unknown;
        let taken = |token: &Token| token.part == Part::Prefix && token.whole_alone == Some(false);
        action.steps.iter().any(unknown) && trace.tokens.iter().any(taken)
    };
    action.deletes || replaces || deletes_by_itself()
}

/// Whether the steps, performed by a user who sees a word, can take it away or break it.
fn is_rough(steps: &[Step]) -> bool {
    let mut moved = false;
    steps.iter().any(|step| {
        let effect = step.effect();
        moved |= matches!(effect, TextEffect::Selects | TextEffect::Moves);
        matches!(effect, TextEffect::Deletes | TextEffect::Undoes) || moved && effect == TextEffect::Inserts
    })
}
