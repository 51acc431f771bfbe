//! Programs rewritten so that they log their reads and writes. [`rewrite`] takes a source as it comes from a server or a
//! page; [`Rewritten`] is what the page runs, with the table that explains the numbers in its log.
//!
//! Text is only inserted, never replaced, and lines stay where they are. What is inserted calls the runtime in
//! `page/accesses/`, which hands every value through: `o.p` becomes `__c$.r(o,"p",7).p`.
//!
//! Not logged: `super.p`; what a destructuring parameter of an arrow function, a loop or a `catch` takes apart; bindings
//! that are imported from another module; the last links of an optional chain that is called as a whole; bytes that two
//! typed arrays share; whether a promise is settled; a variable that a direct `eval` declares for the function around it, where that
//! function itself uses it. A body of `with`, and code whose text is not rewritten, count as an
//! access of everything. What a page can notice: engines print source text into some messages (`o.p is not a function`),
//! stacks have more frames, and the global object has one more name.

mod around;
mod assignments;
mod chains;
mod functions;
mod library;
mod members;
mod names;
mod patterns;
mod rewriter;
mod semicolons;
mod variables;

pub use library::rewrite_library;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use serde::{Deserialize, Serialize};

use crate::parse::{Unparsed, with_program};
use crate::position::{Position, PositionMap, Positions};
use around::Around;
use rewriter::Rewriter;
use variables::Variables;

/// The name under which rewritten code finds the runtime, and how all names that it declares begin.
pub(crate) const RUNTIME: &str = "__c$";

/// What a source is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind<'a> {
    /// A classic script, or code given to an indirect `eval`: its top-level declarations are globals.
    Script,
    Module,
    /// Code given to a direct `eval`: its names may be those of the functions around it, which the rewritten call names in this text.
    Eval {
        around: &'a str,
    },
    /// The body of a function with these parameters: an event-handler attribute, or code given to `Function`.
    Function {
        parameters: &'a str,
        is_async: bool,
        is_generator: bool,
    },
}

impl Kind<'static> {
    /// The value of an attribute such as `onclick`.
    pub const HANDLER: Self = Kind::Function { parameters: "event", is_async: false, is_generator: false };
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Options {
    /// The number of the first site. Scripts of one page must not share numbers.
    pub first_site: u32,
}

/// A rewritten program.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Rewritten {
    pub code: String,
    /// Site `first_site + n` of the log is `sites[n]`.
    pub sites: Vec<LogSite>,
    pub positions: PositionMap,
}

/// A place in the original source that reads or writes, or that declares a variable.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct LogSite {
    pub position: Position,
    /// The property or variable; empty if it is computed.
    pub name: String,
}

/// Makes `source` log its accesses, or says why it must run as it is. Never panics, whatever the source.
pub fn rewrite(source: &str, kind: Kind<'_>, options: &Options) -> Result<Rewritten, Unparsed> {
    if source.contains(RUNTIME) {
        return Err(Unparsed::Reserved { name: RUNTIME });
    }
    let (parameters, is_async, is_generator) = match kind {
        Kind::Function { parameters, is_async, is_generator } => (parameters, is_async, is_generator),
        _ => {
            let source_type = if kind == Kind::Module { SourceType::mjs() } else { SourceType::script() };
            let around = if let Kind::Eval { around } = kind { Around::read(around) } else { Around::default() };
            return rewrite_part(source, 0..source.len(), source_type, kind == Kind::Script, around, options);
        }
    };
    // A function is parsed as a whole, so that `return` and its parameters are known; its body alone is rewritten.
    let prefix = format!(
        "({}function{}({parameters}\n){{",
        if is_async { "async " } else { "" },
        if is_generator { "*" } else { "" }
    );
    let whole = format!("{prefix}{source}\n}})");
    let part = prefix.len()..prefix.len() + source.len();
    rewrite_part(&whole, part, SourceType::script(), false, Around::default(), options)
}

fn rewrite_part(
    source: &str,
    part: std::ops::Range<usize>,
    source_type: SourceType,
    top_level_is_global: bool,
    around: Around,
    options: &Options,
) -> Result<Rewritten, Unparsed> {
    with_program(source, source_type, |program| {
        let semantic = SemanticBuilder::new().build(program).semantic;
        let variables = Variables::of(program, semantic.scoping(), top_level_is_global, around);
        let rewriter = Rewriter::new(source, semantic.scoping(), variables, options.first_site);
        let (mut insertions, sites) = rewriter.run(program);
        let (code, positions) = insertions.apply(source, part.clone()).ok_or(Unparsed::NoMarker)?;
        Ok(Rewritten { code, sites: locate(&source[part.clone()], part.start, sites), positions })
    })
}

/// Gives sites at byte offsets their positions in `part`, which begins at `start`.
fn locate(part: &str, start: usize, sites: Vec<(u32, String)>) -> Vec<LogSite> {
    let offset = |site: &(u32, String)| (site.0 as usize).saturating_sub(start);
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_key(|&number| offset(&sites[number]));
    let mut positions = Positions::new(part);
    let mut located = vec![Position { line: 1, column: 1 }; sites.len()];
    for number in order {
        located[number] = positions.of(offset(&sites[number]));
    }
    sites.into_iter().zip(located).map(|((_, name), position)| LogSite { position, name }).collect()
}
