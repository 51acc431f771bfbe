//! JavaScript read and rewritten with oxc. [`rewrite`] makes a program log its reads and writes to the page's runtime
//! ([`runtime`]) without changing what it does; [`constants`] lists the values that it compares with. Sources come from
//! the proxy; the rewritten code goes to the browser, the tables of sites to `colobus race`.
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
mod constants;
mod parse;
mod position;
mod splice;

pub use accesses::{Kind, Options, Rewritten, Site, rewrite};
pub use constants::{Constant, ConstantValue, Function, constants};

pub use parse::Unparsed;
pub use position::{Position, PositionMap};

/// The script that a page must run before any rewritten code: it defines what rewritten code calls.
pub fn runtime() -> String {
    RUNTIME.join("\n")
}

const RUNTIME: [&str; 9] = [
    include_str!("../../../page/accesses/native.js"),
    include_str!("../../../page/accesses/log.js"),
    include_str!("../../../page/accesses/calls.js"),
    include_str!("../../../page/accesses/wrap.js"),
    include_str!("../../../page/accesses/code.js"),
    include_str!("../../../page/accesses/builtins.js"),
    include_str!("../../../page/accesses/nodes.js"),
    include_str!("../../../page/accesses/dom.js"),
    include_str!("../../../page/accesses/handlers.js"),
];
