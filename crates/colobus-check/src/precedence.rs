//! The check `precedence`: what B wrote after it saw A's text must never be visible to C without A's text, at any moment.
//! Convergence is about the end; this is about the way there, and needs three clients.

use std::collections::{BTreeMap, BTreeSet};

use colobus_model::{
    Action, CheckId, ClientId, Difference, DifferenceKind, Event, Interaction, Part, Snapshot, Step, TextEffect, Trace,
    Verdict,
};

use crate::{Check, DemandedWord, Evidence, Symptom};

pub struct Precedence;

/// Whether snapshots of this interaction can be judged: three clients or more that only write, so that no text is missing
/// because a user deleted it.
fn can_be_judged(interaction: &Interaction) -> bool {
    let only_writes = |step: &Step| step.inserted_text().is_some() || step.effect() == TextEffect::Moves;
    interaction.clients() >= 3
        && interaction.concurrent.iter().all(|action| !action.deletes && action.steps.iter().all(only_writes))
}

impl Check for Precedence {
    fn id(&self) -> CheckId {
        CheckId::new("precedence")
    }

    fn demand(&self) -> &'static str {
        "no client ever sees what was written in answer to a text without that text ([more](schedules.md#on-the-way-to-the-end))"
    }

    fn applies_where(&self) -> &'static str {
        "with three clients or more that only write, and whose texts share no letter"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Text]
    }

    fn symptom(&self) -> Symptom {
        Symptom::AnswerTooEarly
    }

    fn needs_late_joiner(&self) -> bool {
        false
    }

    fn evidence(&self, trace: &Trace) -> Evidence {
        Evidence { snapshots: can_be_judged(&trace.interaction), ..Evidence::default() }
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, trace: &Trace) -> bool {
        !trace.snapshots.is_empty() && can_be_judged(&trace.interaction) && can_be_told_apart(&insertions(trace))
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let insertions = insertions(trace);
        match violation(trace, &insertions) {
            Some((answer, question, snapshot)) => {
                Verdict::Fail(Difference { kind: DifferenceKind::Text, summary: told(answer, question, snapshot) })
            }
            None => Verdict::Pass,
        }
    }
}

/// What a client sees too early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyAnswer {
    /// After so many events.
    pub after: usize,
    pub client: ClientId,
    pub question: String,
    pub answer: String,
}

/// The first answer that a client sees without its question.
pub fn early_answer(trace: &Trace) -> Option<EarlyAnswer> {
    let insertions = insertions(trace);
    violation(trace, &insertions).map(|(answer, question, snapshot)| EarlyAnswer {
        after: snapshot.after,
        client: snapshot.client,
        question: question.text.clone(),
        answer: answer.text.clone(),
    })
}

fn violation<'a>(
    trace: &'a Trace,
    insertions: &'a [Insertion],
) -> Option<(&'a Insertion, &'a Insertion, &'a Snapshot)> {
    for answer in insertions {
        let Some(seen) = last_snapshot(trace, answer.client, answer.position) else { continue };
        let questions = insertions.iter().filter(|other| other.client != answer.client);
        for question in questions.filter(|question| question.is_whole_in(trace, seen)) {
            let third = |snapshot: &&Snapshot| ![answer.client, question.client].contains(&snapshot.client);
            let torn =
                |snapshot: &&Snapshot| answer.begins_in(trace, snapshot) && !question.is_whole_in(trace, snapshot);
            if let Some(snapshot) = trace.snapshots.iter().filter(third).find(torn) {
                return Some((answer, question, snapshot));
            }
        }
    }
    None
}

fn told(answer: &Insertion, question: &Insertion, snapshot: &Snapshot) -> String {
    format!(
        "{} sees “{}”, which {} wrote after seeing “{}” of {}, without that (after event {})",
        snapshot.client,
        answer.text.trim(),
        answer.client,
        question.text.trim(),
        question.client,
        snapshot.after
    )
}

/// A text that a client wrote, and where in the schedule.
struct Insertion {
    client: ClientId,
    position: usize,
    text: String,
    /// How often each letter is in it. Spaces do not tell anything.
    letters: BTreeMap<char, usize>,
}

impl Insertion {
    fn is_whole_in(&self, trace: &Trace, snapshot: &Snapshot) -> bool {
        self.letters.iter().all(|(letter, times)| new_in(trace, snapshot, *letter) >= *times)
    }

    fn begins_in(&self, trace: &Trace, snapshot: &Snapshot) -> bool {
        self.letters.keys().any(|letter| new_in(trace, snapshot, *letter) > 0)
    }
}

fn insertions(trace: &Trace) -> Vec<Insertion> {
    let events = trace.schedule.events.iter().enumerate();
    events
        .filter_map(|(position, event)| {
            let Event::Step { client, step } = *event else { return None };
            let part = Part::Concurrent { step };
            let words = trace.tokens.iter().filter(|token| token.client == client && token.part == part);
            let words: Vec<String> = words.map(|token| token.word.clone()).collect();
            let text = trace.interaction.step(client, step)?.with_tokens(&words).inserted_text()?;
            let letters = letters(&text);
            (!letters.is_empty()).then_some(Insertion { client, position, text, letters })
        })
        .collect()
}

fn letters(text: &str) -> BTreeMap<char, usize> {
    let mut letters = BTreeMap::new();
    for letter in text.chars().filter(|c| !c.is_whitespace()) {
        *letters.entry(letter).or_default() += 1;
    }
    letters
}

/// Whether every letter belongs to one text only.
fn can_be_told_apart(insertions: &[Insertion]) -> bool {
    let mut known = BTreeSet::new();
    insertions.iter().flat_map(|insertion| insertion.letters.keys()).all(|letter| known.insert(*letter))
}

/// How often the letter is there beyond what its client saw before the first step.
fn new_in(trace: &Trace, snapshot: &Snapshot, letter: char) -> usize {
    let count = |text: &str| text.chars().filter(|c| *c == letter).count();
    let first = trace.snapshots.iter().find(|first| first.client == snapshot.client);
    count(&snapshot.text).saturating_sub(first.map_or(0, |first| count(&first.text)))
}

/// What the client saw last before the event at this position.
fn last_snapshot(trace: &Trace, client: ClientId, position: usize) -> Option<&Snapshot> {
    trace.snapshots.iter().rev().find(|snapshot| snapshot.client == client && snapshot.after <= position)
}
