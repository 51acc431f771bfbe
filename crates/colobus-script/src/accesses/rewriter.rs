//! The visit of a program that decides what is inserted where. Made by `rewrite`; each construct's rules are in a file of
//! their own beside this one.

use std::collections::HashMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping};
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolId;

use super::members::Use;
use super::variables::{Variable, Variables};
use crate::splice::Insertions;

/// How a place is touched. The runtime's `log.js` lists the same numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Touch {
    Write = 2,
    /// A read and a write.
    Update = 3,
    /// An update whose result is not used, such as `n++;` or `n += 2;`: several of them commute.
    Add = 4,
    /// A write that happens only if the place is empty, such as `x = x || {}`.
    Initialise = 5,
}

pub(crate) struct Rewriter<'s> {
    pub(super) source: &'s str,
    pub(super) scoping: &'s Scoping,
    pub(super) variables: Variables,
    insertions: Insertions,
    first_site: u32,
    sites: Vec<(u32, String)>,
    /// The sites that stand for declarations of variables.
    declarations: HashMap<SymbolId, u32>,
    /// The expression whose value is thrown away, while it is visited.
    pub(super) unused: Option<Span>,
    /// Whether code outside of functions is strict, and for each function around the visited node, whether it is.
    pub(super) strict: Vec<bool>,
}

impl<'s> Rewriter<'s> {
    pub(crate) fn new(source: &'s str, scoping: &'s Scoping, variables: Variables, first_site: u32) -> Self {
        Rewriter {
            source,
            scoping,
            strict: vec![scoping.root_scope_flags().is_strict_mode() || variables.around.is_strict],
            variables,
            insertions: Insertions::default(),
            first_site,
            sites: Vec::new(),
            declarations: HashMap::new(),
            unused: None,
        }
    }

    /// What is to be inserted, and the offsets and names of the sites.
    pub(crate) fn run(mut self, program: &Program<'_>) -> (Insertions, Vec<(u32, String)>) {
        self.visit_program(program);
        (self.insertions, self.sites)
    }

    pub(super) fn insert(&mut self, offset: u32, text: impl Into<String>) {
        self.insertions.add(offset, text);
    }

    /// A new site; returns its number.
    pub(super) fn site(&mut self, at: Span, name: &str) -> u32 {
        self.sites.push((at.start, name.to_string()));
        self.first_site + self.sites.len() as u32 - 1
    }

    /// The site that stands for the declaration of a variable.
    pub(super) fn declaration(&mut self, symbol: SymbolId) -> u32 {
        if let Some(&site) = self.declarations.get(&symbol) {
            return site;
        }
        let scoping = self.scoping;
        let site = self.site(scoping.symbol_span(symbol), scoping.symbol_name(symbol));
        self.declarations.insert(symbol, site);
        site
    }

    pub(super) fn text(&self, span: Span) -> &'s str {
        &self.source[span.start as usize..span.end as usize]
    }

    pub(super) fn is_strict(&self) -> bool {
        self.strict.last().copied().unwrap_or(false)
    }

    /// Inserts `before` and `after` around what `visit` visits.
    pub(super) fn around(&mut self, span: Span, before: String, visit: impl FnOnce(&mut Self), after: String) {
        self.insert(span.start, before);
        visit(self);
        self.insert(span.end, after);
    }
}

impl<'a> Visit<'a> for Rewriter<'_> {
    fn visit_program(&mut self, it: &Program<'a>) {
        self.declare_globals(it);
        walk::walk_program(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.read_name(it);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        self.static_member(it, Use::Read);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        self.computed_member(it, Use::Read);
    }

    fn visit_private_field_expression(&mut self, it: &PrivateFieldExpression<'a>) {
        self.private_member(it, Use::Read);
    }

    fn visit_private_in_expression(&mut self, it: &PrivateInExpression<'a>) {
        let name = format!("#{}", it.left.name);
        let site = self.site(it.span, &name);
        let visit = |this: &mut Self| this.visit_expression(&it.right);
        self.around(it.right.span(), "__c$.r(".into(), visit, format!(",{name:?},{site})"));
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        self.visit_expression(&it.left);
        if it.operator == BinaryOperator::In {
            self.in_operator(it);
        } else {
            self.visit_expression(&it.right);
        }
    }

    fn visit_chain_expression(&mut self, it: &ChainExpression<'a>) {
        self.chain(it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.call(it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.construct(it);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.tagged_template(it);
    }

    fn visit_template_literal(&mut self, it: &TemplateLiteral<'a>) {
        self.visit_expressions(&it.expressions);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        match it.operator {
            UnaryOperator::Typeof => self.type_of(it),
            UnaryOperator::Delete => self.delete(it),
            _ => walk::walk_unary_expression(self, it),
        }
    }

    fn visit_update_expression(&mut self, it: &UpdateExpression<'a>) {
        self.update(it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.assignment(it);
    }

    fn visit_simple_assignment_target(&mut self, it: &SimpleAssignmentTarget<'a>) {
        self.target(it, Touch::Write);
    }

    fn visit_assignment_target_property_identifier(&mut self, it: &AssignmentTargetPropertyIdentifier<'a>) {
        if let Some(init) = &it.init {
            self.visit_expression(init);
        }
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.declarator(it);
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.visit_for_statement_left(&it.left);
        self.iterated(&it.right, &it.left);
        self.visit_statement(&it.body);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.visit_for_statement_left(&it.left);
        self.iterated(&it.right, &it.left);
        self.visit_statement(&it.body);
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        if let Some(init) = &it.init {
            self.visit_for_statement_init(init);
        }
        if let Some(test) = &it.test {
            self.visit_expression(test);
        }
        if let Some(update) = &it.update {
            self.unused = Some(update.span());
            self.visit_expression(update);
        }
        self.visit_statement(&it.body);
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        // The value of a statement may be what an `eval` comes to.
        let is_result = self.variables.around.depth > 0 && self.strict.len() == 1;
        self.unused = (!is_result).then(|| it.expression.span());
        self.visit_expression(&it.expression);
    }

    fn visit_spread_element(&mut self, it: &SpreadElement<'a>) {
        let site = self.site(it.span, "");
        let visit = |this: &mut Self| this.visit_expression(&it.argument);
        self.around(it.argument.span(), "__c$.i(".into(), visit, format!(",{site})"));
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        match &it.argument {
            Some(argument) if it.delegate => {
                let site = self.site(it.span, "");
                let visit = |this: &mut Self| this.visit_expression(argument);
                self.around(argument.span(), "__c$.i(".into(), visit, format!(",{site})"));
            }
            Some(argument) => self.visit_expression(argument),
            None => {}
        }
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        match &it.value {
            Expression::Identifier(name) if it.shorthand => self.shorthand(name),
            _ => walk::walk_object_property(self, it),
        }
    }

    /// Inside `with`, every name is looked up in an object first, also the runtime's, and a proxy would notice. The body
    /// stays as it is; entering it is logged as an access of everything.
    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        let site = self.site(it.span, "");
        let visit = |this: &mut Self| this.visit_expression(&it.object);
        self.around(it.object.span(), "__c$.o((".into(), visit, format!("),{site})"));
    }

    fn visit_function(&mut self, it: &Function<'a>, _: ScopeFlags) {
        self.function(it);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.arrow(it);
    }

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        if self.variables.numbers(it.scope_id.get()) {
            let number = self.activation_declaration("let", it.scope_id.get());
            self.insert(it.span.start + 1, number);
        }
        walk::walk_block_statement(self, it);
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        walk::walk_statement(self, it);
        self.end_statement(it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        walk::walk_property_definition(self, it);
        self.end_field(it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.strict.push(true);
        walk::walk_class(self, it);
        self.strict.pop();
    }

    fn visit_export_specifier(&mut self, _: &ExportSpecifier<'a>) {}

    fn visit_import_declaration(&mut self, _: &ImportDeclaration<'a>) {}

    fn visit_export_from_declaration(&mut self, _: &ExportFromDeclaration<'a>) {}

    fn visit_export_all_declaration(&mut self, _: &ExportAllDeclaration<'a>) {}
}

impl Rewriter<'_> {
    pub(super) fn variable(&self, name: &IdentifierReference<'_>) -> Variable {
        self.variables.of_reference(self.scoping, name)
    }
}
