//! Statements: which lines run, which way conditions go, and assignments to variables and properties.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeId;

use super::HEAD;
use super::bindings::{Binding, is_followed_loop};
use super::instrumenter::Instrumenter;

impl<'a> Instrumenter<'_> {
    /// The statements of a block that runs or does not run as a whole.
    pub fn branch(&mut self, all: &[Statement<'a>]) {
        self.is_head = true;
        self.statements(all);
        self.is_head = false;
    }

    pub fn statements(&mut self, all: &[Statement<'a>]) {
        for statement in all {
            let is_silent = matches!(
                statement,
                Statement::FunctionDeclaration(_)
                    | Statement::ImportDeclaration(_)
                    | Statement::ExportAllDeclaration(_)
                    | Statement::EmptyStatement(_)
            );
            if !is_silent {
                let log = self.line(statement);
                self.insert(statement.span().start, log);
            }
            self.loosen(statement);
            self.statement(statement);
        }
    }

    /// A constant of a function that waits can be set while it waits: its value is state then.
    fn loosen(&mut self, it: &Statement<'a>) {
        let Statement::VariableDeclaration(declaration) = it else { return };
        let names = declaration.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
        let mut symbols = names.map(|name| name.symbol_id.get());
        let is_loose = symbols.all(|symbol| symbol.is_some_and(|symbol| self.bindings.suspended.contains(&symbol)));
        if declaration.kind.is_const() && is_loose {
            self.replace(declaration.span.start, declaration.span.start + 5, "let");
        }
    }

    fn line(&mut self, statement: &Statement<'a>) -> String {
        let name = if std::mem::take(&mut self.is_head) { HEAD } else { "" };
        let site = self.site(statement.span(), name);
        format!("__k$.s({site});")
    }

    pub fn block(&mut self, it: &BlockStatement<'a>) {
        let registrations = self.registrations(it.scope_id.get());
        self.insert(it.span.start + 1, registrations);
        self.statements(&it.body);
    }

    /// A statement without braces gets them; in a loop, every round is counted.
    fn body(&mut self, it: &Statement<'a>, is_loop: bool) {
        match it {
            Statement::BlockStatement(block) => {
                if is_loop {
                    let log = self.line(it);
                    self.insert(block.span.start + 1, log);
                }
                self.is_head = true;
                self.block(block);
                self.is_head = false;
            }
            Statement::FunctionDeclaration(_) => self.statement(it),
            _ => {
                self.is_head = true;
                let log = self.line(it);
                self.insert(it.span().start, format!("{{{log}"));
                self.statement(it);
                self.insert(it.span().end, "}");
            }
        }
    }

    pub fn statement(&mut self, it: &Statement<'a>) {
        match it {
            Statement::BlockStatement(block) => self.block(block),
            Statement::ExpressionStatement(statement) => self.value(&statement.expression),
            Statement::IfStatement(branch) => {
                self.condition(&branch.test);
                self.body(&branch.consequent, false);
                if let Some(alternate) = &branch.alternate {
                    // `else` needs a space before what stands without braces.
                    self.body(alternate, false);
                }
            }
            Statement::WhileStatement(repeat) => {
                self.condition(&repeat.test);
                self.body(&repeat.body, true);
            }
            Statement::DoWhileStatement(repeat) => {
                self.body(&repeat.body, true);
                self.condition(&repeat.test);
            }
            Statement::ForStatement(repeat) => {
                match &repeat.init {
                    Some(ForStatementInit::VariableDeclaration(declaration)) => {
                        self.visit_variable_declaration(declaration);
                    }
                    Some(init) => init.as_expression().into_iter().for_each(|init| self.value(init)),
                    None => {}
                }
                repeat.test.iter().for_each(|test| self.condition(test));
                repeat.update.iter().for_each(|update| self.value(update));
                self.body(&repeat.body, true);
            }
            Statement::ForInStatement(repeat) => {
                self.visit_for_statement_left(&repeat.left);
                self.value(&repeat.right);
                self.body(&repeat.body, true);
            }
            Statement::ForOfStatement(repeat) if is_followed_loop(repeat) => self.elements(repeat),
            Statement::ForOfStatement(repeat) => {
                self.visit_for_statement_left(&repeat.left);
                self.value(&repeat.right);
                self.body(&repeat.body, true);
            }
            Statement::ReturnStatement(statement) => {
                statement.argument.iter().for_each(|argument| self.producing(argument));
            }
            Statement::SwitchStatement(switch) => self.switch(switch),
            Statement::WithStatement(_) => {}
            other => walk::walk_statement(self, other),
        }
    }

    /// Every round looks up what is known of its element. The list is kept in a variable, because loops may wait.
    fn elements(&mut self, it: &ForOfStatement<'a>) {
        let site = self.site(it.right.span(), self.text(it.right.span()));
        let frame = format!("__k$f{site}");
        let updates = self.element_updates(it, &frame);
        self.insert(it.right.span().start, format!("({frame}=__k$.ft("));
        self.value(&it.right);
        self.insert(it.right.span().end, format!(",{site})).list"));
        self.insert(it.body.span().start, updates);
        self.body(&it.body, true);
        self.insert(it.body.span().end, "}");
    }

    /// Cases are compared by the runtime, so that it sees each comparison.
    fn switch(&mut self, it: &SwitchStatement<'a>) {
        let name = format!("__k$w{}", self.switches);
        self.switches += 1;
        self.insert(it.span.start, format!("{{let {name};"));
        self.insert(it.discriminant.span().start, format!("({name}=__k$.w("));
        self.pair(&it.discriminant);
        self.insert(it.discriminant.span().end, "),true)");
        for case in &it.cases {
            if let Some(test) = &case.test {
                let site = self.site(test.span(), self.text(test.span()));
                self.insert(test.span().start, format!(" __k$.S({name},"));
                self.pair(test);
                self.insert(test.span().end, format!(",{site})"));
            }
            self.branch(&case.consequent);
        }
        self.insert(it.span.end, "}");
    }

    /// Lists the variables of a scope as part of the page's state.
    pub fn registrations(&mut self, scope: Option<ScopeId>) -> String {
        let symbols = scope.and_then(|scope| self.bindings.state.get(&scope).cloned()).unwrap_or_default();
        let mut all = String::new();
        for symbol in symbols {
            let scoping = self.scoping;
            let name = scoping.symbol_name(symbol).to_string();
            let site = self.site(scoping.symbol_span(symbol), &name);
            let flags = scoping.symbol_flags(symbol);
            let is_slot = self.bindings.of_symbol(symbol) == Binding::Slot;
            // What is never assigned again is no state, but may lead to objects that are. Other scripts may assign a global.
            let is_suspended = self.bindings.suspended.contains(&symbol);
            let is_fixed = !is_suspended
                && (flags.is_const_variable() || flags.is_function() || is_slot && !scoping.symbol_is_mutated(symbol));
            let set = if is_fixed { "null".to_string() } else { format!("v=>{{{name}=v}}") };
            let beside = match (is_slot, is_fixed) {
                (true, false) => format!("()=>__k${name},s=>{{__k${name}=s}}"),
                (true, true) => "()=>null,()=>{}".to_string(),
                (false, _) => "null,null".to_string(),
            };
            all.push_str(&format!("__k$.R({name:?},{site},()=>{name},{set},{beside});"));
        }
        all
    }
}
