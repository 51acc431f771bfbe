//! Programs rewritten so that they compute symbolic values beside the concrete ones. [`instrument`] takes a source as it
//! comes from a server; the result runs in a throw-away page with the runtime of `page/concolic/`, for `colobus reach`.
//!
//! Values stay what they are. Every expression leaves what is known of its value symbolically in a register, its consumer
//! takes it from there as an argument of its own: `a + b` becomes `__k$.b("+",a,t(),b,t())`. A symbolic value belongs to one
//! concrete value and is dropped when the two no longer fit, so that code which is not rewritten can lose one, and cannot make a
//! wrong one. Variables have a second one beside them, `__k$x` for `x`. Variables that outlive a call are registered, so that
//! the page's state can be listed and set.
//!
//! Not followed: private fields, `super`, tagged templates, code given to `eval`, what patterns assign to properties, optional
//! chains that wait. Values that end there are noted as lost.

mod bindings;
mod chains;
mod document;
mod edits;
mod expressions;
mod functions;
mod instrumenter;
mod literals;
mod patterns;
mod read_back;
mod statements;

use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use crate::accesses::{Kind, LogSite, Options};
use crate::parse::{Unparsed, with_program};
use crate::position::{Position, Positions};
pub use document::instrument_document;
use instrumenter::Instrumenter;

/// The name under which instrumented code finds its runtime, and how all names that it declares begin.
const RUNTIME: &str = "__k$";

/// The name of a site at the first statement of a branch or function. Other statements have no name.
pub const HEAD: &str = "{";

/// A program that computes symbolic values.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Instrumented {
    pub code: String,
    /// Site `first_site + n` of the runtime's log is `sites[n]`: a statement, or the name of what is lost there.
    pub sites: Vec<LogSite>,
}

/// Makes `source` compute symbolic values, or says why it must run as it is. Never panics, whatever the source.
pub fn instrument(source: &str, kind: Kind<'_>, options: &Options) -> Result<Instrumented, Unparsed> {
    if source.contains(RUNTIME) {
        return Err(Unparsed::Reserved { name: RUNTIME });
    }
    let (prefix, suffix) = match kind {
        // A function is parsed as a whole, so that `return` and its parameters are known.
        Kind::Function { parameters, .. } => (format!("(function({parameters}\n){{"), "\n})"),
        _ => (String::new(), ""),
    };
    let source_type = if kind == Kind::Module { SourceType::mjs() } else { SourceType::script() };
    let whole = format!("{prefix}{source}{suffix}");
    let part = prefix.len()..prefix.len() + source.len();
    with_program(&whole, source_type, |program| {
        let semantic = SemanticBuilder::new().build(program).semantic;
        let is_script = kind == Kind::Script;
        let instrumenter = Instrumenter::new(&whole, semantic.scoping(), program, is_script, options.first_site);
        let (mut edits, sites) = instrumenter.run(program);
        let code = edits.apply(&whole, part.clone());
        Ok(Instrumented { code, sites: locate(source, part.start, sites) })
    })
}

fn locate(source: &str, start: usize, sites: Vec<(u32, String)>) -> Vec<LogSite> {
    let offset = |site: &(u32, String)| (site.0 as usize).saturating_sub(start);
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_key(|&number| offset(&sites[number]));
    let mut positions = Positions::new(source);
    let mut located = vec![Position { line: 1, column: 1 }; sites.len()];
    for number in order {
        located[number] = positions.of(offset(&sites[number]).min(source.len()));
    }
    sites.into_iter().zip(located).map(|((_, name), position)| LogSite { position, name }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_never_move() {
        let source = "let a = 1\nfunction f(x) {\n  if (x +\n 1 > a) a = `x\n${x}`\n  else a++\n}\nf(a)";
        let rewritten = instrument(source, Kind::Script, &Options::default()).unwrap();
        assert_eq!(rewritten.code.lines().count(), source.lines().count(), "{}", rewritten.code);
        let lines: Vec<u32> = rewritten.sites.iter().map(|site| site.position.line).collect();
        assert!([1, 3, 4, 6, 8].iter().all(|line| lines.contains(line)), "{lines:?}");
    }

    #[test]
    fn whatever_cannot_be_parsed_is_refused() {
        assert!(instrument("let = = 1", Kind::Script, &Options::default()).is_err());
        assert!(instrument("__k$.v", Kind::Script, &Options::default()).is_err());
    }
}
