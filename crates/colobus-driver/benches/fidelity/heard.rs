//! [`Log`]: what listeners of the fixture heard, and what of it was heard again with equal type, target, key, modifiers and
//! coordinates in the element.

use serde_json::Value;

use crate::alignment::partners;
use crate::playwright::Theirs;
use crate::table::{Table, part};

/// What rows are called, and the types of events in them.
const KINDS: [(&str, &[&str]); 9] = [
    ("mouse buttons", &["mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu"]),
    ("mouse moves with a button", &["mousemove"]),
    ("keys", &["keydown", "keyup"]),
    ("text", &["beforeinput", "input"]),
    ("input methods", &["compositionstart", "compositionupdate", "compositionend"]),
    ("clipboard", &["copy", "cut", "paste"]),
    ("drag and drop", &["dragstart", "dragenter", "drop", "dragend"]),
    ("fields, forms and dialogs", &["change", "submit", "dialog"]),
    ("tabs and navigation", &["pageshow", "pagehide", "popstate"]),
];
const IN_SHADOWS: [&str; 4] = ["seen", "opened", "hidden", "shadow"];

pub struct Log(Vec<Heard>);

struct Heard {
    kind: String,
    /// Its frame or pop-up, and its name.
    target: (Value, Value),
    key: (Value, Value),
    button: Value,
    held: Value,
    place: Value,
}

impl Log {
    pub fn of(outcome: &Value) -> Log {
        let heard = |entry: &Value| Heard {
            kind: entry["type"].as_str().unwrap_or_default().to_string(),
            target: (entry["from"].clone(), entry["on"].clone()),
            key: (entry["key"].clone(), entry["code"].clone()),
            button: entry["button"].clone(),
            held: entry["held"].clone(),
            place: entry["place"].clone(),
        };
        Log(outcome["log"].as_array().into_iter().flatten().map(heard).collect())
    }

    /// How many of the events that count are heard again, and how many there are.
    fn again(&self, other: &Log, with_places: bool, counts: impl Fn(&Heard) -> bool) -> String {
        let same = |one: &Heard, other: &Heard| one.is_like(other) && (!with_places || one.place == other.place);
        let found = partners(&self.0, &other.0, same);
        let counted = || self.0.iter().zip(&found).filter(|(heard, _)| counts(heard));
        part(counted().filter(|(_, found)| **found).count(), counted().count())
    }

    /// How many come back on the right element, wherever in it.
    pub fn on_target(&self, other: &Log) -> String {
        self.again(other, false, |_| true)
    }
}

impl Heard {
    /// The same, wherever in the element.
    fn is_like(&self, other: &Heard) -> bool {
        let parts = |heard: &Heard| (heard.kind.clone(), heard.target.clone(), heard.key.clone());
        parts(self) == parts(other) && (&self.button, &self.held) == (&other.button, &other.held)
    }
}

pub fn table(performed: &Log, came_back: &Log, theirs: Option<&Theirs>) -> Table {
    let headings = ["heard by listeners", "come back", "with Playwright's recorder, exactly", "– coordinates aside"];
    let mut table = Table::new(&headings);
    let mut row = |name: &str, counts: &dyn Fn(&Heard) -> bool| {
        let theirs = |with_places| match theirs {
            Some(theirs) => performed.again(&theirs.came_back, with_places, counts),
            None => "not installed".to_string(),
        };
        table.row([name.to_string(), performed.again(came_back, true, counts), theirs(true), theirs(false)]);
    };
    for (name, types) in KINDS {
        row(name, &|heard| types.contains(&heard.kind.as_str()));
    }
    row("all", &|_| true);
    row("– in frames", &|heard| heard.target.0 == "frame");
    row("– in pop-ups", &|heard| heard.target.0 == "pop-up");
    row("– in shadow roots, open and closed", &|heard| IN_SHADOWS.iter().any(|name| heard.target.1 == *name));
    table
}
