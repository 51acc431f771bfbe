//! Parsing that survives any input. Used by everything in this crate that reads JavaScript.
//!
//! oxc descends recursively, so a source of nested brackets would overflow the stack of the calling thread. Parsing and
//! all visits run on a thread of their own whose stack is as large as the source may need.

use std::thread;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use thiserror::Error;

use crate::position::{Position, Positions};

/// Why a source is left as it is.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
pub enum Unparsed {
    /// The browser may know syntax that the parser does not, or report the same error.
    #[error("line {}, column {}: {message}; the script runs as it is and its accesses stay unknown", position.line, position.column)]
    Syntax { message: String, position: Position },
    #[error("nested too deeply; the script runs as it is and its accesses stay unknown")]
    TooDeep,
    #[error("larger than {limit} bytes; the script runs as it is and its accesses stay unknown")]
    TooLarge { limit: usize },
    /// Text that was rewritten before, or a script that uses a name of the runtime.
    #[error("contains the reserved name {name}: rewritten already?")]
    Reserved { name: &'static str },
    #[error("contains every character that can mark inserted text")]
    NoMarker,
    #[error("no memory for a stack of {bytes} bytes to parse with")]
    NoStack { bytes: usize },
    /// A defect of the parser or of this crate.
    #[error("the parser failed: {message}; please report this with the script")]
    Failed { message: String },
}

/// Spans of the parser are 32 bits wide.
const LARGEST: usize = 1 << 30;
const SMALLEST_STACK: usize = 4 << 20;
/// Memory is used only as far as the stack grows.
const LARGEST_STACK: usize = 2 << 30;
/// More than any construct in tests/bad_input.rs needs without optimisation.
const STACK_PER_BRACKET: usize = 8 << 10;
const STACK_PER_TOKEN: usize = 2 << 10;

/// Parses `source` and hands the program to `visit`, both on a stack that is large enough.
pub(crate) fn with_program<T: Send>(
    source: &str,
    source_type: SourceType,
    visit: impl FnOnce(&Program<'_>) -> Result<T, Unparsed> + Send,
) -> Result<T, Unparsed> {
    if source.len() > LARGEST {
        return Err(Unparsed::TooLarge { limit: LARGEST });
    }
    let bytes = SMALLEST_STACK + possible_stack(source);
    if bytes > LARGEST_STACK {
        return Err(Unparsed::TooDeep);
    }
    let parse_and_visit = || {
        let allocator = Allocator::default();
        let options = ParseOptions { preserve_parens: true, ..ParseOptions::default() };
        let parsed = Parser::new(&allocator, source, source_type).with_options(options).parse();
        if let Some(error) = parsed.diagnostics.first() {
            let offset = error.labels.first().map_or(0, |label| label.offset());
            let position = Positions::new(source).of(offset as usize);
            return Err(Unparsed::Syntax { message: error.to_string(), position });
        }
        visit(&parsed.program)
    };
    thread::scope(|scope| {
        let worker =
            thread::Builder::new().name("parser".into()).stack_size(bytes).spawn_scoped(scope, parse_and_visit);
        let Ok(worker) = worker else { return Err(Unparsed::NoStack { bytes }) };
        worker.join().unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).into()));
            Err(Unparsed::Failed { message: message.unwrap_or_default() })
        })
    })
}

/// An upper bound of the stack that a visit of the syntax tree takes, from the tokens since the last separator, summed over
/// the open brackets. Strings and comments are counted like code, so the bound may be too high.
fn possible_stack(source: &str) -> usize {
    let mut open: Vec<usize> = Vec::new();
    let (mut since_separator, mut below, mut largest) = (0, 0, 0);
    let mut in_word = false;
    for byte in source.bytes() {
        let is_word = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
        match byte {
            b'(' | b'[' | b'{' => {
                open.push(since_separator);
                below += since_separator + STACK_PER_BRACKET;
                since_separator = 0;
            }
            b')' | b']' | b'}' => {
                if let Some(outer) = open.pop() {
                    below -= outer + STACK_PER_BRACKET;
                    since_separator = outer + STACK_PER_TOKEN;
                }
            }
            b';' | b',' => since_separator = 0,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ if is_word && in_word => {}
            _ => since_separator += STACK_PER_TOKEN,
        }
        in_word = is_word;
        largest = largest.max(below + since_separator);
    }
    largest
}
