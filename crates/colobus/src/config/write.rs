//! Actions as they are written in a `colobus.toml`. What a step looks like there, [`Step::to_toml`] says.

use colobus_model::{Action, Step};

/// What may stand behind a `#`.
pub use colobus_model::foreign::one_line as comment;
pub use colobus_model::toml_string as text;

/// A table, with all steps in one line.
pub fn action(action: &Action) -> String {
    let steps: Vec<String> = action.steps.iter().map(Step::to_toml).collect();
    format!("[[action]]\nname = {}\nsteps = [{}]\n", text(&action.name), steps.join(", "))
}
