//! What is put at the start of scripts, functions and blocks: declarations of globals, and the number of an activation.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeId;

use super::rewriter::Rewriter;
use super::variables::Variable;

/// Engines refuse calls with more than some 65,000 arguments.
const MOST_NAMES: usize = 1000;

/// Statements that log these names, each with its site, as globals that a script declares.
pub(super) fn declarations<'n>(names: impl Iterator<Item = (&'n str, u32)>) -> String {
    let names: Vec<String> = names.map(|(name, site)| format!("{name:?},{site}")).collect();
    names.chunks(MOST_NAMES).map(|names| format!("__c$.D({});", names.join(","))).collect()
}

impl<'a> Rewriter<'_> {
    /// Functions and classes of a classic script are globals from its start on.
    pub(super) fn declare_globals(&mut self, program: &Program<'a>) {
        let mut declared = Vec::new();
        for statement in &program.body {
            let name = match statement {
                Statement::FunctionDeclaration(function) => function.id.as_ref(),
                Statement::ClassDeclaration(class) => class.id.as_ref(),
                _ => None,
            };
            if let Some(name) = name.filter(|name| self.binding(name) == Variable::Global) {
                declared.push((name.name.as_str(), self.site(name.span, &name.name)));
            }
        }
        if let (Some(first), false) = (program.body.first(), declared.is_empty()) {
            self.insert(first.span().start, declarations(declared.into_iter()));
        }
    }

    pub(super) fn activation_declaration(&self, keyword: &str, scope: Option<ScopeId>) -> String {
        let activation = self.variables.around.activation(scope.map_or(0, |scope| scope.index()));
        format!("{keyword} {activation}=__c$.n();")
    }

    pub(super) fn function(&mut self, it: &Function<'a>) {
        self.enter(it.scope_id.get());
        self.visit_formal_parameters(&it.params);
        if let Some(body) = &it.body {
            let mut prelude = String::new();
            if self.variables.numbers(it.scope_id.get()) {
                prelude = self.activation_declaration("var", it.scope_id.get());
            }
            if !body.statements.is_empty() && !self.binds_arguments(it) {
                let reads = self.parameter_reads(&it.params);
                prelude.push_str(&reads);
            }
            self.body(body, prelude);
        }
        self.strict.pop();
    }

    pub(super) fn arrow(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.enter(it.scope_id.get());
        self.visit_formal_parameters(&it.params);
        let is_numbered = self.variables.numbers(it.scope_id.get());
        let prelude = if is_numbered { self.activation_declaration("var", it.scope_id.get()) } else { String::new() };
        match &it.body {
            ArrowFunctionBody::FunctionBody(body) => self.body(body, prelude),
            body => {
                let visit = |this: &mut Self| this.visit_arrow_function_body(body);
                match is_numbered {
                    true => self.around(body.span(), format!("{{{prelude}return("), visit, ")}".into()),
                    false => visit(self),
                }
            }
        }
        self.strict.pop();
    }

    fn enter(&mut self, scope: Option<ScopeId>) {
        let strict = scope.map_or(self.is_strict(), |scope| self.scoping.scope_flags(scope).is_strict_mode());
        self.strict.push(strict || self.variables.around.is_strict);
    }

    /// The prelude stands behind the directives, which must come first.
    fn body(&mut self, body: &FunctionBody<'a>, prelude: String) {
        if let (Some(first), false) = (body.statements.first(), prelude.is_empty()) {
            self.insert(first.span().start, prelude);
        }
        self.visit_statements(&body.statements);
    }

    /// Whether `arguments` is something else than the arguments.
    fn binds_arguments(&self, it: &Function<'a>) -> bool {
        it.scope_id.get().is_none_or(|scope| self.scoping.get_binding(scope, "arguments".into()).is_some())
    }
}
