//! Constructors of terms, as functions and methods. They compute what is constant, so that terms stay small and a
//! condition that is plainly false never reaches a solver.

use crate::evaluate::apply;
use crate::regex::Regex;
use crate::term::{Node, Op, Sort, Term, Value};
use crate::text::Text;

/// A truth value.
pub fn boolean(value: bool) -> Term {
    Term::constant(Value::Bool(value))
}

/// An integer.
pub fn int(value: i64) -> Term {
    Term::constant(Value::Int(value.into()))
}

/// A real number.
pub fn real(value: crate::Rational) -> Term {
    Term::constant(Value::Real(value))
}

/// A text.
pub fn text(value: impl Into<Text>) -> Term {
    Term::constant(Value::Text(value.into()))
}

/// All of them hold.
pub fn all(terms: impl IntoIterator<Item = Term>) -> Term {
    terms.into_iter().fold(boolean(true), |sum, term| sum.and(&term))
}

/// One of them holds.
pub fn any(terms: impl IntoIterator<Item = Term>) -> Term {
    terms.into_iter().fold(boolean(false), |sum, term| sum.or(&term))
}

/// `then` if `condition` holds, `otherwise` if not.
pub fn ite(condition: &Term, then: &Term, otherwise: &Term) -> Term {
    match condition.as_constant() {
        Some(Value::Bool(true)) => return then.clone(),
        Some(Value::Bool(false)) => return otherwise.clone(),
        _ => {}
    }
    if then.address() == otherwise.address() || then.as_constant().is_some_and(|a| Some(a) == otherwise.as_constant()) {
        return then.clone();
    }
    match (then.as_constant(), otherwise.as_constant()) {
        (Some(Value::Bool(true)), Some(Value::Bool(false))) => condition.clone(),
        (Some(Value::Bool(false)), Some(Value::Bool(true))) => condition.not(),
        _ => operation(Op::Ite, vec![condition.clone(), then.clone(), otherwise.clone()], then.sort()),
    }
}

fn operation(op: Op, arguments: Vec<Term>, sort: Sort) -> Term {
    let values: Option<Vec<Value>> = arguments.iter().map(|term| term.as_constant().cloned()).collect();
    let value = values.and_then(|values| apply(op, &values).ok());
    value.map_or_else(|| Term::new(Node::Apply(op, arguments), sort), Term::constant)
}

fn is(term: &Term, value: bool) -> bool {
    term.as_constant() == Some(&Value::Bool(value))
}

/// Whether a term is the number `value`, as an integer or a real.
fn is_number(term: &Term, value: i64) -> bool {
    match term.as_constant() {
        Some(Value::Int(found)) => *found == i128::from(value),
        Some(Value::Real(found)) => *found == value.into(),
        _ => false,
    }
}

impl Term {
    /// It does not hold.
    pub fn not(&self) -> Term {
        match self.node() {
            Node::Apply(Op::Not, inner) => inner[0].clone(),
            _ => operation(Op::Not, vec![self.clone()], Sort::Bool),
        }
    }

    /// Both hold.
    pub fn and(&self, other: &Term) -> Term {
        if is(self, true) || is(other, false) || self.address() == other.address() {
            return other.clone();
        }
        if is(other, true) || is(self, false) {
            return self.clone();
        }
        operation(Op::And, vec![self.clone(), other.clone()], Sort::Bool)
    }

    /// One of the two holds.
    pub fn or(&self, other: &Term) -> Term {
        if is(self, false) || is(other, true) || self.address() == other.address() {
            return other.clone();
        }
        if is(other, false) || is(self, true) {
            return self.clone();
        }
        operation(Op::Or, vec![self.clone(), other.clone()], Sort::Bool)
    }

    /// If this holds, so does the other.
    pub fn implies(&self, other: &Term) -> Term {
        self.not().or(other)
    }

    /// Both are the same.
    pub fn equal(&self, other: &Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort());
        if self.address() == other.address() {
            return boolean(true);
        }
        operation(Op::Equal, vec![self.clone(), other.clone()], Sort::Bool)
    }

    /// The sum.
    pub fn add(&self, other: &Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort());
        match (is_number(self, 0), is_number(other, 0)) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            _ => operation(Op::Add, vec![self.clone(), other.clone()], self.sort()),
        }
    }

    /// The sum with a constant integer.
    pub fn plus(&self, constant: i64) -> Term {
        self.add(&self.number(constant))
    }

    /// The difference.
    pub fn subtract(&self, other: &Term) -> Term {
        self.add(&other.negate())
    }

    /// The number with the other sign.
    pub fn negate(&self) -> Term {
        self.multiply(&self.number(-1))
    }

    /// The product.
    pub fn multiply(&self, other: &Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort());
        match (is_number(self, 1), is_number(other, 1)) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            _ if is_number(self, 0) || is_number(other, 0) => self.number(0),
            _ => operation(Op::Multiply, vec![self.clone(), other.clone()], self.sort()),
        }
    }

    /// The quotient of two reals.
    pub fn divide(&self, other: &Term) -> Term {
        operation(Op::Divide, vec![self.clone(), other.clone()], Sort::Real)
    }

    /// It is less than the other.
    pub fn less(&self, other: &Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort());
        operation(Op::Less, vec![self.clone(), other.clone()], Sort::Bool)
    }

    /// It is at most the other.
    pub fn at_most(&self, other: &Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort());
        operation(Op::AtMost, vec![self.clone(), other.clone()], Sort::Bool)
    }

    /// The integer as a real.
    pub fn to_real(&self) -> Term {
        operation(Op::ToReal, vec![self.clone()], Sort::Real)
    }

    /// The greatest integer that is not greater than this real.
    pub fn floor(&self) -> Term {
        match self.node() {
            Node::Apply(Op::ToReal, inner) => inner[0].clone(),
            _ => operation(Op::Floor, vec![self.clone()], Sort::Int),
        }
    }

    /// This real is an integer.
    pub fn is_integral(&self) -> Term {
        self.floor().to_real().equal(self)
    }

    /// The number of units of this text.
    pub fn length(&self) -> Term {
        operation(Op::Length, vec![self.clone()], Sort::Int)
    }

    /// This text and then another.
    pub fn concat(&self, other: &Term) -> Term {
        let empty = |term: &Term| matches!(term.as_constant(), Some(Value::Text(text)) if text.is_empty());
        match (empty(self), empty(other)) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            _ => operation(Op::Concat, vec![self.clone(), other.clone()], Sort::Text),
        }
    }

    /// The part of this text from `start`, `length` units long; empty if it starts outside.
    pub fn substring(&self, start: &Term, length: &Term) -> Term {
        operation(Op::Substring, vec![self.clone(), start.clone(), length.clone()], Sort::Text)
    }

    /// The index of `part` from `from` on; -1 if there is none.
    pub fn index_of(&self, part: &Term, from: &Term) -> Term {
        operation(Op::IndexOf, vec![self.clone(), part.clone(), from.clone()], Sort::Int)
    }

    /// This text contains a part.
    pub fn contains(&self, part: &Term) -> Term {
        operation(Op::Contains, vec![self.clone(), part.clone()], Sort::Bool)
    }

    /// This text begins with another.
    pub fn begins_with(&self, prefix: &Term) -> Term {
        operation(Op::PrefixOf, vec![prefix.clone(), self.clone()], Sort::Bool)
    }

    /// This text ends with another.
    pub fn ends_with(&self, suffix: &Term) -> Term {
        operation(Op::SuffixOf, vec![suffix.clone(), self.clone()], Sort::Bool)
    }

    /// This text comes before another, unit by unit.
    pub fn text_less(&self, other: &Term) -> Term {
        operation(Op::TextLess, vec![self.clone(), other.clone()], Sort::Bool)
    }

    /// The number that this text of ASCII digits stands for; -1 for any other text.
    pub fn digits_to_int(&self) -> Term {
        operation(Op::DigitsToInt, vec![self.clone()], Sort::Int)
    }

    /// The decimal digits of this integer; empty if it is negative.
    pub fn int_to_digits(&self) -> Term {
        operation(Op::IntToDigits, vec![self.clone()], Sort::Text)
    }

    /// The whole text belongs to a language.
    pub fn matches(&self, language: &Regex) -> Term {
        match self.as_constant() {
            Some(Value::Text(text)) => boolean(language.matches(text)),
            _ => Term::new(Node::Matches(self.clone(), language.clone()), Sort::Bool),
        }
    }

    /// A constant of the same numeric sort as this term.
    fn number(&self, value: i64) -> Term {
        if self.sort() == Sort::Real { real(value.into()) } else { int(value) }
    }
}
