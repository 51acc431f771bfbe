//! Texts that try to leave the literal or comment that they are put into, and the shape of a JavaScript file by a real parser.

use std::str::FromStr;

use oxc_allocator::Allocator;
use oxc_ast::{AstKind, AstType};
use oxc_ast_visit::Visit;
use oxc_parser::Parser;
use oxc_span::SourceType;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// What ends strings, templates, comments, statements and files.
const FRAGMENTS: &[&str] = &[
    "\"",
    "'",
    "`",
    "\\",
    "${",
    "}",
    "*/",
    "/*",
    "//",
    "-->",
    "<!--",
    "</script>",
    "]]>",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\0",
    "\u{7}",
    "\u{1b}[2J",
    "\u{7f}",
    "\u{85}",
    "\u{9b}31m",
    "\u{2028}",
    "\u{2029}",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{feff}",
    "\u{fffd}",
    "\u{10ffff}",
    ");",
    "});",
    "\"); process.exit(1); (\"",
    "\nprocess.exit(1);\n",
    "\\u",
    "\\x",
    "\\u{",
    "\\0",
    "\\\n",
    "#!",
    "@",
    "await ",
    "import(\"x\")",
    "a",
    " ",
    "%0A",
    "{doc}",
    "{token}",
    "://",
    "?",
    "#",
];

/// A number of the environment, which `make torture` sets.
fn asked<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// How many hostile strings a test sends through each exporter: a few thousand, or as many as `make torture` asks for.
pub fn count() -> usize {
    asked("COLOBUS_HOSTILE_STRINGS").unwrap_or(4000)
}

/// The same strings every time, others for every block of `make torture`.
fn rng() -> TestRng {
    match asked::<u64>("COLOBUS_FUZZ_SEED") {
        Some(seed) => TestRng::from_seed(RngAlgorithm::ChaCha, &seed.to_le_bytes().repeat(4)),
        None => TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    }
}

pub fn text() -> impl Strategy<Value = String> {
    let fragment = prop_oneof![
        8 => prop::sample::select(FRAGMENTS).prop_map(str::to_string),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(fragment, 1..6).prop_map(|fragments| fragments.concat())
}

/// Runs `test` on lists of this many hostile texts.
pub fn with_texts(per_case: usize, test: impl Fn(Vec<String>) -> Result<(), TestCaseError>) {
    let cases = u32::try_from(count().div_ceil(per_case)).unwrap();
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng());
    runner.run(&prop::collection::vec(text(), per_case), test).unwrap_or_else(|error| panic!("{error}"));
}

/// The kinds of all nodes, and how many comments there are. A template without expressions is a string.
#[derive(Debug, PartialEq, Eq)]
pub struct Shape {
    nodes: Vec<AstType>,
    comments: usize,
}

/// An error if the source is no JavaScript module.
pub fn shape(source: &str) -> Result<Shape, String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::mjs()).parse();
    if let Some(problem) = parsed.diagnostics.first() {
        return Err(format!("{problem}: {source}"));
    }
    let mut kinds = Kinds(Vec::new());
    kinds.visit_program(&parsed.program);
    Ok(Shape { nodes: kinds.0, comments: parsed.program.comments.len() })
}

struct Kinds(Vec<AstType>);

impl<'a> Visit<'a> for Kinds {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::TemplateLiteral(literal) if literal.expressions.is_empty() => self.0.push(AstType::StringLiteral),
            AstKind::TemplateElement(_) => {}
            kind => self.0.push(kind.ty()),
        }
    }
}
