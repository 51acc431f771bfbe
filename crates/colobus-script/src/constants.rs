//! Constants that a script compares with: what a user would have to type, or a server to answer, to get past a condition.
//! Read from sources by [`constants`]; explorers fill forms with them and mock servers answer with them.

use std::collections::BTreeMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, SourceType, Span};
use serde::{Deserialize, Serialize};

use crate::parse::{Unparsed, with_program};
use crate::position::{Position, Positions};

/// A function, or the top level of a script, and the constants in its own code.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Function {
    /// Its name as far as the source tells; empty for the top level and for functions without one.
    pub name: String,
    pub position: Position,
    /// In the order of the source.
    pub constants: Vec<Constant>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Constant {
    pub value: ConstantValue,
    pub position: Position,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ConstantValue {
    Text(String),
    Number(f64),
    /// The source of a regular expression, without flags.
    Pattern(String),
}

/// The constants that `source` compares with, by function; functions without any are left out.
pub fn constants(source: &str, is_module: bool) -> Result<Vec<Function>, Unparsed> {
    let source_type = if is_module { SourceType::mjs() } else { SourceType::script() };
    with_program(source, source_type, |program| {
        let mut collector = Collector { functions: vec![(Span::new(0, 0), String::new())], ..Collector::default() };
        collector.visit_program(program);
        Ok(collector.finish(source))
    })
}

/// Methods whose argument, or whose receiver if that is a list of constants, is compared with.
const COMPARING: [&str; 11] = [
    "endsWith",
    "equals",
    "exec",
    "getItem",
    "has",
    "includes",
    "indexOf",
    "lastIndexOf",
    "match",
    "startsWith",
    "test",
];

#[derive(Default)]
struct Collector {
    /// The functions around the visited node, outermost first: where they start, and their names.
    functions: Vec<(Span, String)>,
    /// The name that the next function gets from what it is assigned to.
    inherited: String,
    /// By the start of the function, then in the order of the source.
    found: BTreeMap<(u32, String), BTreeMap<u32, ConstantValue>>,
}

impl Collector {
    fn add(&mut self, at: Span, value: ConstantValue) {
        if let Some((function, name)) = self.functions.last() {
            self.found.entry((function.start, name.clone())).or_default().insert(at.start, value);
        }
    }

    /// Adds what a side of a comparison consists of: a literal, or a list of them.
    fn compared(&mut self, side: &Expression<'_>) {
        let value = match side.without_parentheses() {
            Expression::StringLiteral(literal) => ConstantValue::Text(literal.value.to_string()),
            Expression::NumericLiteral(literal) => ConstantValue::Number(literal.value),
            Expression::RegExpLiteral(literal) => ConstantValue::Pattern(literal.regex.pattern.text.to_string()),
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                let text = template.quasis.first().and_then(|part| part.value.cooked.as_ref());
                ConstantValue::Text(text.map(|text| text.to_string()).unwrap_or_default())
            }
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryNegation => {
                let Expression::NumericLiteral(literal) = &unary.argument else { return };
                ConstantValue::Number(-literal.value)
            }
            Expression::ArrayExpression(array) => {
                array
                    .elements
                    .iter()
                    .filter_map(ArrayExpressionElement::as_expression)
                    .for_each(|it| self.compared(it));
                return;
            }
            _ => return,
        };
        self.add(side.span(), value);
    }

    fn within(&mut self, span: Span, name: Option<&str>, visit: impl FnOnce(&mut Self)) {
        let inherited = std::mem::take(&mut self.inherited);
        self.functions.push((span, name.map_or(inherited, str::to_string)));
        visit(self);
        self.functions.pop();
    }

    fn named(&mut self, name: &str, value: &Expression<'_>, visit: impl FnOnce(&mut Self)) {
        let is_function = value.is_anonymous_function_definition();
        self.inherited = if is_function { name.to_string() } else { String::new() };
        visit(self);
        self.inherited.clear();
    }

    fn finish(self, source: &str) -> Vec<Function> {
        let offsets = self.found.iter().flat_map(|((start, _), found)| found.keys().copied().chain([*start]));
        let mut offsets: Vec<u32> = offsets.collect();
        offsets.sort_unstable();
        let mut positions = Positions::new(source);
        let located: BTreeMap<u32, Position> =
            offsets.into_iter().map(|offset| (offset, positions.of(offset as usize))).collect();
        let function = |((start, name), found): ((u32, String), BTreeMap<u32, ConstantValue>)| Function {
            name,
            position: located[&start],
            constants: found.into_iter().map(|(at, value)| Constant { value, position: located[&at] }).collect(),
        };
        self.found.into_iter().map(function).collect()
    }
}

impl<'a> Visit<'a> for Collector {
    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        if it.operator.is_equality() || it.operator.is_compare() {
            // `typeof x === "string"` compares with no value that a user or a server could give.
            let is_type = |side: &Expression<'_>| matches!(side.without_parentheses(), Expression::UnaryExpression(it) if it.operator == UnaryOperator::Typeof);
            if !is_type(&it.left) && !is_type(&it.right) {
                self.compared(&it.left);
                self.compared(&it.right);
            }
        }
        walk::walk_binary_expression(self, it);
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        for test in it.cases.iter().filter_map(|case| case.test.as_ref()) {
            self.compared(test);
        }
        walk::walk_switch_statement(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Some(member) = it.callee.get_member_expr()
            && member.static_property_name().is_some_and(|name| COMPARING.contains(&name))
        {
            self.compared(member.object());
            it.arguments.iter().filter_map(Argument::as_expression).for_each(|argument| self.compared(argument));
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_function(&mut self, it: &oxc_ast::ast::Function<'a>, flags: ScopeFlags) {
        let name = it.id.as_ref().map(|id| id.name.as_str());
        self.within(it.span, name, |this| walk::walk_function(this, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.within(it.span, None, |this| walk::walk_arrow_function_expression(this, it));
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        match (&it.id, &it.init) {
            (BindingPattern::BindingIdentifier(name), Some(init)) => {
                self.named(&name.name, init, |this| walk::walk_variable_declarator(this, it));
            }
            _ => walk::walk_variable_declarator(self, it),
        }
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let name = match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => name.name.as_str(),
            AssignmentTarget::StaticMemberExpression(member) => member.property.name.as_str(),
            _ => "",
        };
        self.named(name, &it.right, |this| walk::walk_assignment_expression(this, it));
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        let name = it.key.static_name().unwrap_or_default();
        self.named(&name, &it.value, |this| walk::walk_object_property(this, it));
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        self.inherited = it.key.static_name().map(|name| name.into_owned()).unwrap_or_default();
        walk::walk_method_definition(self, it);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<(String, Vec<String>)> {
        let shown = |constant: Constant| format!("{:?}@{}", constant.value, constant.position.column);
        let functions = constants(source, false).unwrap();
        functions.into_iter().map(|it| (it.name, it.constants.into_iter().map(shown).collect())).collect()
    }

    #[test]
    fn comparisons_are_kept_by_function() {
        let source = "if (a === 'top') b = x => { switch (x) { case 'one': case 2: } }; function f(k) { return k < -3 || k == `t` }";
        assert_eq!(
            found(source),
            [
                (String::new(), vec!["Text(\"top\")@11".to_string()]),
                ("b".to_string(), vec!["Text(\"one\")@47".to_string(), "Number(2.0)@59".to_string()]),
                ("f".to_string(), vec!["Number(-3.0)@94".to_string(), "Text(\"t\")@105".to_string()]),
            ]
        );
    }

    #[test]
    fn methods_that_compare_count() {
        let texts = |source: &str| found(source).into_iter().flat_map(|(_, constants)| constants).collect::<Vec<_>>();
        assert_eq!(texts("['a', 'b'].includes(x)"), ["Text(\"a\")@2", "Text(\"b\")@7"]);
        assert_eq!(texts("x?.startsWith('he')"), ["Text(\"he\")@15"]);
        assert_eq!(texts("x.match(/^a+$/i)"), ["Pattern(\"^a+$\")@9"]);
        assert_eq!(texts("/b/.test(x)"), ["Pattern(\"b\")@1"]);
    }

    #[test]
    fn types_and_other_strings_do_not() {
        assert_eq!(found("typeof x === 'string' && log('message'); x = 'y' + 1"), []);
    }

    #[test]
    fn functions_take_the_names_of_methods_and_properties() {
        let names: Vec<String> = found(
            "class A { m(x) { return x === 1 } } o.p = function (x) { return x === 2 }; q = { r: (x) => x === 3 }",
        )
        .into_iter()
        .map(|(name, _)| name)
        .collect();
        assert_eq!(names, ["m", "p", "r"]);
    }
}
