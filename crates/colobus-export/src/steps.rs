//! What a user does, as a call of the support files: the method and its arguments.

use colobus_model::{Inside, Step, Target};

use crate::literal;

/// `click`, `["\"#save\""]`.
pub fn call(step: &Step) -> (&'static str, Vec<String>) {
    match step {
        Step::Press(chord) => ("press", vec![literal::string(&chord.to_string())]),
        Step::Type(text) => ("type", vec![literal::string(text)]),
        Step::Paste(text) => ("paste", vec![literal::string(text)]),
        Step::Evaluate(source) => ("evaluate", vec![literal::string(source)]),
        Step::WaitFor(selector) => ("waitFor", vec![literal::string(selector)]),
        Step::Resize(size) => ("resize", vec![format!("{{ width: {}, height: {} }}", size.width, size.height)]),
        Step::Click(at) => ("click", vec![target(at)]),
        Step::DoubleClick(at) => ("doubleClick", vec![target(at)]),
        Step::Drag { from, to } => ("drag", vec![target(from), target(to)]),
        Step::Select(what) => ("press", vec![literal::string(&what.chord().to_string())]),
    }
}

fn target(target: &Target) -> String {
    match target {
        Target::Selector(selector) => literal::string(selector),
        Target::Inside(Inside { on, x, y }) => format!("{{ on: {}, x: {x}, y: {y} }}", literal::string(on)),
        Target::Point(point) => format!("{{ x: {}, y: {} }}", point.x, point.y),
    }
}
