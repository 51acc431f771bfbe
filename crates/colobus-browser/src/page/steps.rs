//! [`AimedStep`]: the steps of actions, performed with trusted input in two parts. [`Page::aim`] finds what a step needs,
//! [`Page::act`] performs it; in a page whose events are ordered only the second part belongs to the event. Worlds, logins and
//! races perform their steps here.

use colobus_model::{Chord, Inside, Point, Step, Target, Viewport};
use colobus_world::{StepOutcome, WorldError};

use super::{Evaluated, Lookup, Page, Place};

/// A step whose elements were found.
pub enum AimedStep<'a> {
    Click(Place, u32),
    Drag(Place, Place),
    Press(Chord),
    Type(&'a str),
    Paste(&'a str),
    Evaluate(&'a str),
    Resize(Viewport),
    /// What was waited for is there.
    Waited,
}

impl Page {
    /// Finds the elements that a step needs; `Err` with the reason if a user could not perform it now.
    pub async fn aim<'a>(&self, step: &'a Step, lookup: Lookup) -> Result<Result<AimedStep<'a>, String>, WorldError> {
        Ok(match step {
            Step::Click(target) => self.place(target, lookup).await?.map(|place| AimedStep::Click(place, 1)),
            Step::DoubleClick(target) => self.place(target, lookup).await?.map(|place| AimedStep::Click(place, 2)),
            Step::Drag { from, to } => match (self.place(from, lookup).await?, self.place(to, lookup).await?) {
                (Ok(start), Ok(end)) => Ok(AimedStep::Drag(start, end)),
                (Err(problem), _) | (_, Err(problem)) => Err(problem),
            },
            Step::WaitFor(locator) => self.main_frame().wait_for(locator, lookup).await?.map(|()| AimedStep::Waited),
            Step::Press(chord) => Ok(AimedStep::Press(*chord)),
            Step::Select(target) => Ok(AimedStep::Press(target.chord())),
            Step::Type(text) => Ok(AimedStep::Type(text)),
            Step::Paste(text) => Ok(AimedStep::Paste(text)),
            Step::Evaluate(source) => Ok(AimedStep::Evaluate(source)),
            Step::Resize(size) => Ok(AimedStep::Resize(*size)),
        })
    }

    /// Performs a step whose elements were found. JavaScript that throws is also among the exceptions of the page.
    pub async fn act(&self, step: AimedStep<'_>) -> Result<StepOutcome, WorldError> {
        match step {
            AimedStep::Click(place, times) => self.click(place, times).await?,
            AimedStep::Drag(start, end) => self.drag(start, end).await?,
            AimedStep::Press(chord) => self.press(&chord).await?,
            AimedStep::Type(text) => self.type_text(text).await?,
            AimedStep::Paste(text) => self.paste_text(text).await?,
            AimedStep::Evaluate(source) => {
                if let Evaluated::Threw(message) = self.run_block(source).await? {
                    let problem = format!("its JavaScript failed: {message}");
                    self.add_exception(message);
                    return Ok(StepOutcome::Threw(problem));
                }
            }
            AimedStep::Resize(size) => self.resize(size).await?,
            AimedStep::Waited => {}
        }
        Ok(StepOutcome::Done)
    }

    /// Where a target is; `Err` with the reason if it is nowhere.
    async fn place(&self, target: &Target, lookup: Lookup) -> Result<Result<Place, String>, WorldError> {
        let place = |x: &u32, y: &u32| Place { x: f64::from(*x), y: f64::from(*y) };
        let (locator, at) = match target {
            Target::Point(Point { x, y }) => return Ok(Ok(place(x, y))),
            Target::Selector(locator) => (locator, None),
            Target::Inside(Inside { on, x, y }) => (on, Some(place(x, y))),
        };
        self.main_frame().find(locator, at, lookup).await
    }
}
