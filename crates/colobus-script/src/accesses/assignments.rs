//! Assignments, updates and declarations with a value.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

use super::members::Use;
use super::rewriter::{Rewriter, Touch};
use super::variables::Variable;

impl<'a> Rewriter<'_> {
    pub(super) fn assignment(&mut self, it: &AssignmentExpression<'a>) {
        let unused = self.unused == Some(it.span);
        let assigns = it.operator == AssignmentOperator::Assign;
        let alternative = if assigns { self.alternative_to(&it.left, &it.right) } else { None };
        let touch = match it.operator {
            AssignmentOperator::Assign if alternative.is_some() => Touch::Initialise,
            AssignmentOperator::Assign => Touch::Write,
            AssignmentOperator::LogicalOr | AssignmentOperator::LogicalNullish => Touch::Initialise,
            AssignmentOperator::Addition | AssignmentOperator::Subtraction if unused => Touch::Add,
            _ => Touch::Update,
        };
        let value = |this: &mut Self| this.visit_expression(alternative.unwrap_or(&it.right));
        match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                let variable = self.variable(name);
                match self.log_write(variable, &name.name, name.span, touch) {
                    Some((before, after)) => self.around(it.span, before, value, after),
                    None => value(self),
                }
            }
            left => match left.as_simple_assignment_target() {
                Some(target) => {
                    self.target(target, touch);
                    value(self);
                }
                None => self.pattern_assignment(it),
            },
        }
    }

    /// A single target of an assignment; names are logged by those who know the value.
    pub(super) fn target(&mut self, it: &SimpleAssignmentTarget<'a>, touch: Touch) {
        match it {
            SimpleAssignmentTarget::StaticMemberExpression(member) => self.static_member(member, Use::Change(touch)),
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                self.computed_member(member, Use::Change(touch));
            }
            SimpleAssignmentTarget::PrivateFieldExpression(member) => self.private_member(member, Use::Change(touch)),
            _ => {}
        }
    }

    pub(super) fn update(&mut self, it: &UpdateExpression<'a>) {
        let touch = if self.unused == Some(it.span) { Touch::Add } else { Touch::Update };
        match &it.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                let variable = self.variable(name);
                if let Some((before, after)) = self.log_write(variable, &name.name, name.span, touch) {
                    self.around(it.span, before, |_| {}, after);
                }
            }
            target => self.target(target, touch),
        }
    }

    pub(super) fn declarator(&mut self, it: &VariableDeclarator<'a>) {
        let Some(init) = &it.init else {
            self.visit_binding_pattern(&it.id);
            return;
        };
        let BindingPattern::BindingIdentifier(name) = &it.id else {
            self.pattern_declaration(it, init);
            return;
        };
        let variable = self.binding(name);
        let alternative = match variable {
            Variable::Global => self.kept_or(&name.name, init),
            _ => None,
        };
        let touch = if alternative.is_some() { Touch::Initialise } else { Touch::Write };
        let log = if name.name == "__proto__" { None } else { self.log_write(variable, &name.name, name.span, touch) };
        let visit = |this: &mut Self| this.visit_expression(alternative.unwrap_or(init));
        match log {
            None => visit(self),
            // A function takes its name from the variable that it is the value of. As the value of an argument it would
            // have none, so it gets the name from a property.
            Some((before, after)) if init.is_anonymous_function_definition() => {
                let text = self.text(name.span);
                self.around(init.span(), format!("{before}{{{text}:"), visit, format!("}}.{text}{after}"));
            }
            Some((before, after)) => self.around(init.span(), before, visit, after),
        }
    }

    pub(super) fn binding(&self, name: &BindingIdentifier<'a>) -> Variable {
        name.symbol_id.get().map_or(Variable::Unlogged, |symbol| self.variables.of_symbol(symbol))
    }

    /// What is evaluated only if the assigned place is empty: the `{}` of `x = x || {}` or `o.p = o.p ? o.p : {}`. That the
    /// place itself is read belongs to `Touch::Initialise`.
    fn alternative_to<'b>(&self, left: &AssignmentTarget<'a>, right: &'b Expression<'a>) -> Option<&'b Expression<'a>> {
        let repeatable = match left {
            AssignmentTarget::AssignmentTargetIdentifier(_) => true,
            AssignmentTarget::StaticMemberExpression(member) => {
                matches!(member.object, Expression::Identifier(_) | Expression::ThisExpression(_))
            }
            _ => false,
        };
        if repeatable { self.kept_or(self.text(left.span()), right) } else { None }
    }

    fn kept_or<'b>(&self, kept: &str, value: &'b Expression<'a>) -> Option<&'b Expression<'a>> {
        let is_kept = |expression: &Expression<'a>| self.text(expression.span()) == kept;
        match value.without_parentheses() {
            Expression::LogicalExpression(it) if it.operator != LogicalOperator::And => {
                is_kept(&it.left).then_some(&it.right)
            }
            Expression::ConditionalExpression(it) => {
                (is_kept(&it.test) && is_kept(&it.consequent)).then_some(&it.alternate)
            }
            _ => None,
        }
    }
}
