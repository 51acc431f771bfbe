//! One evaluation of a law: calls the type, notes each step when asked to, and stops at the first surprise.

use std::fmt::Arguments;

use serde::Serialize;

use super::Law;
use crate::case::Case;
use crate::failure::Failure;
use crate::json::Json;
use crate::subject::{Side, Subject, Supply, SupplyError};

/// Why an evaluation did not reach its end.
#[derive(Debug)]
pub enum Stop {
    Violated(Violation),
    /// The case is none: an operation does not fit the document it is made on.
    Inapplicable(String),
    Supply(SupplyError),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "violation", rename_all = "kebab-case")]
pub enum Violation {
    /// Two ways that must agree do not.
    Diverged { left: Reached, right: Reached },
    /// A function of the type failed on valid input.
    Failed { call: String, failure: Failure },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reached {
    pub way: String,
    pub document: Json,
}

impl Violation {
    /// Shrinking keeps to the kind of surprise it started from.
    pub fn is_like(&self, other: &Violation) -> bool {
        match (self, other) {
            (Violation::Diverged { .. }, Violation::Diverged { .. }) => true,
            (Violation::Failed { failure: one, .. }, Violation::Failed { failure: two, .. }) => {
                std::mem::discriminant(one) == std::mem::discriminant(two)
            }
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub call: String,
    pub result: Json,
}

#[derive(Debug)]
pub enum Outcome {
    Holds,
    Violated(Violation),
    Inapplicable(String),
}

pub struct Run<'a> {
    subject: &'a dyn Subject,
    /// Asked whether operations make sense, unless they come from the supply's own list.
    validator: Option<&'a dyn Supply>,
    steps: Option<Vec<Step>>,
    pub calls: u64,
}

impl<'a> Run<'a> {
    pub fn new(subject: &'a dyn Subject) -> Run<'a> {
        Run { subject, validator: None, steps: None, calls: 0 }
    }

    pub fn validated(subject: &'a dyn Subject, supply: &'a dyn Supply) -> Run<'a> {
        Run { validator: Some(supply), ..Run::new(subject) }
    }

    /// Notes every call and its result from here on.
    pub fn recorded(mut self) -> Run<'a> {
        self.steps = Some(Vec::new());
        self
    }

    pub fn into_steps(self) -> Vec<Step> {
        self.steps.unwrap_or_default()
    }

    /// What was noted so far turned out well and explains nothing.
    pub(super) fn start_afresh(&mut self) {
        if let Some(steps) = &mut self.steps {
            steps.clear();
        }
    }

    pub fn judge(&mut self, law: &dyn Law, case: &Case) -> Result<Outcome, SupplyError> {
        match law.evaluate(self, case) {
            Ok(()) => Ok(Outcome::Holds),
            Err(Stop::Violated(violation)) => Ok(Outcome::Violated(violation)),
            Err(Stop::Inapplicable(reason)) => Ok(Outcome::Inapplicable(reason)),
            Err(Stop::Supply(error)) => Err(error),
        }
    }

    /// Whether the supply, if it can tell, would let a user make this operation here.
    pub fn permit(&mut self, document: &Json, operation: &Json) -> Result<(), Stop> {
        if let Some(supply) = self.validator
            && supply.valid(document, operation).map_err(Stop::Supply)? == Some(false)
        {
            return Err(Stop::Inapplicable(format!("{operation} is not a valid operation on {document}")));
        }
        Ok(())
    }

    /// A user makes an operation: if the document refuses it, there is no case.
    pub fn edit(&mut self, call: Arguments<'_>, document: &Json, operation: &Json) -> Result<Json, Stop> {
        self.permit(document, operation)?;
        self.calls += 1;
        match self.subject.apply(document, operation) {
            Ok(result) => Ok(self.note(call, result)),
            Err(failure) => {
                Err(Stop::Inapplicable(format!("{operation} cannot be applied to {document}: apply {failure}")))
            }
        }
    }

    pub fn apply(&mut self, call: Arguments<'_>, document: &Json, operation: &Json) -> Result<Json, Stop> {
        let result = self.subject.apply(document, operation);
        self.take(call, result)
    }

    pub fn transform(&mut self, call: Arguments<'_>, operation: &Json, other: &Json, side: Side) -> Result<Json, Stop> {
        let result = self.subject.transform(operation, other, side);
        self.take(call, result)
    }

    pub fn compose(&mut self, call: Arguments<'_>, first: &Json, second: &Json) -> Result<Json, Stop> {
        let result = self.subject.compose(first, second);
        self.take(call, result)
    }

    pub fn normalize(&mut self, call: Arguments<'_>, operation: &Json) -> Result<Json, Stop> {
        let result = self.subject.normalize(operation);
        self.take(call, result)
    }

    pub fn agree(&mut self, left: (Arguments<'_>, &Json), right: (Arguments<'_>, &Json)) -> Result<(), Stop> {
        if left.1 == right.1 {
            return Ok(());
        }
        let reached =
            |(way, document): (Arguments<'_>, &Json)| Reached { way: way.to_string(), document: document.clone() };
        Err(Stop::Violated(Violation::Diverged { left: reached(left), right: reached(right) }))
    }

    fn take(&mut self, call: Arguments<'_>, result: Result<Json, Failure>) -> Result<Json, Stop> {
        self.calls += 1;
        match result {
            Ok(result) => Ok(self.note(call, result)),
            Err(failure) => {
                let call = call.to_string();
                Err(Stop::Violated(Violation::Failed { call, failure }))
            }
        }
    }

    fn note(&mut self, call: Arguments<'_>, result: Json) -> Json {
        if let Some(steps) = &mut self.steps {
            steps.push(Step { call: call.to_string(), result: result.clone() });
        }
        result
    }
}
