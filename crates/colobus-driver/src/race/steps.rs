//! What the user does, in two parts: first the place of its target is found, then the browser acts. Only the second belongs
//! to the event.

use colobus_browser::{Evaluated, Page, Place, scripts};
use colobus_model::{Inside, Point, Step, Target};
use colobus_world::WorldError;
use serde_json::{Value, json};

/// A step whose targets were found.
pub enum Aimed<'a> {
    Click(Place, u32),
    Drag(Place, Place),
    Other(&'a Step),
}

/// The selector of the element that a step needs.
pub fn element_of(step: &Step) -> Option<&str> {
    match step {
        Step::Click(target) | Step::DoubleClick(target) | Step::Drag { from: target, .. } => match target {
            Target::Selector(selector) | Target::Inside(Inside { on: selector, .. }) => Some(selector),
            Target::Point(_) => None,
        },
        _ => None,
    }
}

/// Finds the targets of a step; `Err` with the reason if a user could not do it now.
pub async fn aim<'a>(page: &Page, locate: &str, step: &'a Step) -> Result<Result<Aimed<'a>, String>, WorldError> {
    Ok(match step {
        Step::Click(target) => place(page, locate, target).await?.map(|place| Aimed::Click(place, 1)),
        Step::DoubleClick(target) => place(page, locate, target).await?.map(|place| Aimed::Click(place, 2)),
        Step::Drag { from, to } => match (place(page, locate, from).await?, place(page, locate, to).await?) {
            (Ok(start), Ok(end)) => Ok(Aimed::Drag(start, end)),
            (Err(problem), _) | (_, Err(problem)) => Err(problem),
        },
        other => Ok(Aimed::Other(other)),
    })
}

pub async fn act(page: &Page, aimed: Aimed<'_>) -> Result<(), WorldError> {
    match aimed {
        Aimed::Click(place, times) => page.click(place, times).await,
        Aimed::Drag(start, end) => page.drag(start, end).await,
        Aimed::Other(step) => match step {
            Step::Press(chord) => page.press(chord).await,
            Step::Type(text) => page.type_text(text).await,
            Step::Paste(text) => page.paste_text(text).await,
            Step::Select(target) => page.press(&target.chord()).await,
            Step::Evaluate(source) => match page.run_block(source).await? {
                Evaluated::Value(_) => Ok(()),
                Evaluated::Threw(message) => {
                    page.add_exception(message);
                    Ok(())
                }
            },
            Step::Resize(size) => page.resize(*size).await,
            // Waiting is what orders are about.
            Step::WaitFor(_) | Step::Click(_) | Step::DoubleClick(_) | Step::Drag { .. } => Ok(()),
        },
    }
}

async fn place(page: &Page, locate: &str, target: &Target) -> Result<Result<Place, String>, WorldError> {
    let (selector, at) = match target {
        Target::Point(Point { x, y }) => return Ok(Ok(Place { x: f64::from(*x), y: f64::from(*y) })),
        Target::Selector(selector) => (selector, Value::Null),
        Target::Inside(Inside { on, x, y }) => (on, json!({ "x": x, "y": y })),
    };
    let found = page.evaluate(&scripts::call(locate, &[json!(selector), at]), page.limit()).await?;
    Ok(match found {
        Evaluated::Threw(message) => Err(message),
        Evaluated::Value(value) => match (value["x"].as_f64(), value["y"].as_f64()) {
            (Some(x), Some(y)) => Ok(Place { x, y }),
            _ => Err(value["problem"].as_str().unwrap_or("its target cannot be found").to_string()),
        },
    })
}
