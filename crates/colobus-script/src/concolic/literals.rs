//! Literals with parts: templates, objects and arrays.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;

use super::instrumenter::Instrumenter;

impl<'a> Instrumenter<'_> {
    pub fn template(&mut self, it: &TemplateLiteral<'a>) {
        let cooked = |quasi: &TemplateElement<'_>| {
            let text = quasi.value.cooked.as_ref().map_or("", |cooked| cooked.as_str());
            javascript_string(text)
        };
        if it.quasis.iter().any(|quasi| quasi.lone_surrogates) {
            return self.visit_expressions(&it.expressions);
        }
        let quasis: Vec<String> = it.quasis.iter().map(cooked).collect();
        let open = format!("__k$.T([{}]", quasis.join(","));
        let mut last = it.span.start;
        for (index, part) in it.expressions.iter().enumerate() {
            let text = if index == 0 { format!("{open},") } else { ",".to_string() };
            self.replace(last, part.span().start, &text);
            self.pair(part);
            last = part.span().end;
        }
        let close = if it.expressions.is_empty() { format!("{open})") } else { ")".to_string() };
        self.replace(last, it.span.end, &close);
    }

    /// An object whose properties are plain or computed names and values, or copies of another object.
    pub fn object(&mut self, it: &ObjectExpression<'a>) {
        let names: Option<Vec<Vec<String>>> = it.properties.iter().map(property_name).collect();
        let names = names.map(|names| names.concat());
        let Some(names) = names.filter(|names| !names.is_empty()) else {
            return walk::walk_object_expression(self, it);
        };
        let names: Vec<String> = names.iter().map(|name| javascript_string(name)).collect();
        let mut last = (it.span.start, format!("__k$.O([{}],", names.join(",")));
        for property in &it.properties {
            let value = match property {
                ObjectPropertyKind::ObjectProperty(property) => {
                    if let Some(key) = property.key.as_expression().filter(|_| property.computed) {
                        self.replace(last.0, key.span().start, &format!("{}__k$.pk(", last.1));
                        self.value(key);
                        last = (key.span().end, "),null,".to_string());
                    }
                    &property.value
                }
                ObjectPropertyKind::SpreadProperty(spread) => &spread.argument,
            };
            self.replace(last.0, value.span().start, &last.1);
            self.pair(value);
            last = (value.span().end, ",".to_string());
        }
        self.replace(last.0, it.span.end, ")");
    }

    pub fn array(&mut self, it: &ArrayExpression<'a>) {
        let has_hole = it.elements.iter().any(|element| matches!(element, ArrayExpressionElement::Elision(_)));
        if has_hole || it.elements.is_empty() {
            return walk::walk_array_expression(self, it);
        }
        let mut last = (it.span.start, "__k$.A(");
        for element in &it.elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    self.replace(last.0, spread.argument.span().start, &format!("{}__k$.sp(", last.1));
                    self.value(&spread.argument);
                    self.insert(spread.argument.span().end, "),__k$.SP");
                    last = (spread.span.end, ",");
                }
                element => {
                    let Some(element) = element.as_expression() else { continue };
                    self.replace(last.0, element.span().start, last.1);
                    self.pair(element);
                    last = (element.span().end, ",");
                }
            }
        }
        self.replace(last.0, it.span.end, ")");
    }
}

/// What the parts of a property are called: its name; dots for a copy; brackets for a computed name and its value. A
/// function takes its name from the property, so an object with functions stays as it is written.
fn property_name(property: &ObjectPropertyKind<'_>) -> Option<Vec<String>> {
    match property {
        ObjectPropertyKind::SpreadProperty(_) => Some(vec!["...".to_string()]),
        ObjectPropertyKind::ObjectProperty(property) => {
            let is_plain = property.kind == PropertyKind::Init && !property.method;
            if !is_plain || property.value.is_anonymous_function_definition() {
                return None;
            }
            if property.computed {
                return Some(vec!["[".to_string(), "]".to_string()]);
            }
            let name = property.key.static_name()?;
            let is_free = !["__proto__", "...", "[", "]"].contains(&&*name);
            is_free.then(|| vec![name.to_string()])
        }
    }
}

/// A string literal.
pub(super) fn javascript_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for unit in text.encode_utf16() {
        match unit {
            0x22 | 0x5c => literal.extend(['\\', char::from(unit as u8)]),
            0x20..=0x7e => literal.push(char::from(unit as u8)),
            _ => literal.push_str(&format!("\\u{unit:04x}")),
        }
    }
    literal.push('"');
    literal
}
