//! Functions, declarations and assignments: how symbolic values get into variables and properties.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeId;

use super::HEAD;
use super::bindings::Binding;
use super::expressions::followed;
use super::instrumenter::Instrumenter;

impl<'a> Instrumenter<'_> {
    fn prelude(&mut self, at: oxc_span::Span, slots: &[String], scope: Option<ScopeId>) -> String {
        let site = self.site(at, "");
        let slots = if slots.is_empty() { String::new() } else { format!("var {};", slots.join(",")) };
        format!("__k$.f({site});{slots}__k$.e();{}", self.registrations(scope))
    }

    fn enter(&mut self, scope: Option<ScopeId>) {
        let strict = scope.map_or(self.is_strict(), |scope| self.scoping.scope_flags(scope).is_strict_mode());
        self.strict.push(strict);
    }

    pub fn function(&mut self, it: &Function<'a>) {
        self.enter(it.scope_id.get());
        let slots = self.parameter_slots(&it.params);
        if let Some(body) = &it.body {
            let prelude = self.prelude(it.span, &slots, it.scope_id.get());
            // Directives must come first.
            let at = body.statements.first().map_or(body.span.end - 1, |first| first.span().start);
            self.insert(at, prelude);
            self.branch(&body.statements);
        }
        self.strict.pop();
    }

    pub fn arrow(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.enter(it.scope_id.get());
        let slots = self.parameter_slots(&it.params);
        let prelude = self.prelude(it.span, &slots, it.scope_id.get());
        match &it.body {
            ArrowFunctionBody::FunctionBody(body) => {
                let at = body.statements.first().map_or(body.span.end - 1, |first| first.span().start);
                self.insert(at, prelude);
                self.branch(&body.statements);
            }
            body => {
                if let Some(value) = body.as_expression() {
                    let site = self.site(value.span(), HEAD);
                    self.insert(value.span().start, format!("{{{prelude}__k$.s({site});return("));
                    self.producing(value);
                    self.insert(value.span().end, ")}");
                }
            }
        }
        self.strict.pop();
    }

    pub fn declarator(&mut self, it: &VariableDeclarator<'a>) {
        let BindingPattern::BindingIdentifier(name) = &it.id else {
            return self.pattern_declarator(it);
        };
        match (self.declared(name), &it.init) {
            (Binding::Slot, Some(init)) => {
                let taken = if self.produces(init) { "__k$.t()" } else { "null" };
                self.value(init);
                self.insert(it.span.end, format!(",__k${}={taken}", name.name));
            }
            (Binding::Slot, None) => self.insert(it.span.end, format!(",__k${}", name.name)),
            (Binding::Global, Some(init)) if self.produces(init) => {
                self.insert(init.span().start, format!("__k$.G({:?},", name.name.as_str()));
                self.pair(init);
                self.insert(init.span().end, ")");
            }
            (_, init) => init.iter().for_each(|init| self.visit_expression(init)),
        }
    }

    pub fn is_followed_target(&self, it: &SimpleAssignmentTarget<'a>) -> bool {
        match it {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                matches!(self.binding(name), Binding::Slot | Binding::Global)
            }
            SimpleAssignmentTarget::StaticMemberExpression(member) => !matches!(member.object, Expression::Super(_)),
            SimpleAssignmentTarget::ComputedMemberExpression(member) => !matches!(member.object, Expression::Super(_)),
            _ => false,
        }
    }

    pub fn is_followed_assignment(&self, it: &AssignmentExpression<'a>) -> bool {
        let Some(target) = it.left.as_simple_assignment_target() else { return false };
        // What is assigned to a property only sometimes becomes a function, which cannot wait.
        let is_name = matches!(target, SimpleAssignmentTarget::AssignmentTargetIdentifier(_));
        let waits = !is_name && ["await", "yield"].iter().any(|word| self.text(it.right.span()).contains(word));
        let by_operator = !(it.operator.is_logical() && waits);
        // A function takes its name from the variable.
        let is_function = it.right.is_anonymous_function_definition();
        by_operator && !is_function && self.is_followed_target(target)
    }

    pub fn assignment(&mut self, it: &AssignmentExpression<'a>) {
        let Some(target) = it.left.as_simple_assignment_target() else { return self.pattern_assignment(it) };
        if !self.is_followed_assignment(it) {
            self.target_parts(target);
            return self.visit_expression(&it.right);
        }
        if let Some(operator) = it.operator.to_logical_operator() {
            return self.logical_assignment(it, target, operator);
        }
        let sign = it.operator.to_binary_operator().and_then(followed);
        let gap = (it.left.span().end, it.right.span().start);
        let site = self.site(it.span, self.text(it.left.span()));
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                let name_text = name.name.as_str();
                let is_slot = self.binding(name) == Binding::Slot;
                let beside = if is_slot { format!("__k${name_text}") } else { format!("__k$.h({name_text:?})") };
                let open = if is_slot { "__k$.v(".to_string() } else { format!("__k$.G({name_text:?},") };
                self.insert(it.span.start, open);
                match sign {
                    None => {
                        // Only the value is asked for; the register is taken after the assignment.
                        self.producing(&it.right);
                    }
                    Some(sign) => {
                        let text = format!("=__k$.b(\"{sign}\",{name_text},{beside},");
                        self.replace(gap.0, gap.1, &text);
                        self.pair(&it.right);
                        self.insert(it.right.span().end, format!(",{site})"));
                    }
                }
                let store = if is_slot { format!(",__k${name_text}=__k$.t())") } else { ",__k$.t())".to_string() };
                self.insert(it.span.end, store);
            }
            member => {
                let strict = u8::from(self.is_strict());
                let function = if sign.is_some() { "z" } else { "W" };
                self.insert(it.span.start, format!("__k$.{function}({strict},"));
                if let Some(sign) = sign {
                    self.insert(it.span.start, format!("{sign:?},{site},__k$.r("));
                }
                self.place(member);
                self.replace(gap.0, gap.1, if sign.is_some() { ")," } else { "," });
                self.pair(&it.right);
                self.insert(it.span.end, ")");
            }
        }
    }

    /// `x ||= v` becomes `(__k$.a(x,…) || (x = v …))`; for a property, what is assigned is a function.
    fn logical_assignment(
        &mut self,
        it: &AssignmentExpression<'a>,
        target: &SimpleAssignmentTarget<'a>,
        operator: LogicalOperator,
    ) {
        let site = self.site(it.span, self.text(it.left.span()));
        let gap = (it.left.span().end, it.right.span().start);
        let sign = operator.as_str();
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = target {
            let function = if operator == LogicalOperator::Coalesce { "q" } else { "a" };
            let name = name.name.as_str();
            let is_slot = matches!(&it.left, AssignmentTarget::AssignmentTargetIdentifier(name) if self.binding(name) == Binding::Slot);
            let beside = if is_slot { format!("__k${name}") } else { format!("__k$.h({name:?})") };
            let store = if is_slot { "__k$.v(".to_string() } else { format!("__k$.G({name:?},") };
            let text = format!("(__k$.{function}({name},{beside},{site}){sign}{store}{name}=");
            self.replace(it.span.start, gap.1, &text);
            self.producing(&it.right);
            let kept = if is_slot { format!(",__k${name}=__k$.t()))") } else { ",__k$.t()))".to_string() };
            return self.insert(it.span.end, kept);
        }
        let strict = u8::from(self.is_strict());
        self.insert(it.span.start, format!("__k$.L({strict},{sign:?},{site},__k$.r("));
        self.place(target);
        self.replace(gap.0, gap.1, "),()=>(");
        self.producing(&it.right);
        self.insert(it.span.end, "))");
    }

    /// A property as two arguments: the object and the name. What follows the object is replaced.
    fn place(&mut self, it: &SimpleAssignmentTarget<'a>) {
        match it {
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                self.value(&member.object);
                let name = member.property.name.as_str();
                self.replace(member.object.span().end, member.span.end, &format!(",{name:?}"));
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                self.value(&member.object);
                self.replace(member.object.span().end, member.expression.span().start, ",");
                self.lose(&member.expression);
                self.replace(member.expression.span().end, member.span.end, "");
            }
            _ => {}
        }
    }

    /// The parts of a target that stays as it is written.
    pub fn target_parts(&mut self, it: &SimpleAssignmentTarget<'a>) {
        match it {
            SimpleAssignmentTarget::StaticMemberExpression(member) => self.link(&member.object),
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                self.link(&member.object);
                self.visit_expression(&member.expression);
            }
            SimpleAssignmentTarget::PrivateFieldExpression(member) => self.link(&member.object),
            _ => {}
        }
    }

    pub fn update(&mut self, it: &UpdateExpression<'a>) {
        if !self.is_followed_target(&it.argument) {
            return self.target_parts(&it.argument);
        }
        let step = if it.operator == UpdateOperator::Increment { 1 } else { -1 };
        let argument = it.argument.span();
        match &it.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                let name_text = name.name.as_str();
                let is_slot = self.binding(name) == Binding::Slot;
                let beside = if is_slot { format!("__k${name_text}") } else { format!("__k$.h({name_text:?})") };
                let store = match is_slot {
                    true => format!("__k$.v({name_text}=__k$.i({name_text},{beside},{step}),{beside}=__k$.t())"),
                    false => {
                        format!("__k$.G({name_text:?},{name_text}=__k$.i({name_text},{beside},{step}),__k$.t())")
                    }
                };
                let text = match it.prefix {
                    true => store,
                    false => format!("__k$.P({name_text},{beside},{store})"),
                };
                self.replace(it.span.start, it.span.end, &text);
            }
            member => {
                let (strict, prefix) = (u8::from(self.is_strict()), u8::from(it.prefix));
                self.replace(it.span.start, argument.start, &format!("__k$.I({strict},{prefix},{step},__k$.r("));
                self.place(member);
                self.replace(argument.end, it.span.end, "))");
            }
        }
    }
}
