//! The elements that a step of the user needs: events that make them come before it.

use colobus_model::{Inside, Step, Target};

/// The locators of the elements that have to be there before a step.
pub fn needed_elements(step: &Step) -> Vec<String> {
    match step {
        Step::WaitFor(locator) => vec![locator.clone()],
        Step::Click(_)
        | Step::DoubleClick(_)
        | Step::Drag { .. }
        | Step::Press(_)
        | Step::Type(_)
        | Step::Paste(_)
        | Step::Select(_)
        | Step::Evaluate(_)
        | Step::Resize(_) => pointed_at(step),
    }
}

/// The locators of the elements that a step points at, in their order.
pub fn pointed_at(step: &Step) -> Vec<String> {
    let locator = |target: Target| match target {
        Target::Selector(locator) | Target::Inside(Inside { on: locator, .. }) => Some(locator),
        Target::Point(_) => None,
    };
    step.targets().into_iter().filter_map(locator).collect()
}
