//! The steps of an action, performed by a client with trusted input.

use std::time::Duration;

use colobus_browser::{Evaluated, Place, scripts};
use colobus_model::{Inside, Point, Step, Target};
use serde_json::json;

use super::client::Client;
use colobus_world::{StepOutcome, WorldError};

impl Client {
    pub async fn perform(&self, step: &Step) -> Result<StepOutcome, WorldError> {
        let page = &self.page;
        let done = match step {
            Step::Press(chord) => page.press(chord).await,
            Step::Type(text) => page.type_text(text).await,
            Step::Click(target) => return self.click(target, 1).await,
            Step::DoubleClick(target) => return self.click(target, 2).await,
            Step::Drag { from, to } => match (self.place(from).await?, self.place(to).await?) {
                (Ok(start), Ok(end)) => page.drag(start, end).await,
                (Err(problem), _) | (_, Err(problem)) => return Ok(StepOutcome::NotApplicable(problem)),
            },
            Step::Paste(text) => page.paste_text(text).await,
            Step::Select(target) => page.press(&target.chord()).await,
            Step::Evaluate(source) => return self.run(source).await,
            Step::WaitFor(selector) => return self.wait_for(selector).await,
            Step::Resize(size) => self.resize(*size).await,
        };
        done.map(|()| StepOutcome::Done)
    }

    async fn click(&self, target: &Target, times: u32) -> Result<StepOutcome, WorldError> {
        match self.place(target).await? {
            Ok(place) => self.page.click(place, times).await.map(|()| StepOutcome::Done),
            Err(problem) => Ok(StepOutcome::NotApplicable(problem)),
        }
    }

    /// Where a target is; `Err` with the reason if it is nowhere.
    async fn place(&self, target: &Target) -> Result<Result<Place, String>, WorldError> {
        let (selector, at) = match target {
            Target::Point(Point { x, y }) => return Ok(Ok(Place { x: f64::from(*x), y: f64::from(*y) })),
            Target::Selector(selector) => (selector, None),
            Target::Inside(Inside { on, x, y }) => (on, Some(Place { x: f64::from(*x), y: f64::from(*y) })),
        };
        self.page.main_frame().await?.find(selector, at).await
    }

    async fn run(&self, source: &str) -> Result<StepOutcome, WorldError> {
        let ran = self.page.run_block(source).await?;
        self.expect_frame();
        match ran {
            Evaluated::Value(_) => Ok(StepOutcome::Done),
            Evaluated::Threw(message) => {
                self.page.add_exception(message.clone());
                Ok(StepOutcome::Threw(format!("its JavaScript failed: {message}")))
            }
        }
    }

    pub(super) async fn wait_for(&self, selector: &str) -> Result<StepOutcome, WorldError> {
        let limit = self.application.settle.limit_ms;
        let waiting = scripts::call("input.appears", &[json!(selector), json!(limit)]);
        // The page itself gives up in time; the browser gets a little longer to say so.
        Ok(match self.page.evaluate(&waiting, self.page.limit() + Duration::from_secs(5)).await? {
            // A selector that does not parse.
            Evaluated::Threw(message) => StepOutcome::NotApplicable(message),
            Evaluated::Value(value) => match value["problem"].as_str() {
                Some(problem) => StepOutcome::NotApplicable(problem.to_string()),
                None => StepOutcome::Done,
            },
        })
    }
}
