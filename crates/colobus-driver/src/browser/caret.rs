//! Reading and setting a client's caret.

use colobus_model::{Caret, CaretAccess, CaretPlace, Carets, RemoteCarets, RemoteCaretsScript};
use serde_json::{Value, json};

use super::client::{Client, Evaluated};
use super::scripts;
use colobus_world::WorldError;

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

    /// Where the user's own caret is and where those of others are shown, if that is to be checked.
    pub async fn carets(&self) -> Result<Option<Carets>, WorldError> {
        match &self.application.remote_carets {
            None => Ok(None),
            Some(RemoteCarets::Selector(selector)) => {
                let seen = self.ask("carets", &[json!(selector), json!(self.application.focus)]).await?;
                let place = |stroke: &Value| {
                    let side = |name: &str| stroke[name].as_f64();
                    Some(CaretPlace::Screen { x: side("x")?, top: side("top")?, bottom: side("bottom")? })
                };
                let shown = seen["shown"].as_array().into_iter().flatten().filter_map(place).collect();
                Ok(Some(Carets { own: place(&seen["own"]), shown }))
            }
            Some(RemoteCarets::Script(RemoteCaretsScript { own, shown })) => {
                let own = self.position(own).await?;
                let shown = match self.position(shown).await? {
                    Value::Array(positions) => positions.into_iter().map(CaretPlace::Document).collect(),
                    _ => Vec::new(),
                };
                Ok(Some(Carets { own: (!own.is_null()).then_some(CaretPlace::Document(own)), shown }))
            }
        }
    }

    async fn position(&self, source: &str) -> Result<Value, WorldError> {
        match self.evaluate(&scripts::block(source), self.limit()).await? {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Threw(message) => {
                Err(WorldError::Interrupted(format!("`caret` of [checks] failed in the page: {message}")))
            }
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
