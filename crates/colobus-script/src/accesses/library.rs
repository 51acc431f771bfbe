//! Libraries: scripts that are not looked into. Every call into a library reads and writes one place, the library as a whole. What
//! it does to the document, to storage and with the language's own functions is logged by the runtime, and so are the globals
//! that it makes; what it reads and writes of other objects is not. `colobus race` rewrites those scripts so that its user calls libraries.
//!
//! A function that can be suspended logs before each of its statements: another event may run what follows an `await`.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping, SemanticBuilder};
use oxc_span::{GetSpan, SourceType, Span};

use super::functions::declarations;
use super::{Kind, Options, RUNTIME, Rewritten, locate};
use crate::parse::{Unparsed, with_program};
use crate::splice::Insertions;

/// Makes the library of this name log the calls into it. It is a classic script unless it is a module.
pub fn rewrite_library(source: &str, kind: Kind<'_>, name: &str, options: &Options) -> Result<Rewritten, Unparsed> {
    if source.contains(RUNTIME) {
        return Err(Unparsed::Reserved { name: RUNTIME });
    }
    let is_module = kind == Kind::Module;
    let source_type = if is_module { SourceType::mjs() } else { SourceType::script() };
    with_program(source, source_type, |program| {
        let semantic = SemanticBuilder::new().build(program).semantic;
        let mut library = Library {
            scoping: semantic.scoping(),
            name: serde_json::Value::from(name).to_string(),
            is_module,
            insertions: Insertions::default(),
            first_site: options.first_site,
            sites: Vec::new(),
            suspends: vec![is_module],
        };
        library.visit_program(program);
        let Library { mut insertions, sites, .. } = library;
        let (code, positions) = insertions.apply(source, 0..source.len()).ok_or(Unparsed::NoMarker)?;
        Ok(Rewritten { code, sites: locate(source, 0, sites), positions })
    })
}

struct Library<'s> {
    scoping: &'s Scoping,
    /// As a literal.
    name: String,
    is_module: bool,
    insertions: Insertions,
    first_site: u32,
    sites: Vec<(u32, String)>,
    /// For each function around the visited node, whether other events can come between its statements.
    suspends: Vec<bool>,
}

impl<'a> Library<'_> {
    fn site(&mut self, at: Span, name: &str) -> u32 {
        self.sites.push((at.start, name.to_string()));
        self.first_site + self.sites.len() as u32 - 1
    }

    /// A statement that logs a call.
    fn called(&mut self, at: Span) -> String {
        let site = self.site(at, "");
        format!("__c$.L({},{site});", self.name)
    }

    /// The names that a classic script declares for all others.
    fn globals(&mut self) -> String {
        let scoping = self.scoping;
        let is_global = |symbol: &oxc_syntax::symbol::SymbolId| {
            !self.is_module && scoping.symbol_scope_id(*symbol) == scoping.root_scope_id()
        };
        let symbols: Vec<_> = scoping.symbol_ids().filter(is_global).collect();
        let declared = symbols.into_iter().map(|symbol| {
            let name = scoping.symbol_name(symbol);
            (name, self.site(scoping.symbol_span(symbol), name))
        });
        declarations(declared)
    }

    fn body(&mut self, at: Span, body: &FunctionBody<'a>, suspends: bool) {
        // One that can be suspended logs before each statement, also before the first.
        if let (Some(first), false) = (body.statements.first(), suspends) {
            let called = self.called(at);
            self.insertions.add(first.span().start, called);
        }
        self.suspends.push(suspends);
        self.visit_statements(&body.statements);
        self.suspends.pop();
    }
}

impl<'a> Visit<'a> for Library<'_> {
    fn visit_program(&mut self, it: &Program<'a>) {
        if let Some(first) = it.body.first() {
            let start = self.called(it.span) + &self.globals();
            self.insertions.add(first.span().start, start);
        }
        walk::walk_program(self, it);
    }

    fn visit_statements(&mut self, it: &oxc_allocator::Vec<'a, Statement<'a>>) {
        for statement in it {
            if self.suspends.last() == Some(&true) {
                let called = self.called(statement.span());
                self.insertions.add(statement.span().start, called);
            }
            self.visit_statement(statement);
        }
    }

    fn visit_function(&mut self, it: &Function<'a>, _: ScopeFlags) {
        self.visit_formal_parameters(&it.params);
        if let Some(body) = &it.body {
            self.body(it.span, body, it.r#async || it.generator);
        }
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.visit_formal_parameters(&it.params);
        match &it.body {
            ArrowFunctionBody::FunctionBody(body) => self.body(it.span, body, it.r#async),
            body => {
                let called = self.called(it.span);
                self.insertions.add(body.span().start, format!("{{{called}return("));
                self.suspends.push(false);
                self.visit_arrow_function_body(body);
                self.suspends.pop();
                self.insertions.add(body.span().end, ")}");
            }
        }
    }

    /// Fields and static blocks run in functions of their own.
    fn visit_class_body(&mut self, it: &ClassBody<'a>) {
        self.suspends.push(false);
        walk::walk_class_body(self, it);
        self.suspends.pop();
    }

    /// As in other scripts: what is inside would be looked up in the object.
    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        let site = self.site(it.span, "");
        self.insertions.add(it.object.span().start, "__c$.o((");
        self.visit_expression(&it.object);
        self.insertions.add(it.object.span().end, format!("),{site})"));
    }
}
