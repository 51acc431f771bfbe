//! The steps of an action, performed by a client whose page has come to rest.

use std::time::Duration;

use colobus_browser::Lookup;
use colobus_model::Step;
use colobus_world::{StepOutcome, WorldError};

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

    pub(super) async fn wait_for(&self, locator: &str) -> Result<StepOutcome, WorldError> {
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
