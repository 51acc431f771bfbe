//! The check `neutral`: steps that should change nothing change nothing: undo and redo, indent and outdent, a window that is resized and gets its
//! size back. The execution is compared with one without them.

use colobus_compare::changed;
use colobus_model::{
    Action, Aspect, CheckId, ClientId, Difference, DifferenceKind, Observation, TextEffect, Trace, Verdict,
};

use crate::{Check, DemandedWord, Evidence, Symptom, TextContent};

/// With and without the neutral actions all clients have the same.
pub struct Neutral;

impl Check for Neutral {
    fn id(&self) -> CheckId {
        CheckId::new("neutral")
    }

    fn demand(&self) -> &'static str {
        "steps that should change nothing change nothing, alone and beside another user's edit"
    }

    fn applies_where(&self) -> &'static str {
        "what `[checks] neutral` lists, and actions with `neutral = true`"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Neutral]
    }

    fn symptom(&self) -> Symptom {
        Symptom::NeutralChanges
    }

    fn needs_late_joiner(&self) -> bool {
        false
    }

    fn evidence(&self, trace: &Trace) -> Evidence {
        Evidence { words: self.applies(trace), ..Evidence::default() }
    }

    /// What should change nothing is wrong whatever it was tried beside.
    fn concerns(&self, action: &Action) -> bool {
        action.neutral
    }

    fn applies(&self, trace: &Trace) -> bool {
        trace.interaction.concurrent.iter().any(|action| action.neutral)
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        if trace.baseline.len() != trace.observations.len() {
            return Verdict::Unknown("what the clients show without the neutral steps was not observed".into());
        }
        for (index, (without, with)) in trace.baseline.iter().zip(&trace.observations).enumerate() {
            let client = ClientId(index);
            let found = if may_reorder(trace) {
                letters(client, without, with)
            } else {
                anything(trace, client, without, with)
            };
            match found {
                Ok(None) => {}
                Ok(Some(what)) => return Verdict::Fail(describe(trace, &what)),
                Err(reason) => return Verdict::Unknown(reason),
            }
        }
        Verdict::Pass
    }
}

/// Text that is taken back and brought back may come to stand on the other side of what others typed at the same place
/// meanwhile.
pub fn may_reorder(trace: &Trace) -> bool {
    let takes_back = |action: &Action| action.steps.iter().any(|step| step.effect() == TextEffect::Undoes);
    let concurrent = &trace.interaction.concurrent;
    concurrent.len() > 1 && concurrent.iter().any(|action| action.neutral && takes_back(action))
}

/// What the client has besides, or lacks, wherever it stands.
fn letters(client: ClientId, without: &Observation, with: &Observation) -> Result<Option<String>, String> {
    let (one, other) = (read(without)?, read(with)?);
    let sorted = |writing: &TextContent| {
        let mut letters: Vec<char> = writing.passages().iter().flat_map(|passage| passage.chars()).collect();
        letters.sort_unstable();
        letters
    };
    Ok((sorted(&one) != sorted(&other)).then(|| instead(client, &one, &other)))
}

fn anything(
    trace: &Trace,
    client: ClientId,
    without: &Observation,
    with: &Observation,
) -> Result<Option<String>, String> {
    let (one, other) = (read(without)?, read(with)?);
    if one.passages() != other.passages() {
        return Ok(Some(instead(client, &one, &other)));
    }
    for aspect in &trace.judged_by {
        let difference =
            changed(without, with, *aspect, &trace.ignored_rectangles()).map_err(|error| error.to_string())?;
        if !difference.is_empty() {
            let what = match aspect {
                Aspect::Pixels => "looks different",
                Aspect::Dom => "has another page",
                Aspect::State => "has another document",
            };
            return Ok(Some(format!("{client} {what} than without it")));
        }
    }
    Ok(None)
}

fn read(observation: &Observation) -> Result<TextContent, String> {
    TextContent::of(observation).ok_or_else(|| "the text of a client was not observed".to_string())
}

fn instead(client: ClientId, without: &TextContent, with: &TextContent) -> String {
    format!("{client} has “{}” instead of “{}”", with.brief(), without.brief())
}

fn describe(trace: &Trace, what: &str) -> Difference {
    let neutral = trace.interaction.concurrent.iter().filter(|action| action.neutral);
    let names: Vec<&str> = neutral.map(|action| action.name.as_str()).collect();
    let summary = format!("“{}” should change nothing, and {what}", names.join("” and “"));
    Difference { kind: DifferenceKind::Neutral, summary }
}
