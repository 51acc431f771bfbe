//! Names: variables and globals that are read, called, tested with `typeof`, deleted.

use std::collections::BTreeMap;

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::rewriter::{Rewriter, Touch};
use super::variables::Variable;

/// Names of the language and of every page, which scripts read all the time and practically never assign. Reads of them
/// are not logged; writes are.
const STANDARD: [&str; 62] = [
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "DataView",
    "Date",
    "Error",
    "EvalError",
    "FinalizationRegistry",
    "Float32Array",
    "Float64Array",
    "Function",
    "Infinity",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "Intl",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "URIError",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "arguments",
    "clearInterval",
    "clearTimeout",
    "console",
    "document",
    "eval",
    "globalThis",
    "isFinite",
    "isNaN",
    "parseFloat",
    "parseInt",
    "self",
    "setInterval",
    "setTimeout",
    "undefined",
    "window",
    "requestAnimationFrame",
];

impl<'a> Rewriter<'_> {
    /// `x` becomes `__c$.v(activation,declaration,x,site)`, or `__c$.b(__c$.G("x",site),x)` if it is a global: that one
    /// must be logged also if it turns out to be undefined.
    pub(super) fn read_name(&mut self, name: &IdentifierReference<'a>) {
        match self.variable(name) {
            Variable::Unlogged => {}
            Variable::Local(_) | Variable::Around => {
                let place = self.place(self.variable(name), &name.name);
                let site = self.site(name.span, &name.name);
                self.insert(name.span.start, format!("__c$.v({place},"));
                self.insert(name.span.end, format!(",{site})"));
            }
            Variable::Global => {
                if let Some(log) = self.log_read(name) {
                    self.insert(name.span.start, format!("__c$.b({log},"));
                    self.insert(name.span.end, ")");
                }
            }
        }
    }

    /// An expression that logs the read of a name and is put before an expression that uses it.
    pub(super) fn log_read(&mut self, name: &IdentifierReference<'a>) -> Option<String> {
        match self.variable(name) {
            Variable::Unlogged => None,
            Variable::Global if STANDARD.contains(&name.name.as_str()) => None,
            Variable::Global => {
                let site = self.site(name.span, &name.name);
                Some(format!("__c$.G({:?},{site})", name.name.as_str()))
            }
            Variable::Local(_) | Variable::Around => {
                let place = self.place(self.variable(name), &name.name);
                let site = self.site(name.span, &name.name);
                Some(format!("__c$.v({place},0,{site})"))
            }
        }
    }

    /// Logs the read of `name` before the whole of `span` is evaluated, whose first step is that read. What stands there
    /// stays as it is: a call stays a call by name, with the engine's own message if the name is no function.
    pub(super) fn read_before(&mut self, name: &IdentifierReference<'a>, span: Span, visit: impl FnOnce(&mut Self)) {
        match self.log_read(name) {
            Some(log) => self.around(span, format!("__c$.b({log},"), visit, ")".into()),
            None => visit(self),
        }
    }

    /// `activation,declaration` of a variable that is no global.
    pub(super) fn place(&mut self, variable: Variable, name: &str) -> String {
        let Variable::Local(symbol) = variable else {
            return self.variables.around.variables.get(name).cloned().unwrap_or_default();
        };
        let declaration = self.declaration(symbol);
        match self.variables.holder(symbol) {
            Some(scope) => format!("{},{declaration}", self.variables.around.activation(scope.index())),
            None => format!("0,{declaration}"),
        }
    }

    /// The variables that code sees which is evaluated at this name, as [`Around`](super::around::Around) writes them.
    fn seen_by(&mut self, name: &IdentifierReference<'a>) -> String {
        let mut seen = BTreeMap::new();
        let scoping = self.scoping;
        let scope = name.reference_id.get().map(|id| scoping.get_reference(id).scope_id());
        for scope in scope.into_iter().flat_map(|scope| scoping.scope_ancestors(scope)) {
            for symbol in scoping.iter_bindings_in(scope) {
                let variable = self.variables.of_symbol(symbol);
                if let (Variable::Local(_), false) = (variable, seen.contains_key(scoping.symbol_name(symbol))) {
                    let place = self.place(variable, scoping.symbol_name(symbol));
                    seen.insert(scoping.symbol_name(symbol).to_string(), place);
                }
            }
        }
        self.variables.around.text(self.is_strict(), seen)
    }

    /// The beginning and the end of a call that logs a write and returns the value between them.
    pub(super) fn log_write(
        &mut self,
        variable: Variable,
        name: &str,
        at: Span,
        touch: Touch,
    ) -> Option<(String, String)> {
        let touch_argument = if touch == Touch::Write { String::new() } else { format!(",{}", touch as u8) };
        match variable {
            Variable::Unlogged => None,
            Variable::Global => {
                let site = self.site(at, name);
                Some((format!("__c$.W({name:?},"), format!(",{site}{touch_argument})")))
            }
            Variable::Local(_) | Variable::Around => {
                let place = self.place(variable, name);
                let site = self.site(at, name);
                Some((format!("__c$.V({place},"), format!(",{site}{touch_argument})")))
            }
        }
    }

    /// `{x}` becomes `{x:…}`. `{__proto__}` would change its meaning.
    pub(super) fn shorthand(&mut self, name: &IdentifierReference<'a>) {
        if name.name == "__proto__" {
            return;
        }
        let text = self.text(name.span);
        match self.variable(name) {
            Variable::Local(_) | Variable::Around => {
                let place = self.place(self.variable(name), &name.name);
                let site = self.site(name.span, &name.name);
                self.insert(name.span.end, format!(":__c$.v({place},{text},{site})"));
            }
            _ => {
                if let Some(log) = self.log_read(name) {
                    self.insert(name.span.end, format!(":__c$.b({log},{text})"));
                }
            }
        }
    }

    /// `typeof x` does not throw if there is no `x`.
    pub(super) fn type_of(&mut self, it: &UnaryExpression<'a>) {
        match it.argument.without_parentheses() {
            Expression::Identifier(name) => self.read_before(name, it.span, |_| {}),
            _ => self.visit_expression(&it.argument),
        }
    }

    pub(super) fn call(&mut self, it: &CallExpression<'a>) {
        match it.callee.without_parentheses() {
            Expression::Identifier(name) => self.read_before(name, it.span, |this| {
                let is_eval = name.name == "eval" && it.callee.is_identifier_reference();
                let around = if is_eval { this.seen_by(name) } else { String::new() };
                this.call_arguments(it, is_eval.then(|| ("x", format!(",{around:?}"))));
            }),
            callee => {
                self.callee(&it.callee);
                self.call_arguments(it, is_indirect_eval(callee).then(|| ("X", String::new())));
            }
        }
    }

    /// `eval(text)` becomes `eval(__c$.x(eval,text,site,around))`: the runtime has the text rewritten.
    fn call_arguments(&mut self, it: &CallExpression<'a>, evaluates_with: Option<(&str, String)>) {
        let first = it.arguments.first().and_then(Argument::as_expression);
        let (Some((runtime, around)), Some(first)) = (evaluates_with, first) else {
            self.visit_arguments(&it.arguments);
            return;
        };
        let site = self.site(it.span, "eval");
        let visit = |this: &mut Self| this.visit_expression(first);
        self.around(first.span(), format!("__c$.{runtime}(eval,"), visit, format!(",{site}{around})"));
        for argument in it.arguments.iter().skip(1) {
            self.visit_argument(argument);
        }
    }

    /// `new a.b()` becomes `new (…)()`: without parentheses, `new` would take the inserted call for its constructor.
    pub(super) fn construct(&mut self, it: &NewExpression<'a>) {
        match &it.callee {
            Expression::Identifier(name) => self.read_before(name, it.span, |this| this.visit_arguments(&it.arguments)),
            callee => {
                self.around(callee.span(), "(".into(), |this| this.visit_expression(callee), ")".into());
                self.visit_arguments(&it.arguments);
            }
        }
    }

    pub(super) fn tagged_template(&mut self, it: &TaggedTemplateExpression<'a>) {
        match it.tag.without_parentheses() {
            Expression::Identifier(name) => {
                self.read_before(name, it.span, |this| this.visit_template_literal(&it.quasi));
            }
            _ => {
                self.callee(&it.tag);
                self.visit_template_literal(&it.quasi);
            }
        }
    }
}

/// `(0, eval)(text)`.
fn is_indirect_eval(callee: &Expression<'_>) -> bool {
    let Expression::SequenceExpression(sequence) = callee else { return false };
    matches!(sequence.expressions.last(), Some(Expression::Identifier(name)) if name.name == "eval")
}
