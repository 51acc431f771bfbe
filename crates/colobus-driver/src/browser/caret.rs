//! Reading and setting a client's caret.

use colobus_trace::{Caret, CaretAccess};
use serde_json::{Value, json};

use super::client::{Client, Evaluated};
use super::scripts;
use crate::WorldError;

impl Client {
    /// `None` if there is no caret, or it cannot be read.
    pub async fn caret(&self) -> Result<Option<Caret>, WorldError> {
        let read = match &self.application.caret {
            CaretAccess::Untouched => return Ok(None),
            CaretAccess::BuiltIn(kind) => scripts::call("caret.read", &[json!(kind), json!(self.application.focus)]),
            CaretAccess::Script { read, .. } => scripts::block(read),
        };
        match self.evaluate(&read, self.limit()).await? {
            Evaluated::Value(Value::Null) | Evaluated::Threw(_) => Ok(None),
            Evaluated::Value(value) => Ok(Some(Caret(value))),
        }
    }

    pub async fn place_caret(&self, caret: &Caret) -> Result<(), WorldError> {
        let write = match &self.application.caret {
            CaretAccess::Untouched => return Ok(()),
            CaretAccess::BuiltIn(kind) => {
                let arguments = [json!(kind), json!(self.application.focus), caret.0.clone()];
                scripts::call("caret.write", &arguments)
            }
            CaretAccess::Script { write, .. } => format!("({write})({})", caret.0),
        };
        let problem = match self.evaluate(&write, self.limit()).await? {
            Evaluated::Threw(message) => Some(message),
            Evaluated::Value(value) => value["problem"].as_str().map(str::to_string),
        };
        match problem {
            Some(problem) => Err(WorldError::Interrupted(format!("the caret could not be set: {problem}"))),
            None => Ok(()),
        }
    }
}
