//! Which variables are logged, and under which name. Produced from the scopes of a program before it is rewritten,
//! consumed by the rewriter.
//!
//! A variable of a function can be touched by two events only if a closure captures it, and can conflict only if it is
//! assigned after its declaration. All others are left alone. Such a variable is identified by its declaration and by the
//! activation of the block or function that holds it; a variable of a classic script's top level, and a name that the
//! script does not declare, is a global.

use std::collections::{HashMap, HashSet};

use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, AwaitExpression, BlockStatement, CallExpression, Expression, Function,
    IdentifierReference, Program,
};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping};
use oxc_span::{GetSpan, Span};
use oxc_syntax::{reference::ReferenceId, scope::ScopeId, symbol::SymbolId};

use super::around::Around;

/// How one use of a name is logged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Variable {
    /// No other event can see it change.
    Unlogged,
    Local(SymbolId),
    Global,
    /// One of the functions around a text that is evaluated.
    Around,
}

pub(crate) struct Variables {
    logged: HashSet<SymbolId>,
    /// The block or function whose activations tell the instances of a variable apart.
    holders: HashMap<SymbolId, ScopeId>,
    /// Scopes that number their activations.
    numbered: HashSet<ScopeId>,
    /// Variables of the top level of a classic script.
    globals: HashSet<SymbolId>,
    /// Names that an evaluated text declares once more.
    redeclared: HashSet<SymbolId>,
    pub(crate) around: Around,
}

impl Variables {
    /// `top_level_is_global` says whether declarations of the outermost scope are visible to other scripts.
    pub(crate) fn of(program: &Program<'_>, scoping: &Scoping, top_level_is_global: bool, around: Around) -> Self {
        let mut survey = Survey::default();
        survey.visit_program(program);
        let root = scoping.root_scope_id();
        if survey.top_level_awaits {
            survey.suspending.insert(root);
        }
        let mut found = Variables {
            logged: HashSet::new(),
            holders: HashMap::new(),
            numbered: HashSet::new(),
            globals: HashSet::new(),
            redeclared: HashSet::new(),
            around,
        };
        for symbol in scoping.symbol_ids() {
            let scope = scoping.symbol_scope_id(symbol);
            if scope == root && top_level_is_global {
                found.globals.insert(symbol);
                continue;
            }
            if scope == root && found.redeclares(scoping, symbol) {
                found.redeclared.insert(symbol);
                continue;
            }
            if !is_shared(scoping, &survey, symbol) {
                continue;
            }
            found.logged.insert(symbol);
            if let Some(holder) = survey.holder(scoping, symbol) {
                found.holders.insert(symbol, holder);
                found.numbered.insert(holder);
            }
        }
        found
    }

    pub(crate) fn of_reference(&self, scoping: &Scoping, reference: &IdentifierReference<'_>) -> Variable {
        let Some(id) = reference.reference_id.get() else { return Variable::Unlogged };
        match scoping.get_reference(id).symbol_id() {
            None if self.around.variables.contains_key(reference.name.as_str()) => Variable::Around,
            None => Variable::Global,
            Some(symbol) => self.of_symbol(symbol),
        }
    }

    pub(crate) fn of_symbol(&self, symbol: SymbolId) -> Variable {
        if self.globals.contains(&symbol) {
            Variable::Global
        } else if self.redeclared.contains(&symbol) {
            Variable::Around
        } else if self.logged.contains(&symbol) {
            Variable::Local(symbol)
        } else {
            Variable::Unlogged
        }
    }

    /// `var` in code that is evaluated and not strict means the variable of the function around it.
    fn redeclares(&self, scoping: &Scoping, symbol: SymbolId) -> bool {
        let flags = scoping.symbol_flags(symbol);
        let is_strict = self.around.is_strict || scoping.root_scope_flags().is_strict_mode();
        let is_var = flags.is_function_scoped_declaration() || flags.is_function();
        !is_strict && is_var && self.around.variables.contains_key(scoping.symbol_name(symbol))
    }

    /// Whether each activation of this scope gets a number.
    pub(crate) fn numbers(&self, scope: Option<ScopeId>) -> bool {
        scope.is_some_and(|scope| self.numbered.contains(&scope))
    }

    /// The scope whose number identifies the instance of a variable; without one, all its instances count as one place.
    pub(crate) fn holder(&self, symbol: SymbolId) -> Option<ScopeId> {
        self.holders.get(&symbol).copied()
    }
}

/// Captured by a closure, and assigned when that closure may exist already. A text that is evaluated can do both.
fn is_shared(scoping: &Scoping, survey: &Survey, symbol: SymbolId) -> bool {
    if scoping.scope_flags(scoping.symbol_scope_id(symbol)).contains_direct_eval() {
        return true;
    }
    let home = function_of(scoping, scoping.symbol_scope_id(symbol));
    let (mut captured, mut assigned) =
        (false, survey.suspends(home) || scoping.symbol_redeclarations(symbol).len() > 1);
    for reference in scoping.get_resolved_references(symbol) {
        captured |= function_of(scoping, reference.scope_id()) != home;
        assigned |= reference.is_write();
    }
    captured && assigned
}

fn function_of(scoping: &Scoping, scope: ScopeId) -> ScopeId {
    let runs_by_itself =
        |scope: &ScopeId| scoping.scope_flags(*scope).intersects(ScopeFlags::Function | ScopeFlags::Top);
    scoping.scope_ancestors(scope).find(runs_by_itself).unwrap_or(scope)
}

/// Where scopes have a body that a declaration can be put into, and where names are used.
#[derive(Default)]
struct Survey {
    bodies: HashMap<ScopeId, Span>,
    /// Functions that other events may interrupt: their declarations are assignments that a closure may miss.
    suspending: HashSet<ScopeId>,
    top_level_awaits: bool,
    /// How many functions are around the node that is visited.
    functions: usize,
    references: HashMap<ReferenceId, Span>,
    /// The name in each direct `eval`.
    evaluations: Vec<ReferenceId>,
}

impl Survey {
    fn suspends(&self, function: ScopeId) -> bool {
        self.suspending.contains(&function)
    }

    /// The innermost scope around a variable that has a body, if all uses of the variable are inside that body: a default
    /// value of a parameter, for instance, does not see what the body declares.
    fn holder(&self, scoping: &Scoping, symbol: SymbolId) -> Option<ScopeId> {
        let holder = scoping
            .scope_ancestors(scoping.symbol_scope_id(symbol))
            .find(|scope| self.bodies.contains_key(scope) || scoping.scope_flags(*scope).is_function())?;
        let body = self.bodies.get(&holder)?;
        let inside = |id: &ReferenceId| self.references.get(id).is_some_and(|at| body.contains_inclusive(*at));
        let home = scoping.symbol_scope_id(symbol);
        let sees = |id: &&ReferenceId| {
            let from = scoping.get_reference(**id).scope_id();
            scoping.scope_ancestors(from).any(|scope| scope == home)
        };
        let used = scoping.get_resolved_reference_ids(symbol).iter();
        used.chain(self.evaluations.iter().filter(sees)).all(inside).then_some(holder)
    }

    fn note(&mut self, scope: Option<ScopeId>, body: Span) {
        if let Some(scope) = scope {
            self.bodies.insert(scope, body);
        }
    }
}

impl<'a> Visit<'a> for Survey {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if let Some(body) = it.body.as_ref().filter(|body| !body.statements.is_empty()) {
            self.note(it.scope_id.get(), body.span);
        }
        if it.r#async || it.generator {
            self.suspending.extend(it.scope_id.get());
        }
        self.functions += 1;
        walk::walk_function(self, it, flags);
        self.functions -= 1;
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        match &it.body {
            ArrowFunctionBody::FunctionBody(body) if body.statements.is_empty() => {}
            body => self.note(it.scope_id.get(), body.span()),
        }
        if it.r#async {
            self.suspending.extend(it.scope_id.get());
        }
        self.functions += 1;
        walk::walk_arrow_function_expression(self, it);
        self.functions -= 1;
    }

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        self.note(it.scope_id.get(), it.span);
        walk::walk_block_statement(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::Identifier(name) = &it.callee
            && name.name == "eval"
        {
            self.evaluations.extend(name.reference_id.get());
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        if self.functions == 0 {
            self.top_level_awaits = true;
        }
        walk::walk_await_expression(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        if let Some(id) = it.reference_id.get() {
            self.references.insert(id, it.span);
        }
    }
}
