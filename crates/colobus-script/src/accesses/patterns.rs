//! Destructuring, and what loops iterate over.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::rewriter::{Rewriter, Touch};

impl<'a> Rewriter<'_> {
    /// `[x, o.p] = v` becomes `__c$.z([x, o.p] = v, …)`, with a log of every name that is assigned.
    pub(super) fn pattern_assignment(&mut self, it: &AssignmentExpression<'a>) {
        let names = assigned_names(&it.left);
        let logs: String = names.iter().filter_map(|name| self.unknown_write(name)).collect();
        if !logs.is_empty() {
            self.insert(it.span.start, "__c$.z(");
        }
        self.visit_assignment_target(&it.left);
        let source = assigned_source(&it.left);
        self.source(&it.right, &source);
        if !logs.is_empty() {
            self.insert(it.span.end, format!("{logs})"));
        }
    }

    /// `var {a, b} = v` becomes `var {a, b} = __c$.z(v, …)`.
    pub(super) fn pattern_declaration(&mut self, it: &VariableDeclarator<'a>, init: &Expression<'a>) {
        self.visit_binding_pattern(&it.id);
        let logs = self.bound_writes(&it.id);
        if !logs.is_empty() {
            self.insert(init.span().start, "__c$.z(");
        }
        let source = bound_source(&it.id);
        self.source(init, &source);
        if !logs.is_empty() {
            self.insert(init.span().end, format!("{logs})"));
        }
    }

    /// What a loop goes over is read as a whole; what it assigns is written.
    pub(super) fn iterated(&mut self, right: &Expression<'a>, left: &ForStatementLeft<'a>) {
        let logs: String = match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                declaration.declarations.iter().map(|declarator| self.bound_writes(&declarator.id)).collect()
            }
            left => {
                let names = left.as_assignment_target().map(assigned_names).unwrap_or_default();
                names.iter().filter_map(|name| self.unknown_write(name)).collect()
            }
        };
        let site = self.site(right.span(), "");
        // Brackets, because `for (x in a, b)` is allowed.
        let (before, after) = match logs.is_empty() {
            true => ("__c$.i((".to_string(), format!("),{site})")),
            false => ("__c$.z(__c$.i((".to_string(), format!("),{site}){logs})")),
        };
        self.around(right.span(), before, |this| this.visit_expression(right), after);
    }

    /// Logs the properties of its arguments that a function's parameters take apart. Arrow functions have no `arguments`.
    pub(super) fn parameter_reads(&mut self, parameters: &FormalParameters<'a>) -> String {
        let mut reads = String::new();
        for (index, parameter) in parameters.items.iter().enumerate() {
            let source = bound_source(&parameter.pattern);
            if !source.is_empty() {
                let site = self.site(parameter.span, "");
                reads.push_str(&format!("__c$.p(arguments[{index}],{source},{site});"));
            }
        }
        reads
    }

    fn source(&mut self, value: &Expression<'a>, source: &str) {
        let visit = |this: &mut Self| this.visit_expression(value);
        match source {
            "" => visit(self),
            _ => {
                let site = self.site(value.span(), "");
                self.around(value.span(), "__c$.p(".into(), visit, format!(",{source},{site})"));
            }
        }
    }

    fn bound_writes(&mut self, pattern: &BindingPattern<'a>) -> String {
        let names = pattern.get_binding_identifiers();
        let mut logs = String::new();
        for name in names {
            let variable = self.binding(name);
            logs.extend(self.unknown_write_of(variable, &name.name, name.span));
        }
        logs
    }

    fn unknown_write(&mut self, name: &IdentifierReference<'a>) -> Option<String> {
        let variable = self.variable(name);
        self.unknown_write_of(variable, &name.name, name.span)
    }

    fn unknown_write_of(&mut self, variable: super::variables::Variable, name: &str, at: Span) -> Option<String> {
        let (before, after) = self.log_write(variable, name, at, Touch::Write)?;
        Some(format!(",{before}__c$.u{after}"))
    }
}

/// All of an object, or all that it iterates over.
const WHOLE: &str = "1";

/// What a pattern reads: a list of names, each followed by what is read of its value (0: nothing).
fn spec(properties: impl Iterator<Item = Option<(String, String)>>, has_rest: bool) -> String {
    let mut entries = Vec::new();
    for property in properties {
        match property {
            Some((name, value)) => entries.push(format!("{name:?},{}", if value.is_empty() { "0" } else { &value })),
            None => return WHOLE.into(),
        }
    }
    if has_rest { WHOLE.into() } else { format!("[{}]", entries.join(",")) }
}

fn bound_source(pattern: &BindingPattern<'_>) -> String {
    match pattern {
        BindingPattern::BindingIdentifier(_) => String::new(),
        BindingPattern::ArrayPattern(_) => WHOLE.into(),
        BindingPattern::AssignmentPattern(with_default) => bound_source(&with_default.left),
        BindingPattern::ObjectPattern(object) => {
            let property = |property: &BindingProperty<'_>| {
                Some((property.key.static_name()?.into_owned(), bound_source(&property.value)))
            };
            spec(object.properties.iter().map(property), object.rest.is_some())
        }
    }
}

fn assigned_source(target: &AssignmentTarget<'_>) -> String {
    match target {
        AssignmentTarget::ArrayAssignmentTarget(_) => WHOLE.into(),
        AssignmentTarget::ObjectAssignmentTarget(object) => {
            let property = |property: &AssignmentTargetProperty<'_>| match property {
                AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                    Some((it.binding.name.to_string(), String::new()))
                }
                AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                    let nested = target_of(&it.binding).map(assigned_source).unwrap_or_default();
                    Some((it.name.static_name()?.into_owned(), nested))
                }
            };
            spec(object.properties.iter().map(property), object.rest.is_some())
        }
        _ => String::new(),
    }
}

fn target_of<'b, 'a>(it: &'b AssignmentTargetMaybeDefault<'a>) -> Option<&'b AssignmentTarget<'a>> {
    match it {
        AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with_default) => Some(&with_default.binding),
        it => it.as_assignment_target(),
    }
}

/// The names that a target assigns.
fn assigned_names<'b, 'a>(target: &'b AssignmentTarget<'a>) -> Vec<&'b IdentifierReference<'a>> {
    let mut names = Vec::new();
    collect_names(target, &mut names);
    names
}

fn collect_names<'b, 'a>(target: &'b AssignmentTarget<'a>, names: &mut Vec<&'b IdentifierReference<'a>>) {
    match target {
        AssignmentTarget::AssignmentTargetIdentifier(name) => names.push(name),
        AssignmentTarget::ArrayAssignmentTarget(array) => {
            array.elements.iter().flatten().filter_map(target_of).for_each(|target| collect_names(target, names));
            array.rest.iter().for_each(|rest| collect_names(&rest.target, names));
        }
        AssignmentTarget::ObjectAssignmentTarget(object) => {
            for property in &object.properties {
                match property {
                    AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => names.push(&it.binding),
                    AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                        target_of(&it.binding).into_iter().for_each(|target| collect_names(target, names));
                    }
                }
            }
            object.rest.iter().for_each(|rest| collect_names(&rest.target, names));
        }
        _ => {}
    }
}
