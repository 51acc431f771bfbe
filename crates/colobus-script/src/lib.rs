//! JavaScript read and rewritten with oxc. [`rewrite`] makes a program log its reads and writes to the page's runtime
//! ([`runtime`]) without changing what it does, [`rewrite_library`] only the calls into it, [`rewrite_document`] the code in a page; [`Log`] is what the runtime hands over, and says which accesses conflict;
//! [`constants`] lists the values that a script compares with; [`SourceMap`] leads from bundles to what developers wrote. Sources come from the proxy; the rewritten code goes to the
//! browser, the tables of sites and the log to `colobus race`.
//!
//! ```
//! use colobus_script::{Kind, Options, rewrite};
//!
//! let rewritten = rewrite("queue.push(\n  image);", Kind::Script, &Options::default()).unwrap();
//! assert_eq!(rewritten.code.lines().count(), 2, "lines never move");
//! let names: Vec<&str> = rewritten.sites.iter().map(|site| site.name.as_str()).collect();
//! assert_eq!(names, ["push", "queue", "image"]);
//! ```

mod accesses;
mod concolic;
mod constants;
mod document;
mod log;
mod parse;
mod position;
mod source_map;
mod splice;

pub use accesses::{Kind, LogSite, Options, Rewritten, rewrite, rewrite_library};
pub use concolic::{HEAD, Instrumented, instrument, instrument_document};
pub use constants::{Constant, ConstantValue, Function, constants};
pub use document::{RewrittenDocument, rewrite_document};
pub use log::{Access, AccessKind, EventLog, Log, ObjectNote, Part, Place};
pub use parse::Unparsed;
pub use position::{Position, PositionMap};
pub use source_map::{BadSourceMap, SourceMap, source_map_address};

/// The script that a page, frame or worker must run before any other code: it keeps the browser's own functions, puts
/// logging ones in their place, and defines what rewritten code calls. The driver then calls `begin`, `end` and `take` of
/// `globalThis[Symbol.for("colobus")].accesses`, and sets its `rewrite(kind, parameters, text)` to have text that the page
/// evaluates rewritten.
pub fn runtime() -> String {
    RUNTIME.join("\n")
}

/// The same for pages of several clients, which say what they touched since they were asked last (`touched`).
pub fn runtime_between_clients() -> String {
    [&RUNTIME[..], &[include_str!("../../../page/accesses/touched.js")]].concat().join("\n")
}

/// The script that a page must run before code that [`instrument`] has rewritten.
pub fn concolic_runtime() -> String {
    CONCOLIC_RUNTIME.join("\n")
}

const CONCOLIC_RUNTIME: [&str; 16] = [
    include_str!("../../../page/concolic/expressions.js"),
    include_str!("../../../page/concolic/values.js"),
    include_str!("../../../page/concolic/captures.js"),
    include_str!("../../../page/concolic/natives.js"),
    include_str!("../../../page/concolic/lists.js"),
    include_str!("../../../page/concolic/lazily.js"),
    include_str!("../../../page/concolic/collections.js"),
    include_str!("../../../page/concolic/elements.js"),
    include_str!("../../../page/concolic/storage.js"),
    include_str!("../../../page/concolic/hooks.js"),
    include_str!("../../../page/concolic/timers.js"),
    include_str!("../../../page/concolic/answers.js"),
    include_str!("../../../page/concolic/keys.js"),
    include_str!("../../../page/concolic/calls.js"),
    include_str!("../../../page/concolic/patterns.js"),
    include_str!("../../../page/concolic/state.js"),
];

const RUNTIME: [&str; 10] = [
    include_str!("../../../page/accesses/native.js"),
    include_str!("../../../page/accesses/log.js"),
    include_str!("../../../page/accesses/calls.js"),
    include_str!("../../../page/accesses/wrap.js"),
    include_str!("../../../page/accesses/code.js"),
    include_str!("../../../page/accesses/builtins.js"),
    include_str!("../../../page/accesses/nodes.js"),
    include_str!("../../../page/accesses/dom.js"),
    include_str!("../../../page/accesses/handlers.js"),
    include_str!("../../../page/accesses/markup.js"),
];
