//! The JavaScript that runs inside the pages, and how it is called. The sources are plain files below `page/` at the root
//! of the repository.

use std::time::Duration;

use colobus_model::Application;
use colobus_world::WorldError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::policy::{RECORDER_BINDING, SERVICE_WORKER_BINDING};
use crate::storage_state::{StorageState, StoredOrigin};

const BEFORE_SETTINGS: &str = include_str!("../../../page/open.js");
const SETTINGS: &str = include_str!("../../../page/settings.js");
const AFTER_SETTINGS: [&str; 24] = [
    include_str!("../../../page/leftovers.js"),
    include_str!("../../../page/native.js"),
    include_str!("../../../page/wrap-native.js"),
    include_str!("../../../page/random.js"),
    include_str!("../../../page/clock.js"),
    include_str!("../../../page/passing.js"),
    include_str!("../../../page/service-workers.js"),
    include_str!("../../../page/activity.js"),
    include_str!("../../../page/polls.js"),
    include_str!("../../../page/drawing.js"),
    include_str!("../../../page/settle.js"),
    include_str!("../../../page/appearance.js"),
    include_str!("../../../page/neutral-look.js"),
    include_str!("../../../page/names.js"),
    include_str!("../../../page/locators.js"),
    include_str!("../../../page/frame-corner.js"),
    include_str!("../../../page/input.js"),
    include_str!("../../../page/caret.js"),
    include_str!("../../../page/carets.js"),
    include_str!("../../../page/canonical-dom.js"),
    include_str!("../../../page/visible-text.js"),
    include_str!("../../../page/discover.js"),
    include_str!("../../../page/opening.js"),
    include_str!("../../../page/look.js"),
];
/// Of these, what makes sense where there is no document.
const IN_WORKERS: [&str; 7] = [
    include_str!("../../../page/native.js"),
    include_str!("../../../page/wrap-native.js"),
    include_str!("../../../page/random.js"),
    include_str!("../../../page/clock.js"),
    include_str!("../../../page/polls.js"),
    include_str!("../../../page/drawing.js"),
    include_str!("../../../page/settle.js"),
];

/// In every free page.
const IN_FREE_PAGES: [&str; 6] = [
    include_str!("../../../page/native.js"),
    include_str!("../../../page/wrap-native.js"),
    include_str!("../../../page/names.js"),
    include_str!("../../../page/element.js"),
    include_str!("../../../page/frame-corner.js"),
    include_str!("../../../page/canonical-dom.js"),
];
const TO_RECORD: [&str; 1] = [include_str!("../../../page/recorder.js")];
const TO_PLAY: [&str; 4] = [
    include_str!("../../../page/drawing.js"),
    include_str!("../../../page/settle.js"),
    include_str!("../../../page/player.js"),
    include_str!("../../../page/glance.js"),
];
const TO_EXPLORE: [&str; 3] = [
    include_str!("../../../page/listeners.js"),
    include_str!("../../../page/offers.js"),
    include_str!("../../../page/marks.js"),
];
/// In pages whose events are released one by one.
const IN_RACED_PAGES: [&str; 13] = [
    include_str!("../../../page/native.js"),
    include_str!("../../../page/wrap-native.js"),
    include_str!("../../../page/clock.js"),
    include_str!("../../../page/names.js"),
    include_str!("../../../page/locators.js"),
    include_str!("../../../page/frame-corner.js"),
    include_str!("../../../page/input.js"),
    include_str!("../../../page/canonical-dom.js"),
    include_str!("../../../page/race/held-events.js"),
    include_str!("../../../page/race/channels.js"),
    include_str!("../../../page/race/ports.js"),
    include_str!("../../../page/race/chance.js"),
    include_str!("../../../page/race/rewriting.js"),
];
/// In pages on which a finding is confirmed: they run as their users have them.
const IN_PLAIN_PAGES: [&str; 11] = [
    include_str!("../../../page/native.js"),
    include_str!("../../../page/wrap-native.js"),
    include_str!("../../../page/drawing.js"),
    include_str!("../../../page/race/timed-channels.js"),
    include_str!("../../../page/race/channels.js"),
    include_str!("../../../page/race/ports.js"),
    include_str!("../../../page/names.js"),
    include_str!("../../../page/locators.js"),
    include_str!("../../../page/frame-corner.js"),
    include_str!("../../../page/input.js"),
    include_str!("../../../page/canonical-dom.js"),
];
/// In throw-away pages whose code is instrumented.
const IN_INSTRUMENTED_PAGES: [&str; 6] = [
    include_str!("../../../page/native.js"),
    include_str!("../../../page/wrap-native.js"),
    include_str!("../../../page/names.js"),
    include_str!("../../../page/element.js"),
    include_str!("../../../page/listeners.js"),
    include_str!("../../../page/offers.js"),
];
/// Comes after the runtime of instrumented code.
const INSTRUMENTED_EVENTS: &str = include_str!("../../../page/concolic/events.js");
/// Called on the element of a frame: the paths to it.
pub const OWN_PATHS: &str = include_str!("../../../page/own-paths.js");
/// Called on the element of a frame: where the frame's window begins in the window around it.
pub(crate) const OWN_CORNER: &str = include_str!("../../../page/own-corner.js");
/// What a page has to know to say whether something is still going on in it.
#[derive(Clone, Copy, Debug)]
pub struct PageLimits {
    /// How long a page waits for its requests and opening sockets before it leaves them to the proxy.
    pub request_ms: u64,
    /// Callbacks that have set new ones this often are background.
    pub chain: u32,
    /// How long the browser may take to draw a frame.
    pub frame_ms: u64,
    /// How long an element may stay hidden before the player's mouse tries to open what it is in.
    pub hidden_ms: u64,
}

impl PageLimits {
    fn to_json(self) -> Value {
        let PageLimits { request_ms, chain, frame_ms, hidden_ms } = self;
        json!({ "requestMs": request_ms, "chain": chain, "frameMs": frame_ms, "hiddenMs": hidden_ms })
    }
}

/// What a page has to know whose events are released one by one.
#[derive(Clone, Copy, Debug)]
pub struct RaceLimits {
    /// How long a server whose connection is open may take to say more.
    pub listen_ms: u64,
    /// How long a server that has just said something counts as saying more.
    pub silence_ms: u64,
    /// How long a script that has come may take to run.
    pub script_ms: u64,
    /// How long the browser may take to draw twice.
    pub frame_ms: u64,
}

impl RaceLimits {
    fn to_json(self) -> Value {
        let RaceLimits { listen_ms, silence_ms, script_ms, frame_ms } = self;
        json!({ "listenMs": listen_ms, "silenceMs": silence_ms, "scriptMs": script_ms, "frameMs": frame_ms })
    }
}

/// Who looks at a document, and for which time: what is random differs with it.
#[derive(Clone, Copy, Default)]
pub struct ClientSlot {
    pub client: usize,
    /// How often this client has loaded the document before.
    pub load: u64,
}

/// What free pages are for.
pub struct FreePageOptions<'a> {
    /// Selects fields whose content is never told.
    pub redact: &'a [String],
    /// Whether the recorder tells what is typed into secret fields, so that it can be removed from recorded traffic.
    pub hides: bool,
    pub record: bool,
    pub play: bool,
    /// Whether the page says what a user can do in it.
    pub explore: bool,
    /// How soon a callback has to be due to be waited for.
    pub timers: Duration,
    pub limits: PageLimits,
}

/// The script of free pages: what the recorder and the player need.
pub fn in_free_page(options: &FreePageOptions) -> String {
    let FreePageOptions { redact, hides, record, play, explore, timers, limits } = *options;
    let timers = u64::try_from(timers.as_millis()).unwrap_or(u64::MAX);
    let settings = json!({
        "binding": RECORDER_BINDING, "redact": redact, "hides": hides, "timersMs": timers, "limits": limits.to_json(),
    });
    let mut parts = IN_FREE_PAGES.to_vec();
    if record {
        parts.extend(TO_RECORD);
    }
    if play {
        parts.extend(TO_PLAY);
    }
    if explore {
        parts.extend(TO_EXPLORE);
    }
    script(&settings, &parts)
}

/// The script of pages whose code is instrumented; `runtime` is what that code calls.
pub fn in_instrumented_page(runtime: &str) -> String {
    let mut parts = IN_INSTRUMENTED_PAGES.to_vec();
    parts.extend([runtime, INSTRUMENTED_EVENTS]);
    script(&json!({}), &parts)
}

/// The script that runs in every document of a held page before any other. `login` has what local storage begins with,
/// `logging` the runtime of rewritten code, which comes last, as in raced pages.
pub fn in_held_page(
    application: &Application,
    slot: ClientSlot,
    limits: PageLimits,
    (login, logging): (Option<&StorageState>, Option<&str>),
) -> String {
    let mut settings = settings(application, slot, "page".to_string(), limits);
    settings["css"] = json!(application.style());
    settings["binding"] = json!(SERVICE_WORKER_BINDING);
    settings["localStorage"] = login.map(local_storage).unwrap_or_default();
    let mut parts = AFTER_SETTINGS.to_vec();
    parts.extend(logging);
    script(&settings, &parts)
}

/// Names and values by origin.
fn local_storage(login: &StorageState) -> Value {
    let items =
        |origin: &StoredOrigin| origin.local_storage.iter().map(|item| json!([item.name, item.value])).collect();
    let origins = login.origins.iter().map(|origin| (origin.origin.clone(), items(origin)));
    Value::Object(origins.collect())
}

/// The script that runs first in the web worker with this number.
pub fn in_worker(application: &Application, slot: ClientSlot, number: u64, limits: PageLimits) -> String {
    script(&settings(application, slot, format!("worker{number}"), limits), &IN_WORKERS)
}

/// What a page is told whose events are released one by one.
pub struct Raced<'a> {
    pub seed: u64,
    /// The name of the first event.
    pub event: &'a str,
    /// The address of a picture that `load` waits for.
    pub sentinel: &'a str,
    /// The address that rewrites code.
    pub rewriting: &'a str,
    /// What sockets and streams brought when the page was recorded; none while it is.
    pub messages: Option<Value>,
    pub limits: RaceLimits,
    /// The runtime of rewritten code. It comes last, so that it sees what is put in place here as the browser's own.
    pub logging: Option<&'a str>,
}

/// The script of such pages.
pub fn in_raced_page(raced: Raced<'_>) -> String {
    let Raced { seed, event, sentinel, rewriting, messages, limits, logging } = raced;
    let settings = json!({
        "clock": true, "load": 0, "random": false, "seed": seed, "event": event, "sentinel": sentinel,
        "rewriting": rewriting, "messages": messages, "limits": limits.to_json(),
    });
    let mut parts = IN_RACED_PAGES.to_vec();
    parts.extend(logging);
    script(&settings, &parts)
}

/// The script of pages with their own clock, random numbers and code: only what is needed to act and look.
/// What sockets and streams bring is `messages`, each so much later as `delays` says by the name of its event.
pub fn in_plain_page(messages: &Value, delays: &Value, limits: PageLimits) -> String {
    script(&json!({ "messages": messages, "delays": delays, "limits": limits.to_json() }), &IN_PLAIN_PAGES)
}

fn settings(application: &Application, slot: ClientSlot, place: String, limits: PageLimits) -> Value {
    let deterministic = application.deterministic;
    let ClientSlot { client, load } = slot;
    json!({
        "timersMs": application.settle.timers_ms,
        "limits": limits.to_json(),
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

/// An expression for something that our scripts left in the page.
pub fn value(name: &str) -> String {
    format!("globalThis[Symbol.for('colobus')].{name}")
}

/// An expression that calls one of our functions in the page.
pub fn call(function: &str, arguments: &[Value]) -> String {
    let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
    format!("globalThis[Symbol.for('colobus')].{function}({})", arguments.join(", "))
}

/// What a function of [`call`] answered, as the type that both sides agreed on.
pub fn read<T: DeserializeOwned>(function: &str, answer: Value) -> Result<T, WorldError> {
    serde_json::from_value(answer).map_err(|error| {
        WorldError::Interrupted(format!(
            "what {function} answered in the page cannot be read: {error}; please report this"
        ))
    })
}

/// User code as a block of its own, so that the same `const` can be declared every time it runs.
pub fn block(source: &str) -> String {
    format!("{{ {source}\n}}")
}
