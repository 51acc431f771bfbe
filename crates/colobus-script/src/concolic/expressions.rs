//! Expressions: what leaves a symbolic value in the register, and what becomes of it.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;

use super::bindings::Binding;
use super::instrumenter::Instrumenter;

impl<'a> Instrumenter<'_> {
    /// Whether an expression leaves what is known of its value in the register.
    pub fn produces(&self, it: &Expression<'a>) -> bool {
        match it {
            Expression::Identifier(name) => self.binding(name) != Binding::Unfollowed,
            Expression::ParenthesizedExpression(inner) => self.produces(&inner.expression),
            Expression::SequenceExpression(sequence) => {
                sequence.expressions.last().is_some_and(|last| self.produces(last))
            }
            Expression::ConditionalExpression(it) => self.produces(&it.consequent) || self.produces(&it.alternate),
            Expression::LogicalExpression(it) => self.produces(&it.left) || self.produces(&it.right),
            Expression::BinaryExpression(it) => followed(it.operator).is_some(),
            Expression::UnaryExpression(it) => self.is_followed_unary(it),
            Expression::AssignmentExpression(it) => self.is_followed_assignment(it),
            Expression::UpdateExpression(it) => self.is_followed_target(&it.argument),
            Expression::StaticMemberExpression(it) => !matches!(it.object, Expression::Super(_)),
            Expression::ComputedMemberExpression(it) => !matches!(it.object, Expression::Super(_)),
            Expression::CallExpression(it) => is_followed_call(it),
            Expression::NewExpression(_) => true,
            Expression::ChainExpression(it) => self.is_followed_chain(it),
            Expression::TemplateLiteral(_) => true,
            _ => false,
        }
    }

    /// The expression with a symbolic value that the next one must not take for its own.
    pub fn lose(&mut self, it: &Expression<'a>) {
        if !self.produces(it) {
            return self.value(it);
        }
        let site = self.site(it.span(), self.text(it.span()));
        self.insert(it.span().start, "__k$.k(");
        self.value(it);
        self.insert(it.span().end, format!(",__k$.t(),{site})"));
    }

    /// The expression as two arguments: its value, and what is known of it.
    pub fn pair(&mut self, it: &Expression<'a>) {
        let taken = if self.produces(it) { ",__k$.t()" } else { ",null" };
        self.value(it);
        self.insert(it.span().end, taken);
    }

    /// The expression, which leaves nothing in the register that is not its own.
    pub fn producing(&mut self, it: &Expression<'a>) {
        if self.produces(it) {
            return self.value(it);
        }
        self.insert(it.span().start, "__k$.x(");
        self.value(it);
        self.insert(it.span().end, ")");
    }

    /// The expression as a condition.
    pub fn condition(&mut self, it: &Expression<'a>) {
        if !self.produces(it) {
            return self.value(it);
        }
        let site = self.site(it.span(), self.text(it.span()));
        self.insert(it.span().start, "__k$.c(");
        self.pair(it);
        self.insert(it.span().end, format!(",{site})"));
    }

    pub fn value(&mut self, it: &Expression<'a>) {
        match it {
            Expression::Identifier(name) => self.name(name),
            Expression::ParenthesizedExpression(inner) => self.value(&inner.expression),
            Expression::SequenceExpression(sequence) => {
                self.insert(sequence.span.start, "(");
                sequence.expressions.iter().for_each(|part| self.value(part));
                self.insert(sequence.span.end, ")");
            }
            Expression::ConditionalExpression(conditional) => {
                self.condition(&conditional.test);
                self.producing(&conditional.consequent);
                self.producing(&conditional.alternate);
            }
            Expression::LogicalExpression(logical) => self.logical(logical),
            Expression::BinaryExpression(binary) => match followed(binary.operator) {
                Some(sign) => {
                    let site = self.site(binary.span, sign);
                    self.insert(binary.span.start, format!("__k$.b(\"{sign}\","));
                    self.pair(&binary.left);
                    self.replace(binary.left.span().end, binary.right.span().start, ",");
                    self.pair(&binary.right);
                    self.insert(binary.span.end, format!(",{site})"));
                }
                None => walk::walk_binary_expression(self, binary),
            },
            Expression::UnaryExpression(unary) => self.unary(unary),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::UpdateExpression(update) => self.update(update),
            Expression::StaticMemberExpression(_) | Expression::ComputedMemberExpression(_) => self.member(it),
            Expression::CallExpression(call) => self.call(call),
            Expression::NewExpression(new) => self.construct(new),
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::TaggedTemplateExpression(tagged) => {
                self.link(&tagged.tag);
                self.visit_expressions(&tagged.quasi.expressions);
            }
            Expression::ObjectExpression(object) => self.object(object),
            Expression::ArrayExpression(array) => self.array(array),
            Expression::ChainExpression(chain) => self.chain(chain),
            Expression::PrivateFieldExpression(member) => self.link(&member.object),
            // Nothing inside of these is edited as an expression of its own.
            Expression::Super(_) => {}
            other => walk::walk_expression(self, other),
        }
    }

    fn name(&mut self, name: &IdentifierReference<'a>) {
        match self.binding(name) {
            Binding::Unfollowed => {}
            Binding::Slot => {
                self.insert(name.span.start, "__k$.v(");
                self.insert(name.span.end, format!(",__k${})", name.name));
            }
            Binding::Global => {
                self.insert(name.span.start, format!("__k$.g({:?},", name.name.as_str()));
                self.insert(name.span.end, ")");
            }
            Binding::Argument(index) => {
                self.insert(name.span.start, "__k$.v(");
                self.insert(name.span.end, format!(",__k$.p({index},{},-1))", name.name));
            }
        }
    }

    fn logical(&mut self, it: &LogicalExpression<'a>) {
        let function = if it.operator == LogicalOperator::Coalesce { "q" } else { "a" };
        let site = self.site(it.left.span(), self.text(it.left.span()));
        self.insert(it.left.span().start, format!("__k$.{function}("));
        self.pair(&it.left);
        self.insert(it.left.span().end, format!(",{site})"));
        self.producing(&it.right);
    }

    fn is_followed_unary(&self, it: &UnaryExpression<'a>) -> bool {
        match it.operator {
            UnaryOperator::LogicalNot | UnaryOperator::UnaryNegation | UnaryOperator::UnaryPlus => true,
            // A name without a declaration must not be read.
            UnaryOperator::Typeof => {
                !matches!(it.argument.without_parentheses(), Expression::Identifier(name) if !self.is_declared(name))
            }
            _ => false,
        }
    }

    fn unary(&mut self, it: &UnaryExpression<'a>) {
        if it.operator == UnaryOperator::Delete {
            return self.link(&it.argument);
        }
        if it.operator == UnaryOperator::Typeof
            && matches!(it.argument.without_parentheses(), Expression::Identifier(_))
            && !self.is_followed_unary(it)
        {
            return;
        }
        if !self.is_followed_unary(it) {
            return self.visit_expression(&it.argument);
        }
        self.replace(it.span.start, it.argument.span().start, &format!("__k$.n(\"{}\",", it.operator.as_str()));
        self.pair(&it.argument);
        self.insert(it.span.end, ")");
    }

    fn member(&mut self, it: &Expression<'a>) {
        match it {
            Expression::StaticMemberExpression(member) if !matches!(member.object, Expression::Super(_)) => {
                self.insert(member.span.start, "__k$.m(");
                self.pair(&member.object);
                let name = member.property.name.as_str();
                self.replace(member.object.span().end, member.span.end, &format!(",{name:?})"));
            }
            Expression::ComputedMemberExpression(member) if !matches!(member.object, Expression::Super(_)) => {
                self.insert(member.span.start, "__k$.M(");
                self.pair(&member.object);
                self.replace(member.object.span().end, member.expression.span().start, ",");
                let site = self.site(member.expression.span(), self.text(member.expression.span()));
                self.pair(&member.expression);
                self.replace(member.expression.span().end, member.span.end, &format!(",{site})"));
            }
            Expression::ComputedMemberExpression(member) => self.visit_expression(&member.expression),
            _ => {}
        }
    }

    /// What a call or a member is asked of, in places where the syntax must stay.
    pub fn link(&mut self, it: &Expression<'a>) {
        match it {
            Expression::StaticMemberExpression(member) => self.link(&member.object),
            Expression::ComputedMemberExpression(member) => {
                self.link(&member.object);
                self.visit_expression(&member.expression);
            }
            Expression::PrivateFieldExpression(member) => self.link(&member.object),
            Expression::CallExpression(call) => self.links_of_call(call),
            Expression::Identifier(_) | Expression::Super(_) => {}
            Expression::ParenthesizedExpression(inner) => self.link(&inner.expression),
            Expression::ChainExpression(chain) => self.links_of_chain(chain),
            other => self.visit_expression(other),
        }
    }

    pub fn links_of_call(&mut self, call: &CallExpression<'a>) {
        self.link(&call.callee);
        call.arguments.iter().for_each(|argument| self.visit_argument(argument));
    }

    fn call(&mut self, it: &CallExpression<'a>) {
        if let Expression::Identifier(name) = &it.callee
            && name.name == "eval"
        {
            let site = self.site(it.span, "eval");
            self.insert(it.span.start, format!("(__k$.y({site}),"));
            self.links_of_call(it);
            return self.insert(it.span.end, ")");
        }
        if !is_followed_call(it) {
            return self.links_of_call(it);
        }
        let site = self.site(it.span, self.text(it.callee.span()));
        let (start, end) = (it.span.start, it.callee.span().end);
        // Parentheses around a method do not take its object away.
        match it.callee.without_parentheses() {
            Expression::StaticMemberExpression(member) => {
                self.replace(start, member.object.span().start, "__k$.C(__k$.F(");
                self.pair(&member.object);
                let name = member.property.name.as_str();
                self.replace(member.object.span().end, end, &format!(",{name:?})"));
            }
            Expression::ComputedMemberExpression(member) => {
                self.replace(start, member.object.span().start, "__k$.C(__k$.F(");
                self.pair(&member.object);
                self.replace(member.object.span().end, member.expression.span().start, ",");
                self.lose(&member.expression);
                self.replace(member.expression.span().end, end, ")");
            }
            _ => {
                self.insert(start, "__k$.C(__k$.E(");
                self.value(&it.callee);
                self.insert(end, ")");
            }
        }
        self.arguments(it.callee.span().end, &it.arguments, it.span.end, site);
    }

    /// The arguments of a call, from the end of what is called to the end of the call.
    fn arguments(&mut self, from: u32, arguments: &[Argument<'a>], end: u32, site: u32) {
        let first = if arguments.is_empty() { format!(",{site}") } else { format!(",{site},") };
        self.separated(from, arguments, end, &first, ")");
    }

    /// Arguments as values, each with what is known of it, between two texts. What is spread is told apart by the runtime.
    pub fn separated(&mut self, from: u32, arguments: &[Argument<'a>], end: u32, open: &str, close: &str) {
        let mut last = (from, open);
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => {
                    self.replace(last.0, spread.argument.span().start, &format!("{}__k$.sp(", last.1));
                    self.value(&spread.argument);
                    self.insert(spread.argument.span().end, "),__k$.SP");
                    last = (spread.span.end, ",");
                }
                argument => {
                    let Some(argument) = argument.as_expression() else { continue };
                    self.replace(last.0, argument.span().start, last.1);
                    self.pair(argument);
                    last = (argument.span().end, ",");
                }
            }
        }
        let open = if arguments.is_empty() { open } else { "" };
        self.replace(last.0, end, &format!("{open}{close}"));
    }

    fn construct(&mut self, it: &NewExpression<'a>) {
        let site = self.site(it.span, self.text(it.callee.span()));
        self.replace(it.span.start, it.callee.span().start, "__k$.N(");
        self.value(&it.callee);
        self.arguments(it.callee.span().end, &it.arguments, it.span.end, site);
    }
}

fn is_followed_call(it: &CallExpression<'_>) -> bool {
    let callee = match it.callee.without_parentheses() {
        Expression::Super(_) | Expression::PrivateFieldExpression(_) | Expression::ChainExpression(_) => false,
        Expression::Identifier(name) => name.name != "eval",
        Expression::StaticMemberExpression(member) => !matches!(member.object, Expression::Super(_)),
        Expression::ComputedMemberExpression(member) => !matches!(member.object, Expression::Super(_)),
        _ => true,
    };
    callee && !it.optional
}

/// The sign of an operator that the runtime computes.
pub(super) fn followed(operator: BinaryOperator) -> Option<&'static str> {
    match operator {
        BinaryOperator::In | BinaryOperator::Instanceof => None,
        other => Some(other.as_str()),
    }
}
