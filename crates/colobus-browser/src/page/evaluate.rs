//! JavaScript in a page.

use std::time::Duration;

use colobus_world::WorldError;
use serde_json::Value;
use tokio::time::timeout;

use super::Page;
use crate::protocol::{ProtocolError, runtime};
use crate::scripts;

/// How long the browser may take to say where a page went whose document is gone.
const DEPARTURE: Duration = Duration::from_secs(1);

/// The outcome of JavaScript in a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluated {
    Value(Value),
    /// It threw, and what.
    Threw(String),
}

impl Page {
    /// Runs JavaScript in the main frame; a promise is awaited. The value comes as JSON.
    pub async fn evaluate(&self, source: &str, limit: Duration) -> Result<Evaluated, WorldError> {
        self.evaluate_in(None, source, limit).await
    }

    /// Runs JavaScript in an execution context; the main frame's if none is given.
    pub async fn evaluate_in(
        &self,
        context: Option<i64>,
        source: &str,
        limit: Duration,
    ) -> Result<Evaluated, WorldError> {
        self.evaluation(context, source, limit).await.map(evaluated)
    }

    async fn evaluation(
        &self,
        context: Option<i64>,
        source: &str,
        limit: Duration,
    ) -> Result<runtime::Evaluation, WorldError> {
        let answer = self.session.send(runtime::Evaluate::value(source, context)).within(limit).await;
        if let (Err(ProtocolError::Refused { .. }), true) = (&answer, self.policy.is_held()) {
            // The document is gone, and the browser is about to say where the page went.
            let _ = timeout(DEPARTURE, self.events.departure()).await;
        }
        answer.map_err(|error| self.explain(error))
    }

    /// The value of JavaScript in an execution context. What throws is an error.
    pub async fn value_in(&self, context: Option<i64>, source: &str) -> Result<Value, WorldError> {
        match self.evaluate_in(context, source, self.limit).await? {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Threw(message) => Err(WorldError::Interrupted(message)),
        }
    }

    /// Runs a user's statements as a block of their own.
    pub async fn run_block(&self, source: &str) -> Result<Evaluated, WorldError> {
        self.evaluate(&scripts::block(source), self.limit).await
    }

    /// Calls one of our own functions in the main frame.
    pub async fn ask(&self, function: &str, arguments: &[Value]) -> Result<Value, WorldError> {
        match self.evaluate(&scripts::call(function, arguments), self.limit).await? {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Threw(message) => Err(self
                .navigation_error()
                .unwrap_or(WorldError::Interrupted(format!("asking the page for {function} failed: {message}")))),
        }
    }

    /// Runs JavaScript in the main frame without waiting for it.
    pub fn start(&self, source: &str) {
        drop(self.session.send(runtime::Evaluate::handle(source, None)));
    }

    /// Returns when the page has executed all that was asked of it before, and said all that it had to say.
    pub async fn catch_up(&self) -> Result<(), WorldError> {
        self.call(runtime::Evaluate::handle("0", None)).await.map(|_| ())
    }

    /// Whether an invariant holds now: its value is true as JavaScript has it. One that throws does not hold; the reason
    /// comes with it.
    pub async fn holds(&self, source: &str) -> Result<Result<(), Option<String>>, WorldError> {
        let answer = self.evaluation(None, &scripts::block(source), self.limit).await?;
        let is_truthy = answer.result.is_truthy();
        Ok(match evaluated(answer) {
            Evaluated::Value(_) if is_truthy => Ok(()),
            Evaluated::Value(_) => Err(None),
            Evaluated::Threw(message) => Err(Some(message)),
        })
    }

    /// The names of the invariants that do not hold now, those that throw with the reason.
    pub async fn broken_invariants(&self, invariants: &[colobus_model::Invariant]) -> Result<Vec<String>, WorldError> {
        let mut broken = Vec::new();
        for invariant in invariants {
            match self.holds(&invariant.js).await? {
                Ok(()) => {}
                Err(None) => broken.push(invariant.name.clone()),
                Err(Some(message)) => broken.push(format!("{} ({message})", invariant.name)),
            }
        }
        Ok(broken)
    }
}

pub(super) fn evaluated(answer: runtime::Evaluation) -> Evaluated {
    match answer.exception_details {
        None => Evaluated::Value(answer.result.into_json()),
        Some(details) => {
            let described = details.exception.and_then(|exception| exception.description);
            let described = described.unwrap_or(details.text);
            Evaluated::Threw(described.lines().next().unwrap_or_default().to_string())
        }
    }
}
