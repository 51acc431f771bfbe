//! The JavaScript that runs in every document of a [`super::Windows`].

use serde_json::json;

use super::WindowOptions;

/// The name under which the recorder finds the way back to us; it removes it before any page code runs.
pub const BINDING: &str = "__colobusTell";

const OPEN: &str = include_str!("../../../../../page/open.js");
const SETTINGS: &str = include_str!("../../../../../page/settings.js");
const ALWAYS: [&str; 4] = [
    include_str!("../../../../../page/native.js"),
    include_str!("../../../../../page/wrap-native.js"),
    include_str!("../../../../../page/element.js"),
    include_str!("../../../../../page/canonical-dom.js"),
];
const RECORD: [&str; 1] = [include_str!("../../../../../page/recorder.js")];
const PLAY: [&str; 3] = [
    include_str!("../../../../../page/settle.js"),
    include_str!("../../../../../page/player.js"),
    include_str!("../../../../../page/glance.js"),
];
/// Called on a frame element: the paths to it.
pub const OWN_PATHS: &str = include_str!("../../../../../page/own-paths.js");

pub fn on_new_document(options: &WindowOptions) -> String {
    let settings = json!({ "binding": BINDING, "redact": options.redact, "timersMs": 100,
        "hides": options.traffic.is_some() });
    let settings = SETTINGS.replace("SETTINGS", &settings.to_string());
    let mut parts = vec![OPEN, &settings];
    parts.extend(ALWAYS);
    if options.record {
        parts.extend(RECORD);
    }
    if options.play {
        parts.extend(PLAY);
    }
    parts.join("\n")
}
