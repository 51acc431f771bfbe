//! What `page/marks.js` says. It comes from a page: whatever does not fit is left out.

use colobus_world::{MarkKind, SeenMark};
use serde_json::Value;

/// The names of elements are cut there.
const LONGEST: usize = 60;

pub fn marks(told: &Value) -> Vec<SeenMark> {
    told.as_array().into_iter().flatten().filter_map(mark).collect()
}

fn mark(told: &Value) -> Option<SeenMark> {
    let became = match told["became"].as_str()? {
        "markup" => MarkKind::Markup,
        "script" => MarkKind::Script,
        _ => return None,
    };
    let place = told["place"].as_str()?.chars().take(LONGEST).collect();
    Some(SeenMark { number: told["number"].as_u64()?, became, place })
}
