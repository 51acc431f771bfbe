//! What a program reads back from the elements of its page. Told to the runtime, which makes these parts of every element a part of
//! the state; all of them would be too many.

use std::collections::BTreeSet;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};

/// Properties of elements, of their data and of their styles.
const PROPERTIES: [&str; 11] = [
    "textContent",
    "innerText",
    "innerHTML",
    "hidden",
    "disabled",
    "className",
    "title",
    "open",
    "dataset",
    "style",
    "display",
];
/// Functions whose first argument names what is read.
const FUNCTIONS: [&str; 3] = ["contains", "getAttribute", "hasAttribute"];

#[derive(Default)]
struct ReadBack {
    names: BTreeSet<String>,
    /// Texts of one character: keys, if the program listens to keys.
    characters: BTreeSet<String>,
    reads_keys: bool,
}

/// The call that tells the runtime of them; empty if the program reads nothing back.
pub(super) fn read_back(program: &Program<'_>) -> String {
    let mut found = ReadBack::default();
    found.visit_program(program);
    let keys = found.characters.iter().filter(|_| found.reads_keys).map(|character| format!("key {character}"));
    let names: Vec<String> = found.names.into_iter().chain(keys).map(|name| format!("{name:?}")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("__k$.rb({});", names.join(",")),
    }
}

impl<'a> Visit<'a> for ReadBack {
    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let name = it.property.name.as_str();
        if PROPERTIES.contains(&name) {
            self.names.insert(name.to_string());
        }
        self.reads_keys |= name == "key";
        walk::walk_static_member_expression(self, it);
    }

    /// What is only written is not read.
    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        match &it.left {
            AssignmentTarget::StaticMemberExpression(member) if it.operator == AssignmentOperator::Assign => {
                self.visit_expression(&member.object);
                self.visit_expression(&it.right);
            }
            _ => walk::walk_assignment_expression(self, it),
        }
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        if let [character] = it.value.as_bytes()
            && (character.is_ascii_alphanumeric() || b"+-*/?.,=".contains(character))
        {
            self.characters.insert(it.value.to_string());
        }
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::StaticMemberExpression(callee) = &it.callee
            && FUNCTIONS.contains(&callee.property.name.as_str())
            && let Some(Argument::StringLiteral(name)) = it.arguments.first()
            // What is written into the code must be the same text in it.
            && name.value.chars().all(|character| character.is_ascii_alphanumeric() || "-_: ".contains(character))
        {
            self.names.insert(format!("{} {}", callee.property.name, name.value));
        }
        walk::walk_call_expression(self, it);
    }
}
