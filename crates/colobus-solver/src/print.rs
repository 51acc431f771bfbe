//! Terms as SMT-LIB 2. Variables get plain aliases, so that a name from a page cannot break a script and queries that
//! differ only in names have the same text; inner nodes that occur several times are defined once.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::term::{Node, Sort, Term, Value};

/// A variable of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name in the script.
    pub alias: String,
    /// Its name in the terms.
    pub name: Arc<str>,
    /// Its sort.
    pub sort: Sort,
}

/// Declarations, definitions and assertions of a query, and what the aliases in it mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// SMT-LIB commands, one a line.
    pub text: String,
    /// The variables, in the order of their aliases.
    pub variables: Vec<Declared>,
}

/// The script that asserts all terms.
pub fn script(assertions: &[Term]) -> Script {
    let mut printer = Printer::default();
    for term in assertions {
        printer.count(term);
    }
    let asserted: Vec<String> = assertions.iter().map(|term| printer.write(term)).collect();
    let mut text = String::new();
    for variable in &printer.variables {
        let _ = writeln!(text, "(declare-const {} {})", variable.alias, sort(variable.sort));
    }
    text.push_str(&printer.definitions);
    for term in asserted {
        let _ = writeln!(text, "(assert {term})");
    }
    Script { text, variables: printer.variables }
}

/// One term for people to read, with the names that its variables have.
pub fn term(term: &Term) -> String {
    match term.node() {
        Node::Constant(value) => constant(value),
        Node::Variable(name, _) => name.to_string(),
        Node::Apply(op, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(self::term).collect();
            format!("({} {})", op.smt(), arguments.join(" "))
        }
        Node::Matches(text, language) => format!("(str.in_re {} {})", self::term(text), language.to_smt()),
    }
}

#[derive(Default)]
struct Printer {
    variables: Vec<Declared>,
    aliases: HashMap<(Arc<str>, Sort), String>,
    occurrences: HashMap<usize, usize>,
    defined: HashMap<usize, String>,
    definitions: String,
}

impl Printer {
    fn count(&mut self, term: &Term) {
        let seen = self.occurrences.entry(term.address()).or_default();
        *seen += 1;
        if *seen > 1 {
            return;
        }
        match term.node() {
            Node::Apply(_, arguments) => arguments.iter().for_each(|argument| self.count(argument)),
            Node::Matches(text, _) => self.count(text),
            Node::Constant(_) | Node::Variable(..) => {}
        }
    }

    fn write(&mut self, term: &Term) -> String {
        let written = match term.node() {
            Node::Constant(value) => return constant(value),
            Node::Variable(name, sort) => return self.alias(name, *sort),
            _ if self.defined.contains_key(&term.address()) => return self.defined[&term.address()].clone(),
            Node::Apply(op, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.write(argument)).collect();
                format!("({} {})", op.smt(), arguments.join(" "))
            }
            Node::Matches(text, language) => format!("(str.in_re {} {})", self.write(text), language.to_smt()),
        };
        if self.occurrences.get(&term.address()).is_none_or(|count| *count < 2) {
            return written;
        }
        let name = format!("t{}", self.defined.len());
        let _ = writeln!(self.definitions, "(define-fun {name} () {} {written})", sort(term.sort()));
        self.defined.insert(term.address(), name.clone());
        name
    }

    fn alias(&mut self, name: &Arc<str>, sort: Sort) -> String {
        let key = (name.clone(), sort);
        if let Some(alias) = self.aliases.get(&key) {
            return alias.clone();
        }
        let alias = format!("v{}", self.variables.len());
        self.variables.push(Declared { alias: alias.clone(), name: name.clone(), sort });
        self.aliases.insert(key, alias.clone());
        alias
    }
}

fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Real => "Real",
        Sort::Text => "String",
    }
}

fn constant(value: &Value) -> String {
    let signed = |number: i128, written: String| if number < 0 { format!("(- {written})") } else { written };
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => signed(*value, value.unsigned_abs().to_string()),
        Value::Real(value) => {
            let (above, below) = (value.numerator().unsigned_abs(), value.denominator());
            let written = if below == 1 { format!("{above}.0") } else { format!("(/ {above}.0 {below}.0)") };
            signed(value.numerator(), written)
        }
        Value::Text(value) => value.to_smt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{int, text};

    #[test]
    fn names_are_replaced_and_shared_nodes_defined_once() {
        let x = Term::variable("a |) (exit", Sort::Int);
        let sum = x.plus(-1);
        let printed = script(&[sum.multiply(&sum).less(&int(5)), text("\u{e9}\"").equal(&text("a")).not()]);
        assert_eq!(
            printed.text,
            "(declare-const v0 Int)\n(define-fun t0 () Int (+ v0 (- 1)))\n(assert (< (* t0 t0) 5))\n(assert true)\n"
        );
        assert_eq!(&*printed.variables[0].name, "a |) (exit");
    }
}
