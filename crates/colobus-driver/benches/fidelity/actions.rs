//! What the script did, and what of it stands in the recording: kind, key, modifiers, place, text, and the kind of element.
//! Whether it is the right element shows when it comes back.

use colobus_record::exchange::{Format, export};
use colobus_record::{Event, Mouse, Point, Recording, unfold};

use crate::alignment::partners;
use crate::table::{Table, part};

const KINDS: [&str; 9] = [
    "mouse buttons",
    "mouse moves with a button",
    "keys",
    "input methods, other text",
    "clipboard",
    "drops and abandoned drags",
    "choices, files, scrolling",
    "dialogs",
    "tabs and navigation",
];

pub fn table(script: &Recording, recording: &Recording) -> Table {
    let events = |recording: &Recording| -> Vec<Event> {
        let lines = unfold(&recording.lines);
        lines.into_iter().map(|line| line.event).filter(|event| !is_secret(event)).collect()
    };
    let (performed, recorded) = (events(script), events(recording));
    let found = partners(&performed, &recorded, says_the_same);
    let mut table = Table::new(&["done by the script", "recorded"]);
    for kind in KINDS {
        let of_kind = || performed.iter().zip(&found).filter(|(event, _)| kind_of(event) == kind);
        table.row([kind.to_string(), part(of_kind().filter(|(_, found)| **found).count(), of_kind().count())]);
    }
    let all = found.iter().filter(|found| **found).count();
    table.row(["all".to_string(), part(all, performed.len())]);
    let lines = recording.lines.len();
    for (format, name) in [
        (Format::Playwright, "a Playwright test"),
        (Format::Recorder, "Chrome's Recorder"),
        (Format::Side, "Selenium IDE"),
    ] {
        let said = lines - export(recording, format, "fidelity").warnings.len();
        table.row([format!("lines of the recording that {name} can say"), part(said, lines)]);
    }
    table
}

/// Letters in secret fields are not recorded, and must not be.
fn is_secret(event: &Event) -> bool {
    match event {
        Event::Secret { .. } => true,
        Event::Down { on, key, .. } | Event::Up { on, key, .. } => {
            let name = on.target().attribute("data-name");
            key.character().is_some() && matches!(name, Some("password" | "hidden"))
        }
        _ => false,
    }
}

fn kind_of(event: &Event) -> &'static str {
    let index = match event {
        Event::Press(..) | Event::Release(..) | Event::Click(..) | Event::DoubleClick(_) => 0,
        Event::Move(_) | Event::Drag { .. } => 1,
        Event::Down { .. } | Event::Up { .. } | Event::Type { .. } | Event::Secret { .. } => 2,
        Event::Compose { .. } | Event::Insert { .. } => 3,
        Event::Clipboard { .. } | Event::Paste { .. } => 4,
        Event::Drop(_) | Event::Abandon | Event::Carry { .. } => 5,
        Event::Choose { .. } | Event::Set { .. } | Event::Files { .. } | Event::Scroll { .. } => 6,
        Event::Dialog { .. } => 7,
        Event::Open(_)
        | Event::Arrive(_)
        | Event::Popup(_)
        | Event::Reload
        | Event::Back
        | Event::Forward
        | Event::Close => 8,
    };
    KINDS[index]
}

fn says_the_same(one: &Event, other: &Event) -> bool {
    let mouse = |one: &Mouse, other: &Mouse| {
        one.on.tag() == other.on.tag() && near(one.at, other.at) && one.button == other.button && one.held == other.held
    };
    match (one, other) {
        (Event::Press(one, count), Event::Press(other, again))
        | (Event::Release(one, count), Event::Release(other, again)) => mouse(one, other) && count == again,
        (Event::Drop(one), Event::Drop(other)) => mouse(one, other),
        (Event::Move(one), Event::Move(other)) => near(*one, *other),
        (Event::Down { on, key, held, again }, Event::Down { on: there, key: same, held: still, again: repeated }) => {
            on.tag() == there.tag() && key == same && held == still && again == repeated
        }
        // It goes up where the focus is by then.
        (Event::Up { key, held, .. }, Event::Up { key: same, held: still, .. }) => key == same && held == still,
        (Event::Compose { on, stages, commit }, Event::Compose { on: there, stages: same, commit: still }) => {
            on.tag() == there.tag() && stages == same && commit == still
        }
        (Event::Insert { on, text }, Event::Insert { on: there, text: same }) => {
            on.tag() == there.tag() && text == same
        }
        (Event::Choose { on, at, values }, Event::Choose { on: there, at: place, values: same }) => {
            on.tag() == there.tag() && near(*at, *place) && values == same
        }
        (Event::Files { on, names }, Event::Files { on: there, names: same }) => {
            on.tag() == there.tag() && names == same
        }
        (Event::Scroll { on, to }, Event::Scroll { on: there, to: same }) => {
            on.tag() == there.tag() && near(*to, *same)
        }
        // The address of a form holds what was typed into it.
        (Event::Arrive(one), Event::Arrive(other)) => other.starts_with(one.as_str()),
        (one, other) => one == other,
    }
}

/// Events have whole pixels, elements need not begin at one.
fn near(one: Point, other: Point) -> bool {
    (one.x - other.x).abs() <= 1.0 && (one.y - other.y).abs() <= 1.0
}
