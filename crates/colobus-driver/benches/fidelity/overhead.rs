//! What the recorder costs in the page: by its own clock, and as the page sees it with and without the recorder. The page is
//! isolated from others, so that its clock has steps of microseconds.

use colobus_record::{Event, Recording};
use serde_json::Value;

use crate::server::Server;
use crate::session::{perform, replay, widgets};
use crate::table::Table;

const COSTS: &str = "globalThis[Symbol.for('colobus')].recorder.costs()";
const GAPS: &str = "gaps";
/// Sessions with and without the recorder, in turn.
const ROUNDS: usize = 3;

pub fn table() -> Table {
    let server = Server::start();
    let script = isolated(&server.url(""));
    let (mut own, mut with, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let both = perform(&script, &format!("({{ costs: {COSTS}, gaps: {GAPS} }})")).ends.swap_remove(0).0;
        own.extend(numbers(&both["costs"]));
        with.extend(numbers(&both["gaps"]));
        let origin = server.url("");
        without.extend(numbers(&replay(&script, (&origin, &origin), GAPS, false).ends.swap_remove(0).0));
    }
    let mut table = Table::new(&["the recorder's overhead", "events", "median", "95 of 100", "aim"]);
    let mut row = |name: &str, mut values: Vec<f64>, aim: &str| {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((values.len() as f64 * share) as usize).copied().unwrap_or_default();
        let milliseconds = |value: f64| format!("{value:.3} ms");
        let count = values.len().to_string();
        table.row([name.to_string(), count, milliseconds(at(0.5)), milliseconds(at(0.95)), aim.to_string()]);
    };
    row("its own time for an event", own, "< 1 ms");
    row("until the page hears of an event, with it", with, "");
    row("– without it", without, "");
    table
}

/// The script in a page that is cut off from others, as far as it needs no others.
fn isolated(origin: &str) -> Recording {
    let mut script = widgets(origin);
    let first_frame =
        script.lines.iter().position(|line| line.event.element().is_some_and(|on| on.by_document().len() > 1));
    script.lines.truncate(first_frame.unwrap_or(script.lines.len()));
    script.lines[0].event = Event::Open(format!("{origin}/widgets?isolated"));
    script
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}
