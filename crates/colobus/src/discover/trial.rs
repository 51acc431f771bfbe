//! Tries things out on the page: what an action changes, which buttons open menus, what changes nothing.

use colobus_compare::{Changed, changed};
use colobus_model::{
    Action, Aspect, Chord, KeyName, Observation, Part, Step, Target, Token, TokenFiller, Viewport, token_word,
};
use colobus_world::{Button, ObserveOptions, StepOutcome, Survey, World, WorldError};

use super::describe::{HEIGHT, WIDTH};
use super::propose::{Menu, UNDO, buttons, following, personal};
use super::sharing::{A, B};
use crate::config::NeutralSteps;

/// Stands in the document before an action is tried, so that there is something to format and to delete.
const EARLIER_WORD: usize = 7;

/// Actions, each with what it changed.
pub struct ActionEffects {
    actions: Vec<(Action, Effect)>,
    /// Selectors of what follows what a single user does: carets, and buttons that show what is at a caret.
    pub personal: Vec<String>,
}

/// What an action does to a page that has a word on it.
#[derive(Clone, Copy, PartialEq)]
enum Effect {
    Nothing,
    /// The share of the page that changed.
    Pixels(f64),
    /// Only what cannot be seen.
    Hidden,
    /// Something for the user who acts, and nothing for others: what is written in a form and not sent.
    Own,
}

impl ActionEffects {
    pub fn useful(&self) -> Vec<Action> {
        self.those(|effect| !matches!(effect, Effect::Nothing | Effect::Own))
    }

    pub fn useless(&self) -> Vec<Action> {
        self.those(|effect| matches!(effect, Effect::Nothing | Effect::Own))
    }

    fn those(&self, wanted: impl Fn(&Effect) -> bool) -> Vec<Action> {
        self.actions.iter().filter(|(_, effect)| wanted(effect)).map(|(action, _)| action.clone()).collect()
    }

    /// Whether most actions change most of the page: then everything conflicts with everything, and pixels tell nothing.
    pub fn moves_everything(&self) -> bool {
        let shares: Vec<f64> = self
            .actions
            .iter()
            .filter_map(|(_, effect)| if let Effect::Pixels(share) = effect { Some(*share) } else { None })
            .collect();
        shares.iter().filter(|share| **share > 0.5).count() * 2 > shares.len()
    }
}

/// Performs each action on a fresh document with a word in it, which is submitted in this way.
pub fn effects(world: &mut dyn World, actions: Vec<Action>, submit: &[Step]) -> Result<ActionEffects, WorldError> {
    let (mut tried, mut personal) = (Vec::new(), Vec::new());
    for action in actions {
        let effect = match effect(world, &action, submit, &mut personal) {
            Ok(effect) => effect,
            // It left the page, or stopped it: no good for a search.
            Err(WorldError::Interrupted(_)) => Effect::Nothing,
            Err(error) => return Err(error),
        };
        tried.push((action, effect));
    }
    personal.sort();
    personal.dedup();
    Ok(ActionEffects { actions: tried, personal })
}

/// What the page offers once a word was submitted in it.
pub fn with_an_entry(world: &mut dyn World, submit: &[Step]) -> Result<Survey, WorldError> {
    world.begin(1)?;
    write_earlier_word(world, submit)?;
    world.survey(A)
}

fn write_earlier_word(world: &mut dyn World, submit: &[Step]) -> Result<(), WorldError> {
    world.step(A, &Step::Type(token_word(A, EARLIER_WORD)))?;
    for step in submit {
        world.step(A, step)?;
    }
    world.settle()?;
    Ok(())
}

/// Which of the buttons open something in which there is more to click.
pub fn menus(world: &mut dyn World, survey: &Survey) -> Result<Vec<Menu>, WorldError> {
    let mut menus = Vec::new();
    for button in buttons(survey) {
        world.begin(1)?;
        write_earlier_word(world, &[])?;
        let before = world.survey(A)?.buttons;
        let click = Step::Click(Target::Selector(button.selector.clone()));
        let opened = match world.step(A, &click) {
            Ok(StepOutcome::Done) => world.settle().and_then(|_| world.survey(A)),
            Ok(StepOutcome::NotApplicable(_) | StepOutcome::Threw(_)) | Err(WorldError::Interrupted(_)) => continue,
            Err(error) => return Err(error),
        };
        let after = match opened {
            Ok(after) => after.buttons,
            Err(WorldError::Interrupted(_)) => continue,
            Err(error) => return Err(error),
        };
        let known = |item: &Button| before.iter().any(|button| button.selector == item.selector);
        let items: Vec<Button> = after.into_iter().filter(|item| !known(item)).collect();
        if !items.is_empty() {
            menus.push(Menu { button: button.selector.clone(), items });
        }
    }
    Ok(menus)
}

/// What leads back to where it begins, as far as it can be told from a page with a word on it, and does something in between.
pub fn neutral(world: &mut dyn World, tried: &ActionEffects) -> Result<Vec<NeutralSteps>, WorldError> {
    let indent = Action::new("indent", vec![Step::Press(Chord::plain(KeyName::Tab))]);
    let candidates = [
        (
            NeutralSteps::UndoRedo,
            tried.actions.iter().any(|(action, effect)| action.name == UNDO && *effect != Effect::Nothing),
        ),
        (NeutralSteps::IndentOutdent, changes(world, &indent)?),
        (NeutralSteps::BlurFocus, true),
        (NeutralSteps::Resize, true),
    ];
    let viewport = Viewport { width: WIDTH, height: HEIGHT };
    let mut neutral = Vec::new();
    for (steps, _) in candidates.into_iter().filter(|(_, does_something)| *does_something) {
        if !changes(world, &steps.action(viewport))? {
            neutral.push(steps);
        }
    }
    Ok(neutral)
}

/// What leaves the page or stops it changes a lot.
fn changes(world: &mut dyn World, action: &Action) -> Result<bool, WorldError> {
    match effect(world, action, &[], &mut Vec::new()) {
        Ok(effect) => Ok(effect != Effect::Nothing),
        Err(WorldError::Interrupted(_)) => Ok(true),
        Err(error) => Err(error),
    }
}

/// What A's action changes for A; what it shows to A alone, and not to B, is added to `own`.
fn effect(
    world: &mut dyn World,
    action: &Action,
    submit: &[Step],
    own: &mut Vec<String>,
) -> Result<Effect, WorldError> {
    world.begin(2)?;
    write_earlier_word(world, submit)?;
    let before = world.observe(A, ObserveOptions::all())?;
    // What is written in a form is its author's alone until it is submitted: users have different drafts, and that is no bug.
    let read = ObserveOptions::aspects(&[Aspect::Dom]).and_words(true);
    let others = if submit.is_empty() { None } else { Some(world.observe(B, read)?) };
    let bars = world.survey(A)?;
    let mut words = TokenFiller::default();
    for step in &action.steps {
        if world.step(A, &words.fill(A, step, Part::Prefix))? != StepOutcome::Done {
            return Ok(Effect::Nothing);
        }
    }
    world.settle()?;
    let after = world.observe(A, ObserveOptions::all())?;
    let (here, there) = (world.survey(A)?, world.survey(B)?);
    own.extend(personal(&here, &there).into_iter().chain(following(&bars, &here)));
    match others {
        Some(others) if !reaches(&words.tokens, &others, &world.observe(B, read)?) => Ok(Effect::Own),
        _ => Ok(compare(&before, &after)),
    }
}

/// Whether another user, who saw `before`, reads one of these words; if there are none, sees anything new.
fn reaches(words: &[Token], before: &Observation, after: &Observation) -> bool {
    let is_read = |token: &Token| after.text.iter().flatten().any(|passage| passage.contains(&token.word));
    if words.is_empty() { before.dom != after.dom } else { words.iter().any(is_read) }
}

fn compare(before: &Observation, after: &Observation) -> Effect {
    if let Ok(Changed::Pixels(pixels)) = changed(before, after, Aspect::Pixels, &[])
        && let Some(bounds) = pixels.bounds()
    {
        let page = f64::from(WIDTH) * f64::from(HEIGHT);
        return Effect::Pixels(f64::from(bounds.width) * f64::from(bounds.height) / page);
    }
    if before.dom == after.dom { Effect::Nothing } else { Effect::Hidden }
}
