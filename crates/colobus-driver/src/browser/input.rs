//! What a user does with keyboard and clipboard, as trusted events: the steps of an action.

use std::time::Duration;

use colobus_model::{ErrorKind, Step};
use serde_json::{Value, json};

use super::client::{Client, Evaluated};
use super::keyboard::{Stroke, events, strokes};
use super::protocol::Reply;
use super::scripts;
use colobus_world::{StepOutcome, WorldError};

impl Client {
    pub async fn perform(&self, step: &Step) -> Result<StepOutcome, WorldError> {
        match step {
            Step::Press(chord) => self.strike(&[Stroke::Key(*chord)]).await,
            Step::Type(text) => self.strike(&strokes(text)).await,
            Step::Click(target) => self.click(target, 1).await,
            Step::DoubleClick(target) => self.click(target, 2).await,
            Step::Drag { from, to } => self.drag(from, to).await,
            Step::Paste(text) => self.paste(text).await,
            Step::Select(target) => self.strike(&[Stroke::Key(target.chord())]).await,
            Step::Evaluate(source) => self.run(source).await,
            Step::WaitFor(selector) => {
                let limit = self.application.settle.limit_ms;
                let waiting = scripts::call("input.appears", &[json!(selector), json!(limit)]);
                // The page itself gives up in time; the browser gets a little longer to say so.
                let answer = self.evaluate(&waiting, self.limit() + Duration::from_secs(5)).await?;
                Ok(applicable(answer))
            }
            Step::Resize(size) => self.resize(*size).await.map(|()| StepOutcome::Done),
        }
    }

    async fn strike(&self, strokes: &[Stroke]) -> Result<StepOutcome, WorldError> {
        let mut replies = Vec::new();
        for stroke in strokes {
            match stroke {
                Stroke::Key(chord) => {
                    let events = events(chord).into_iter();
                    replies.extend(events.map(|event| self.session.send("Input.dispatchKeyEvent", event)));
                }
                Stroke::Insert(text) => {
                    replies.push(self.session.send("Input.insertText", json!({ "text": text })));
                }
            }
        }
        self.all_done(replies).await
    }

    /// Input is sent without waiting in between: the browser keeps its order.
    pub(super) async fn all_done(&self, replies: Vec<Reply>) -> Result<StepOutcome, WorldError> {
        for reply in replies {
            reply.within(self.limit()).await.map_err(|error| self.explain(error))?;
        }
        Ok(StepOutcome::Done)
    }

    async fn paste(&self, text: &str) -> Result<StepOutcome, WorldError> {
        let untouched = self.ask("input.paste", &[json!(text)]).await?;
        if untouched == Value::Bool(true) {
            self.call("Input.insertText", json!({ "text": text })).await?;
        }
        Ok(StepOutcome::Done)
    }

    async fn run(&self, source: &str) -> Result<StepOutcome, WorldError> {
        match self.evaluate(&scripts::block(source), self.limit()).await? {
            Evaluated::Value(_) => Ok(StepOutcome::Done),
            Evaluated::Threw(message) => {
                self.record.add_error(ErrorKind::Uncaught, message.clone(), None);
                Ok(StepOutcome::NotApplicable(format!("its JavaScript failed: {message}")))
            }
        }
    }
}

/// Our own functions answer `{problem}` when a step makes no sense; a selector that does not parse makes none either.
fn applicable(answer: Evaluated) -> StepOutcome {
    match answer {
        Evaluated::Threw(message) => StepOutcome::NotApplicable(message),
        Evaluated::Value(value) => match value["problem"].as_str() {
            Some(problem) => StepOutcome::NotApplicable(problem.to_string()),
            None => StepOutcome::Done,
        },
    }
}
