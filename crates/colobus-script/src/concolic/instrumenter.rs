//! The visit of a program that decides what is edited where. Made by `instrument`; the rules of expressions, statements and
//! functions are in files of their own beside this one.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping};
use oxc_span::{GetSpan, Span};

use super::bindings::{Binding, Bindings};
use super::edits::Edits;
use super::patterns::Hidden;
use super::read_back::read_back;

pub(super) struct Instrumenter<'s> {
    pub source: &'s str,
    pub scoping: &'s Scoping,
    pub bindings: Bindings,
    pub edits: Edits,
    first_site: u32,
    sites: Vec<(u32, String)>,
    /// Whether the code around the visited node is strict, function by function.
    pub strict: Vec<bool>,
    /// Numbers of switch statements, whose values need names.
    pub switches: usize,
    /// Parameters of functions whose parameters are visited.
    pub hidden: Vec<Hidden>,
    /// Whether the next statement is the first one of a branch.
    pub is_head: bool,
}

impl<'s> Instrumenter<'s> {
    pub fn new(
        source: &'s str,
        scoping: &'s Scoping,
        program: &Program<'_>,
        top_level_is_global: bool,
        first_site: u32,
    ) -> Self {
        Instrumenter {
            source,
            scoping,
            bindings: Bindings::of(program, scoping, top_level_is_global),
            edits: Edits::default(),
            first_site,
            sites: Vec::new(),
            strict: vec![scoping.root_scope_flags().is_strict_mode()],
            switches: 0,
            hidden: Vec::new(),
            is_head: false,
        }
    }

    pub fn run(mut self, program: &Program<'_>) -> (Edits, Vec<(u32, String)>) {
        self.visit_program(program);
        (self.edits, self.sites)
    }

    /// A new site; returns its number.
    pub fn site(&mut self, at: Span, name: &str) -> u32 {
        self.sites.push((at.start, name.to_string()));
        self.first_site + self.sites.len() as u32 - 1
    }

    pub fn insert(&mut self, offset: u32, text: impl Into<String>) {
        self.edits.insert(offset, text);
    }

    pub fn replace(&mut self, start: u32, end: u32, text: &str) {
        self.edits.replace(self.source, start, end, text);
    }

    pub fn text(&self, span: Span) -> &'s str {
        &self.source[span.start as usize..span.end as usize]
    }

    pub fn is_strict(&self) -> bool {
        self.strict.last().copied().unwrap_or(false)
    }

    pub fn binding(&self, name: &IdentifierReference<'_>) -> Binding {
        let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        if let Some(hidden) = self.hidden.iter().rev().find(|hidden| Some(hidden.symbol) == symbol) {
            let is_here = hidden.depth == self.strict.len();
            return hidden.argument.filter(|_| is_here).map_or(Binding::Unfollowed, Binding::Argument);
        }
        self.bindings.of_reference(self.scoping, name)
    }

    /// Whether a name has a declaration in this program.
    pub fn is_declared(&self, name: &IdentifierReference<'_>) -> bool {
        name.reference_id.get().is_some_and(|id| self.scoping.get_reference(id).symbol_id().is_some())
    }

    pub fn declared(&self, name: &BindingIdentifier<'_>) -> Binding {
        name.symbol_id.get().map_or(Binding::Unfollowed, |symbol| self.bindings.of_symbol(symbol))
    }
}

impl<'a> Visit<'a> for Instrumenter<'_> {
    fn visit_program(&mut self, it: &Program<'a>) {
        if let Some(first) = it.body.first() {
            let registrations = self.registrations(it.scope_id.get());
            self.insert(first.span().start, format!("{}{registrations}", read_back(it)));
        }
        self.statements(&it.body);
    }

    /// Where nothing says otherwise, a symbolic value is lost.
    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.lose(it);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        if it.computed {
            walk::walk_property_key(self, &it.key);
        }
        if it.shorthand {
            let name = self.text(it.key.span());
            self.insert(it.span.start, format!("{name}:"));
        }
        self.visit_expression(&it.value);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.declarator(it);
    }

    fn visit_function(&mut self, it: &Function<'a>, _: ScopeFlags) {
        self.function(it);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.arrow(it);
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        self.statements(&it.body);
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        self.statement(it);
    }

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        self.block(it);
    }
}
