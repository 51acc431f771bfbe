//! What `page/marks.js` says.

use colobus_browser::scripts;
use colobus_world::{MarkKind, SeenMark, WorldError};
use serde::Deserialize;
use serde_json::Value;

/// The names of elements are cut there.
const LONGEST: usize = 60;

#[derive(Deserialize)]
struct PageMark {
    number: u64,
    became: Became,
    place: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Became {
    Markup,
    Script,
}

pub fn marks(told: Value) -> Result<Vec<SeenMark>, WorldError> {
    let told: Vec<PageMark> = scripts::read("marks", told)?;
    Ok(told.into_iter().map(mark).collect())
}

fn mark(PageMark { number, became, place }: PageMark) -> SeenMark {
    let became = match became {
        Became::Markup => MarkKind::Markup,
        Became::Script => MarkKind::Script,
    };
    SeenMark { number, became, place: place.chars().take(LONGEST).collect() }
}
