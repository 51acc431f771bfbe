//! Actions as they are written in a `colobus.toml`.

use colobus_model::{Action, Inside, SelectTarget, Step, Target};
use serde_json::Value;

/// A table, with all steps in one line.
pub fn action(action: &Action) -> String {
    let steps: Vec<String> = action.steps.iter().map(step).collect();
    format!("[[action]]\nname = {}\nsteps = [{}]\n", text(&action.name), steps.join(", "))
}

pub fn step(step: &Step) -> String {
    let (key, value) = match step {
        Step::Press(keys) => ("press", text(&keys.to_string())),
        Step::Type(typed) => ("type", text(typed)),
        Step::Paste(pasted) => ("paste", text(pasted)),
        Step::Click(target) => ("click", place(target)),
        Step::DoubleClick(target) => ("double_click", place(target)),
        Step::Drag { from, to } => ("drag", format!("{{ from = {}, to = {} }}", place(from), place(to))),
        Step::Select(target) => ("select", text(selection(*target))),
        Step::Evaluate(script) => ("evaluate", text(script)),
        Step::WaitFor(selector) => ("wait_for", text(selector)),
        Step::Resize(size) => ("resize", format!("{{ width = {}, height = {} }}", size.width, size.height)),
    };
    format!("{{ {key} = {value} }}")
}

/// A string in one line. Those of JSON are strings of TOML as well, but for one character.
pub fn text(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

/// What may stand behind a `#`.
pub fn comment(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

fn place(target: &Target) -> String {
    match target {
        Target::Selector(selector) => text(selector),
        Target::Inside(Inside { on, x, y }) => format!("{{ on = {}, x = {x}, y = {y} }}", text(on)),
        Target::Point(point) => format!("{{ x = {}, y = {} }}", point.x, point.y),
    }
}

fn selection(target: SelectTarget) -> &'static str {
    match target {
        SelectTarget::LineBefore => "line-before",
        SelectTarget::LineAfter => "line-after",
        SelectTarget::Word => "word",
        SelectTarget::All => "all",
    }
}
