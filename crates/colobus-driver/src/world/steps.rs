//! The steps of an action, performed by a client whose page has come to rest.

use std::time::Duration;

use colobus_browser::Lookup;
use colobus_model::{Step, Target};
use colobus_world::{StepOutcome, WorldError};
use tokio::time::Instant;

use super::client::Client;

impl Client {
    pub async fn perform(&self, step: &Step) -> Result<StepOutcome, WorldError> {
        let aimed = match self.page.aim(step, self.lookup()).await? {
            Ok(aimed) => aimed,
            Err(problem) => return Ok(StepOutcome::NotApplicable(problem)),
        };
        if let Step::Resize(size) = step {
            self.note_size(*size);
        }
        let outcome = self.page.act(aimed).await?;
        if is_unseen(step) {
            self.expect_frame();
        }
        Ok(outcome)
    }

    /// Performs a step as soon as the elements that it needs are there, on whichever page they come.
    pub(super) async fn perform_when_there(&self, step: &Step, limit: Duration) -> Result<StepOutcome, WorldError> {
        let deadline = Instant::now() + limit;
        let targets = step.targets();
        let needed = targets.iter().filter_map(|target| match target {
            Target::Selector(locator) => Some(locator),
            Target::Inside(place) => Some(&place.on),
            Target::Point(_) => None,
        });
        for locator in needed {
            match self.appears(locator, deadline).await? {
                StepOutcome::Done => {}
                missing => return Ok(missing),
            }
        }
        match step {
            Step::WaitFor(locator) => self.appears(locator, deadline).await,
            step => self.perform(step).await,
        }
    }

    /// Waits for an element. A document that goes away meanwhile makes room for the next.
    async fn appears(&self, locator: &str, deadline: Instant) -> Result<StepOutcome, WorldError> {
        loop {
            match self.wait_for(locator).await {
                Err(WorldError::Interrupted(_)) if Instant::now() < deadline => {
                    self.page.finish_loading(deadline).await;
                }
                appeared => return appeared,
            }
        }
    }

    async fn wait_for(&self, locator: &str) -> Result<StepOutcome, WorldError> {
        let there = self.page.main_frame().wait_for(locator, self.lookup()).await?;
        Ok(there.map_or_else(StepOutcome::NotApplicable, |()| StepOutcome::Done))
    }

    fn lookup(&self) -> Lookup {
        Lookup::AtRest { wait: Duration::from_millis(self.application.settle.limit_ms) }
    }
}

/// Whether the page does not notice by itself that something was done to it: it counts trusted input only.
fn is_unseen(step: &Step) -> bool {
    match step {
        Step::Evaluate(_) | Step::Resize(_) => true,
        Step::Press(_)
        | Step::Type(_)
        | Step::Click(_)
        | Step::DoubleClick(_)
        | Step::Drag { .. }
        | Step::Paste(_)
        | Step::Select(_)
        | Step::WaitFor(_) => false,
    }
}
