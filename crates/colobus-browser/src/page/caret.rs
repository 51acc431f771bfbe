//! Reading and setting the caret, and seeing those of other users.

use colobus_model::{Caret, CaretAccess, CaretPlace, Carets, RemoteCarets, RemoteCaretsScript};
use colobus_world::WorldError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Evaluated, Page};
use crate::scripts;

/// What a script of the configuration gave, or what it threw.
pub type Scripted<T> = Result<T, String>;

impl Page {
    /// Where the caret is, in the element that `focus` selects; `None` if there is no caret, or a built-in way cannot read it.
    pub async fn caret(
        &self,
        access: &CaretAccess,
        focus: Option<&str>,
    ) -> Result<Scripted<Option<Caret>>, WorldError> {
        let read = match access {
            CaretAccess::Untouched => return Ok(Ok(None)),
            CaretAccess::BuiltIn(kind) => scripts::call("caret.read", &[json!(kind), json!(focus)]),
            CaretAccess::Script { read, .. } => scripts::block(read),
        };
        Ok(match (self.evaluate(&read, self.limit).await?, access) {
            (Evaluated::Threw(message), CaretAccess::Script { .. }) => Err(message),
            (Evaluated::Value(Value::Null) | Evaluated::Threw(_), _) => Ok(None),
            (Evaluated::Value(value), _) => Ok(Some(Caret(value))),
        })
    }

    pub async fn place_caret(
        &self,
        access: &CaretAccess,
        focus: Option<&str>,
        caret: &Caret,
    ) -> Result<Scripted<()>, WorldError> {
        let write = match access {
            CaretAccess::Untouched => return Ok(Ok(())),
            CaretAccess::BuiltIn(kind) => scripts::call("caret.write", &[json!(kind), json!(focus), caret.0.clone()]),
            CaretAccess::Script { write, .. } => format!("({write})({})", caret.0),
        };
        let problem = match (self.evaluate(&write, self.limit).await?, access) {
            (Evaluated::Threw(message), CaretAccess::Script { .. }) => return Ok(Err(message)),
            (Evaluated::Threw(message), _) => Some(message),
            (Evaluated::Value(value), _) => value["problem"].as_str().map(str::to_string),
        };
        match problem {
            Some(problem) => Err(WorldError::Interrupted(format!("the caret could not be set: {problem}"))),
            None => Ok(Ok(())),
        }
    }

    /// Where the user's own caret is and where those of others are shown.
    pub async fn carets(&self, shown_by: &RemoteCarets, focus: Option<&str>) -> Result<Scripted<Carets>, WorldError> {
        match shown_by {
            RemoteCarets::Selector(selector) => {
                on_the_screen(self.ask("carets", &[json!(selector), json!(focus)]).await?).map(Ok)
            }
            RemoteCarets::Script(RemoteCaretsScript { own, shown }) => {
                match (self.run_block(own).await?, self.run_block(shown).await?) {
                    (Evaluated::Value(own), Evaluated::Value(shown)) => in_the_document(own, shown).map(Ok),
                    (Evaluated::Threw(message), _) | (_, Evaluated::Threw(message)) => Ok(Err(message)),
                }
            }
        }
    }
}

/// A caret as `page/carets.js` measures it.
#[derive(Deserialize)]
struct Stroke {
    x: f64,
    top: f64,
    bottom: f64,
}

#[derive(Deserialize)]
struct Strokes {
    /// Null where it cannot be seen; an answer without it is an error.
    #[serde(deserialize_with = "Option::deserialize")]
    own: Option<Stroke>,
    shown: Vec<Stroke>,
}

impl From<Stroke> for CaretPlace {
    fn from(Stroke { x, top, bottom }: Stroke) -> CaretPlace {
        CaretPlace::Screen { x, top, bottom }
    }
}

fn on_the_screen(answer: Value) -> Result<Carets, WorldError> {
    let Strokes { own, shown } = scripts::read("carets", answer)?;
    Ok(Carets { own: own.map(CaretPlace::from), shown: shown.into_iter().map(CaretPlace::from).collect() })
}

/// Positions in the application's own terms.
fn in_the_document(own: Value, shown: Value) -> Result<Carets, WorldError> {
    let Value::Array(shown) = shown else {
        return Err(WorldError::Interrupted(format!(
            "`caret.shown` of [checks] must be a list of positions, one for each caret that the page shows; it is {shown}"
        )));
    };
    let own = (!own.is_null()).then_some(CaretPlace::Document(own));
    Ok(Carets { own, shown: shown.into_iter().map(CaretPlace::Document).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(carets: Result<Carets, WorldError>) -> String {
        carets.unwrap_err().to_string()
    }

    #[test]
    fn a_caret_without_a_side_is_an_error_and_not_left_out() {
        let whole = json!({ "x": 1, "top": 2.5, "bottom": 4 });
        let place = CaretPlace::Screen { x: 1.0, top: 2.5, bottom: 4.0 };
        let seen = on_the_screen(json!({ "own": whole, "shown": [whole] })).unwrap();
        assert_eq!((seen.own, seen.shown), (Some(place.clone()), vec![place]));
        assert_eq!(on_the_screen(json!({ "own": null, "shown": [] })).unwrap().own, None);

        let torn = json!({ "x": 1, "top": 2.5 });
        let shown = problem(on_the_screen(json!({ "own": null, "shown": [whole, torn] })));
        assert!(shown.contains("missing field `bottom`"), "{shown}");
        let own = problem(on_the_screen(json!({ "own": torn, "shown": [] })));
        assert!(own.contains("missing field `bottom`"), "{own}");
        // A number that JSON has no word for arrives as null.
        let nowhere = problem(on_the_screen(json!({ "own": { "x": null, "top": 0, "bottom": 0 }, "shown": [] })));
        assert!(nowhere.contains("invalid type: null"), "{nowhere}");
        for lacking in [json!({ "shown": [] }), json!({ "own": null }), json!(null)] {
            on_the_screen(lacking).unwrap_err();
        }
    }

    #[test]
    fn positions_of_others_are_a_list() {
        let carets = in_the_document(json!(3), json!([1, { "line": 2 }])).unwrap();
        assert_eq!(carets.own, Some(CaretPlace::Document(json!(3))));
        assert_eq!(carets.shown, [CaretPlace::Document(json!(1)), CaretPlace::Document(json!({ "line": 2 }))]);
        let nothing = problem(in_the_document(json!(3), json!(null)));
        assert!(nothing.contains("must be a list of positions") && nothing.contains("it is null"), "{nothing}");
    }
}
