//! [`Bindings`]: where the symbolic value of each variable is kept, and which variables are part of the page's state. Made
//! from the scopes of a program before it is instrumented.

use std::collections::{BTreeMap, HashSet};

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping};
use oxc_syntax::{scope::ScopeId, symbol::SymbolId};

/// Where the symbolic value of a variable is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Binding {
    /// In a variable beside it.
    Slot,
    /// In the runtime, by its name: a variable of a classic script's top level, or one that no declaration is known of.
    Global,
    /// With the caller's arguments, by this number: a parameter that a default value reads.
    Argument(usize),
    /// Nowhere.
    Unfollowed,
}

pub(super) struct Bindings {
    slots: HashSet<SymbolId>,
    globals: HashSet<SymbolId>,
    /// Variables that outlive a call, by the scope that declares them.
    pub state: BTreeMap<ScopeId, Vec<SymbolId>>,
    /// Variables of functions that may wait and that nothing assigns again: what they hold is state until the function ends.
    pub suspended: HashSet<SymbolId>,
}

impl Bindings {
    pub fn of(program: &Program<'_>, scoping: &Scoping, top_level_is_global: bool) -> Self {
        let mut declared = Declared::default();
        declared.visit_program(program);
        let root = scoping.root_scope_id();
        let mut found = Bindings {
            slots: HashSet::new(),
            globals: HashSet::new(),
            state: BTreeMap::new(),
            suspended: HashSet::new(),
        };
        for symbol in scoping.symbol_ids() {
            let scope = scoping.symbol_scope_id(symbol);
            let simple = declared.simple.contains(&symbol);
            if scope == root && top_level_is_global {
                found.globals.insert(symbol);
                if simple || declared.taken_apart.contains(&symbol) {
                    found.state.entry(scope).or_default().push(symbol);
                }
                continue;
            }
            if simple {
                found.slots.insert(symbol);
                let waits = declared.waiting.contains(&function(scoping, scope));
                let is_constant = scoping.symbol_flags(symbol).is_const_variable();
                if waits && !scoping.symbol_is_mutated(symbol) && (!is_constant || declared.constants.contains(&symbol))
                {
                    found.suspended.insert(symbol);
                }
                if waits || is_captured(scoping, symbol) {
                    found.state.entry(scope).or_default().push(symbol);
                }
            }
        }
        found
    }

    pub fn of_reference(&self, scoping: &Scoping, reference: &IdentifierReference<'_>) -> Binding {
        let Some(id) = reference.reference_id.get() else { return Binding::Unfollowed };
        match scoping.get_reference(id).symbol_id() {
            Some(symbol) => self.of_symbol(symbol),
            None if ["undefined", "NaN", "Infinity", "arguments", "eval"].contains(&reference.name.as_str()) => {
                Binding::Unfollowed
            }
            None => Binding::Global,
        }
    }

    pub fn of_symbol(&self, symbol: SymbolId) -> Binding {
        if self.slots.contains(&symbol) {
            Binding::Slot
        } else if self.globals.contains(&symbol) {
            Binding::Global
        } else {
            Binding::Unfollowed
        }
    }
}

/// The function that a scope belongs to.
fn function(scoping: &Scoping, scope: ScopeId) -> ScopeId {
    let runs_by_itself =
        |scope: &ScopeId| scoping.scope_flags(*scope).intersects(ScopeFlags::Function | ScopeFlags::Top);
    scoping.scope_ancestors(scope).find(runs_by_itself).unwrap_or(scope)
}

/// Whether a function other than its own uses a variable.
fn is_captured(scoping: &Scoping, symbol: SymbolId) -> bool {
    let home = function(scoping, scoping.symbol_scope_id(symbol));
    scoping.get_resolved_references(symbol).any(|reference| function(scoping, reference.scope_id()) != home)
}

/// How variables are declared.
#[derive(Default)]
struct Declared {
    /// By a declaration to which a second variable can be added.
    simple: HashSet<SymbolId>,
    taken_apart: HashSet<SymbolId>,
    /// Functions that may wait: their variables outlive the event that calls them.
    waiting: HashSet<ScopeId>,
    /// Constants that a statement declares, and no loop.
    constants: HashSet<SymbolId>,
    /// Whether the declaration that is visited belongs to a loop over keys or elements.
    in_loop_head: bool,
}

impl<'a> Visit<'a> for Declared {
    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        match &it.id {
            pattern if !self.in_loop_head => {
                let names = pattern.get_binding_identifiers();
                self.simple.extend(names.iter().filter_map(|name| name.symbol_id.get()));
            }
            pattern => {
                let names = pattern.get_binding_identifiers();
                self.taken_apart.extend(names.iter().filter_map(|name| name.symbol_id.get()));
            }
        }
        let before = std::mem::take(&mut self.in_loop_head);
        walk::walk_variable_declarator(self, it);
        self.in_loop_head = before;
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        if let Statement::VariableDeclaration(declaration) = it {
            let names = declaration.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
            self.constants.extend(names.filter_map(|name| name.symbol_id.get()));
        }
        walk::walk_statement(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.waiting.extend(it.scope_id.get().filter(|_| it.r#async));
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.waiting.extend(it.scope_id.get().filter(|_| it.r#async));
        walk::walk_arrow_function_expression(self, it);
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.in_loop_head = true;
        self.visit_for_statement_left(&it.left);
        self.in_loop_head = false;
        self.visit_expression(&it.right);
        self.visit_statement(&it.body);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.in_loop_head = !is_followed_loop(it);
        self.visit_for_statement_left(&it.left);
        self.in_loop_head = false;
        self.visit_expression(&it.right);
        self.visit_statement(&it.body);
    }

    fn visit_formal_parameters(&mut self, it: &FormalParameters<'a>) {
        for pattern in
            it.items.iter().map(|parameter| &parameter.pattern).chain(it.rest.iter().map(|rest| &rest.rest.argument))
        {
            let names = pattern.get_binding_identifiers();
            self.simple.extend(names.iter().filter_map(|name| name.symbol_id.get()));
        }
        walk::walk_formal_parameters(self, it);
    }
}

/// Whether the variables of a loop over elements have others beside them.
pub(super) fn is_followed_loop(it: &ForOfStatement<'_>) -> bool {
    let is_plain = match &it.left {
        ForStatementLeft::VariableDeclaration(declaration) => {
            declaration.kind.is_var() || declaration.kind.is_lexical() && !declaration.kind.is_using()
        }
        _ => true,
    };
    is_plain && !it.r#await
}
