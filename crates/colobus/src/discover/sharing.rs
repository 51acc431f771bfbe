//! [`SharedAction`]: something that one user does and another sees. Tried by [`super::document`] to find out whether an address has
//! documents, and again wherever it must still be seen.

use colobus_compare::{Changed, changed};
use colobus_model::{Aspect, Chord, ClientId, KeyName, Observation, Step, Target, token_word};
use colobus_world::{Button, ObserveOptions, StepOutcome, Survey, World, WorldError};

use super::propose::{actions, buttons, main_editable};

pub const A: ClientId = ClientId(0);
pub const B: ClientId = ClientId(1);

/// More buttons than this are not tried, neither as the one that submits what is written nor for themselves.
const MOST_BUTTONS: usize = 4;

/// Steps of A that B may see.
#[derive(Debug, PartialEq)]
pub struct SharedAction {
    /// What leads to the field; everything settles afterwards.
    opening: Vec<Step>,
    steps: Vec<Step>,
    /// What they write, if they write.
    word: Option<String>,
    /// What a user does after writing, so that others see it; nothing where every letter is shared.
    pub submit: Vec<Step>,
}

/// What two users show after one of them has acted.
pub struct Seen {
    pub evidence: Evidence,
    /// How often it is there, for A and for B.
    pub counts: (usize, usize),
    /// The page of A while messages wait, which may say that something is being saved, and afterwards.
    pub saving: Survey,
    pub saved: Survey,
}

/// What tells that an action arrived.
pub enum Evidence {
    Word(String),
    /// Lines of the document that are new; the whole picture if there are none.
    Change {
        lines: Vec<String>,
        after: Box<Observation>,
    },
}

impl Evidence {
    /// What is new in `after`; `None` if nothing is.
    fn between(before: &Observation, after: Observation) -> Option<Evidence> {
        let lines_of = |seen: &Observation| -> Vec<String> {
            seen.dom.as_deref().unwrap_or_default().lines().map(|line| line.trim().to_string()).collect()
        };
        let known = lines_of(before);
        let lines: Vec<String> = lines_of(&after).into_iter().filter(|line| !known.contains(line)).collect();
        let is_new = !lines.is_empty() || !same_picture(before, &after);
        is_new.then(|| Evidence::Change { lines, after: Box::new(after) })
    }

    /// How often it is in what a client shows.
    pub fn count(&self, seen: &Observation) -> usize {
        match self {
            Evidence::Word(word) => {
                seen.text.iter().flatten().map(|passage| passage.matches(word.as_str()).count()).sum()
            }
            Evidence::Change { lines, after } if lines.is_empty() => usize::from(same_picture(after, seen)),
            Evidence::Change { lines, .. } => {
                let dom = seen.dom.as_deref().unwrap_or_default();
                usize::from(lines.iter().all(|line| dom.lines().any(|shown| shown.trim() == line)))
            }
        }
    }
}

fn same_picture(one: &Observation, other: &Observation) -> bool {
    changed(one, other, Aspect::Pixels, &[]).is_ok_and(|changed| match changed {
        Changed::Pixels(pixels) => pixels.bounds().is_none(),
        Changed::Lines(_) => false,
    })
}

impl SharedAction {
    /// What could be shared on a page: what is written, by itself, with Enter, or with a button; else what its buttons do, what is
    /// drawn and what is dragged.
    pub fn candidates(survey: &Survey) -> Vec<SharedAction> {
        let Some(editable) = main_editable(survey) else {
            let is_late = |step: &Step| {
                matches!(step, Step::Click(Target::Selector(selector))
                    if buttons(survey).skip(MOST_BUTTONS).any(|button| button.selector == *selector))
            };
            let tried = actions(survey, &[]).into_iter().filter(|action| !action.steps.iter().any(is_late));
            return tried
                .map(|action| SharedAction { opening: vec![], steps: action.steps, word: None, submit: vec![] })
                .collect();
        };
        let enter = vec![Step::Press(Chord::plain(KeyName::Enter))];
        let click = |button: &Button| vec![Step::Click(Target::Selector(button.selector.clone()))];
        let clicks = buttons(survey).take(MOST_BUTTONS).map(click);
        let word = token_word(A, 0);
        let written = |submit: Vec<Step>| SharedAction {
            opening: vec![Step::Click(Target::Selector(editable.selector.clone()))],
            steps: [&[Step::Type(word.clone())], &submit[..]].concat(),
            word: Some(word.clone()),
            submit,
        };
        [Vec::new(), enter].into_iter().chain(clicks).map(written).collect()
    }

    /// Performs it on a document that two users have just opened; `None` if the other user sees nothing of it.
    pub fn perform(&self, world: &mut dyn World) -> Result<Option<Seen>, WorldError> {
        let wanted = ObserveOptions { pixels: self.word.is_none(), ..ObserveOptions::all() };
        let before = world.observe(B, wanted)?;
        for step in &self.opening {
            if world.step(A, step)? != StepOutcome::Done {
                return Ok(None);
            }
            // Some editors take their time to see where the caret is.
            world.settle()?;
        }
        world.hold()?;
        for step in &self.steps {
            world.step(A, step)?;
        }
        let saving = world.survey(A)?;
        world.settle()?;
        let saved = world.survey(A)?;
        let (here, there) = (world.observe(A, wanted)?, world.observe(B, wanted)?);
        let evidence = match &self.word {
            Some(word) => Some(Evidence::Word(word.clone())),
            None => Evidence::between(&before, there.clone()),
        };
        let Some(evidence) = evidence else { return Ok(None) };
        let counts = (evidence.count(&here), evidence.count(&there));
        // A user who acts may see more of it than others do, but a word that they cannot read is in no document.
        let arrived = counts.1 > 0 && (counts.0 > 0 || self.word.is_none());
        Ok(arrived.then_some(Seen { evidence, counts, saving, saved }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_world::Editable;

    fn seen(dom: &str, text: &[&str]) -> Observation {
        let text = Some(text.iter().map(|passage| passage.to_string()).collect());
        Observation { dom: Some(dom.to_string()), text, ..Observation::default() }
    }

    #[test]
    fn words_and_lines_tell_that_an_action_arrived() {
        let word = Evidence::Word("abc".into());
        assert_eq!(word.count(&seen("", &["x abc", "abc abc"])), 3);
        assert_eq!(word.count(&seen("", &["ab c"])), 0);

        let (before, after) = (seen("<p>\n  \"0\"", &[]), seen("<p>\n  \"1\"", &[]));
        let counted = Evidence::between(&before, after.clone()).unwrap();
        assert_eq!((counted.count(&before), counted.count(&after)), (0, 1));
    }

    #[test]
    fn a_page_without_a_field_is_tried_with_few_of_its_buttons() {
        let button = |number: usize| Button { selector: format!("#b{number}"), label: format!("b{number}") };
        let mut survey = Survey { buttons: (0..9).map(button).collect(), ..Survey::default() };
        assert_eq!(SharedAction::candidates(&survey).len(), MOST_BUTTONS);
        survey.canvases.push("#board".into());
        assert_eq!(SharedAction::candidates(&survey).len(), MOST_BUTTONS + 3);
        survey.editables.push(Editable { selector: "#text".into(), kind: "textarea".into(), area: 1 });
        let written = SharedAction::candidates(&survey);
        assert_eq!(written.len(), 2 + MOST_BUTTONS);
        assert_eq!(written[0].submit, []);
        assert!(SharedAction::candidates(&Survey::default()).is_empty());
    }
}
