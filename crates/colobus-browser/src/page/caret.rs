//! Reading and setting the caret, and seeing those of other users.

use colobus_model::{Caret, CaretAccess, CaretPlace, Carets, RemoteCarets, RemoteCaretsScript};
use colobus_world::WorldError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Evaluated, Page};
use crate::scripts;

/// What `carets` answers.
#[derive(Deserialize)]
struct PageCarets {
    own: Option<CaretStroke>,
    shown: Vec<CaretStroke>,
}

/// A caret as it is drawn.
#[derive(Deserialize)]
struct CaretStroke {
    x: f64,
    top: f64,
    bottom: f64,
}

impl CaretStroke {
    fn place(self) -> CaretPlace {
        let CaretStroke { x, top, bottom } = self;
        CaretPlace::Screen { x, top, bottom }
    }
}

impl Page {
    /// Where the caret is, in the element that `focus` selects; `None` if there is no caret, or it cannot be read.
    pub async fn caret(&self, access: &CaretAccess, focus: Option<&str>) -> Result<Option<Caret>, WorldError> {
        let read = match access {
            CaretAccess::Untouched => return Ok(None),
            CaretAccess::BuiltIn(kind) => scripts::call("caret.read", &[json!(kind), json!(focus)]),
            CaretAccess::Script { read, .. } => scripts::block(read),
        };
        match self.evaluate(&read, self.limit).await? {
            Evaluated::Value(Value::Null) | Evaluated::Threw(_) => Ok(None),
            Evaluated::Value(value) => Ok(Some(Caret(value))),
        }
    }

    pub async fn place_caret(
        &self,
        access: &CaretAccess,
        focus: Option<&str>,
        caret: &Caret,
    ) -> Result<(), WorldError> {
        let write = match access {
            CaretAccess::Untouched => return Ok(()),
            CaretAccess::BuiltIn(kind) => scripts::call("caret.write", &[json!(kind), json!(focus), caret.0.clone()]),
            CaretAccess::Script { write, .. } => format!("({write})({})", caret.0),
        };
        let problem = match self.evaluate(&write, self.limit).await? {
            Evaluated::Threw(message) => Some(message),
            Evaluated::Value(value) => value["problem"].as_str().map(str::to_string),
        };
        match problem {
            Some(problem) => Err(WorldError::Interrupted(format!("the caret could not be set: {problem}"))),
            None => Ok(()),
        }
    }

    /// Where the user's own caret is and where those of others are shown.
    pub async fn carets(&self, shown_by: &RemoteCarets, focus: Option<&str>) -> Result<Carets, WorldError> {
        match shown_by {
            RemoteCarets::Selector(selector) => {
                let seen = self.ask("carets", &[json!(selector), json!(focus)]).await?;
                let PageCarets { own, shown } = scripts::read("carets", seen)?;
                Ok(Carets {
                    own: own.map(CaretStroke::place),
                    shown: shown.into_iter().map(CaretStroke::place).collect(),
                })
            }
            RemoteCarets::Script(RemoteCaretsScript { own, shown }) => {
                let own = self.position(own).await?;
                let shown = match self.position(shown).await? {
                    Value::Array(positions) => positions.into_iter().map(CaretPlace::Document).collect(),
                    _ => Vec::new(),
                };
                Ok(Carets { own: (!own.is_null()).then_some(CaretPlace::Document(own)), shown })
            }
        }
    }

    async fn position(&self, source: &str) -> Result<Value, WorldError> {
        match self.run_block(source).await? {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Threw(message) => {
                Err(WorldError::Interrupted(format!("`caret` of [checks] failed in the page: {message}")))
            }
        }
    }
}
