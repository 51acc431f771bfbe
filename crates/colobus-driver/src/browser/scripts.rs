//! The JavaScript that runs inside the pages, and how the driver calls it. The sources are plain files below `page/`.

use colobus_model::{Application, Ignore};
use serde_json::{Value, json};

const BEFORE_SETTINGS: &str = include_str!("../../../../page/open.js");
const SETTINGS: &str = include_str!("../../../../page/settings.js");
const AFTER_SETTINGS: [&str; 16] = [
    include_str!("../../../../page/document-status.js"),
    include_str!("../../../../page/kept.js"),
    include_str!("../../../../page/native.js"),
    include_str!("../../../../page/wrap-native.js"),
    include_str!("../../../../page/random.js"),
    include_str!("../../../../page/clock.js"),
    include_str!("../../../../page/passing.js"),
    include_str!("../../../../page/settle.js"),
    include_str!("../../../../page/appearance.js"),
    include_str!("../../../../page/neutral-look.js"),
    include_str!("../../../../page/input.js"),
    include_str!("../../../../page/caret.js"),
    include_str!("../../../../page/carets.js"),
    include_str!("../../../../page/canonical-dom.js"),
    include_str!("../../../../page/visible-text.js"),
    include_str!("../../../../page/discover.js"),
];
/// Of these, what makes sense where there is no document.
const IN_WORKERS: [&str; 5] = [
    include_str!("../../../../page/native.js"),
    include_str!("../../../../page/wrap-native.js"),
    include_str!("../../../../page/random.js"),
    include_str!("../../../../page/clock.js"),
    include_str!("../../../../page/settle.js"),
];
const STILL: &str = include_str!("../../../../page/still.css");

/// Who looks at a document, and for which time: what is random differs with it.
#[derive(Clone, Copy, Default)]
pub struct ClientSlot {
    pub client: usize,
    /// How often this client has loaded the document before.
    pub load: u64,
}

/// The script that runs in every document before any other.
pub fn on_new_document(application: &Application, slot: ClientSlot) -> String {
    let mut settings = settings(application, slot, "page".to_string());
    settings["css"] = json!(style(application));
    script(&settings, &AFTER_SETTINGS)
}

/// The script that runs first in the worker with this number.
pub fn in_worker(application: &Application, slot: ClientSlot, number: u64) -> String {
    script(&settings(application, slot, format!("worker{number}")), &IN_WORKERS)
}

fn settings(application: &Application, slot: ClientSlot, place: String) -> Value {
    let deterministic = application.deterministic;
    let ClientSlot { client, load } = slot;
    json!({
        "timersMs": application.settle.timers_ms,
        "random": deterministic.random,
        "clock": deterministic.clock,
        // These decide how the first random numbers begin.
        "seed": deterministic.seed,
        "client": client,
        "load": load,
        "place": place,
    })
}

fn script(settings: &Value, parts: &[&str]) -> String {
    let settings = SETTINGS.replace("SETTINGS", &settings.to_string());
    let mut script = [BEFORE_SETTINGS, &settings].join("\n");
    for part in parts {
        script.push('\n');
        script.push_str(part);
    }
    script
}

fn style(application: &Application) -> String {
    let mut style = String::new();
    if application.freeze_animations {
        style.push_str(STILL);
    }
    for selector in ignored_selectors(application) {
        // Not hidden: a toolbar whose looks do not count can still be clicked.
        style.push_str(&format!(":is({selector}) {{ opacity: 0 !important; }}\n"));
    }
    style.push_str(&application.css);
    style
}

pub fn ignored_selectors(application: &Application) -> Vec<&str> {
    fn selector(ignore: &Ignore) -> Option<&str> {
        match ignore {
            Ignore::Selector(selector) => Some(selector),
            Ignore::Rectangle(_) => None,
        }
    }
    application.ignore.iter().filter_map(selector).collect()
}

/// An expression for something that our scripts left in the page.
pub fn value(name: &str) -> String {
    format!("globalThis[Symbol.for('colobus')].{name}")
}

/// An expression that calls one of our functions in the page.
pub fn call(function: &str, arguments: &[Value]) -> String {
    let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
    format!("globalThis[Symbol.for('colobus')].{function}({})", arguments.join(", "))
}

/// User code as a block of its own, so that the same `const` can be declared every time it runs.
pub fn block(source: &str) -> String {
    format!("{{ {source}\n}}")
}
