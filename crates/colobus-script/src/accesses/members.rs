//! Members: `o.p`, `o[k]`, `o.#p`, read, called, assigned, deleted.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::rewriter::{Rewriter, Touch};

/// What happens to a member.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Use {
    Read,
    /// It is called, so the object must stay its `this`.
    Call,
    Change(Touch),
    Delete,
}

/// The key that stands for all properties of an object.
const WHOLE: &str = "__c$.y";

impl<'a, 's> Rewriter<'s> {
    /// The runtime's function that logs this use, and the argument that says how.
    fn log_use(use_: Use) -> (&'static str, String) {
        match use_ {
            Use::Read | Use::Call => ("r", String::new()),
            Use::Delete | Use::Change(Touch::Write) => ("w", String::new()),
            Use::Change(touch) => ("w", format!(",{}", touch as u8)),
        }
    }

    /// `o` becomes `__c$.r(o,key,site)`, which is `o` again.
    pub(super) fn log_object(&mut self, object: &Expression<'a>, key: &str, at: Span, name: &str, use_: Use) {
        let (function, touch) = Self::log_use(use_);
        let site = self.site(at, name);
        self.insert(object.span().start, format!("__c$.{function}("));
        self.visit_expression(object);
        self.insert(object.span().end, format!(",{key},{site}{touch})"));
    }

    pub(super) fn static_member(&mut self, it: &StaticMemberExpression<'a>, use_: Use) {
        if !it.object.is_super() {
            let name = it.property.name.as_str();
            self.log_object(&it.object, &format!("{name:?}"), it.property.span, name, use_);
        }
    }

    pub(super) fn private_member(&mut self, it: &PrivateFieldExpression<'a>, use_: Use) {
        let name = format!("#{}", it.field.name);
        self.log_object(&it.object, &format!("{name:?}"), it.field.span, &name, use_);
    }

    /// A key that can be evaluated twice is handed to the runtime as well. Any other is evaluated once, inside an array:
    /// `o[k()]` becomes `__c$.g(o,[k()],site)`, or an object that stands for the reference.
    pub(super) fn computed_member(&mut self, it: &ComputedMemberExpression<'a>, use_: Use) {
        if it.object.is_super() {
            self.visit_expression(&it.expression);
            return;
        }
        if let Some(key) = self.repeatable_key(&it.expression) {
            let name = if it.expression.is_literal() { key.trim_matches(['"', '\'']) } else { "" };
            self.log_object(&it.object, key, it.expression.span(), name, use_);
            self.visit_expression(&it.expression);
            return;
        }
        let site = |this: &mut Self| this.site(it.expression.span(), "");
        let (function, end) = match use_ {
            Use::Read => ("g", format!(",{})", site(self))),
            Use::Call => ("m", format!(",{}).c", site(self))),
            Use::Change(touch) if self.is_strict() => ("F", format!(",{},{}).v", site(self), touch as u8)),
            Use::Change(touch) => ("f", format!(",{},{}).v", site(self), touch as u8)),
            Use::Delete => {
                self.log_object(&it.object, WHOLE, it.expression.span(), "", use_);
                self.visit_expression(&it.expression);
                return;
            }
        };
        self.insert(it.object.span().start, format!("__c$.{function}("));
        self.visit_expression(&it.object);
        self.insert(it.object.span().end, ",");
        self.visit_expression(&it.expression);
        self.insert(it.span.end, end);
    }

    /// The text of a key whose evaluation has no effect and always gives the same: a literal on one line or a variable.
    fn repeatable_key(&self, key: &Expression<'a>) -> Option<&'s str> {
        let repeatable = match key {
            Expression::NumericLiteral(_) | Expression::StringLiteral(_) => true,
            Expression::Identifier(name) => name
                .reference_id
                .get()
                .is_some_and(|reference| self.scoping.get_reference(reference).symbol_id().is_some()),
            _ => false,
        };
        let text = self.text(key.span());
        (repeatable && !text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])).then_some(text)
    }

    /// The key of a link of a chain: what cannot be evaluated twice, or only if the chain gets there, is the whole object.
    pub(super) fn chain_key(&self, it: &ComputedMemberExpression<'a>) -> &'s str {
        match &it.expression {
            Expression::Identifier(_) if it.optional => WHOLE,
            key => self.repeatable_key(key).unwrap_or(WHOLE),
        }
    }

    /// An expression that is called: its object stays the `this` of the call.
    pub(super) fn callee(&mut self, callee: &Expression<'a>) {
        match callee.without_parentheses() {
            Expression::ComputedMemberExpression(member) => self.computed_member(member, Use::Call),
            Expression::ChainExpression(chain) => self.unsplit_chain(chain),
            _ => self.visit_expression(callee),
        }
    }

    pub(super) fn delete(&mut self, it: &UnaryExpression<'a>) {
        match it.argument.without_parentheses() {
            Expression::StaticMemberExpression(member) => self.static_member(member, Use::Delete),
            Expression::ComputedMemberExpression(member) => self.computed_member(member, Use::Delete),
            Expression::PrivateFieldExpression(member) => self.private_member(member, Use::Delete),
            Expression::ChainExpression(chain) => self.delete_chain(chain),
            Expression::Identifier(name) => {
                let variable = self.variable(name);
                if let Some((before, after)) = self.log_write(variable, &name.name, name.span, Touch::Write) {
                    self.around(it.span, before, |_| {}, after);
                }
            }
            _ => self.visit_expression(&it.argument),
        }
    }

    /// `"p" in o` reads `p`, `k() in o` the whole object.
    pub(super) fn in_operator(&mut self, it: &BinaryExpression<'a>) {
        let key = self.repeatable_key(&it.left).unwrap_or(WHOLE);
        self.log_object(&it.right, key, it.span, "", Use::Read);
    }
}
