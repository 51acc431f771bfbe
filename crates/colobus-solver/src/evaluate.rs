//! The meaning of terms, in Rust: the value of a term under a model. Consumed by every solver that returns a model, which
//! must make the query true here before it is believed, and by the constructors, which compute constants.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::model::Model;
use crate::rational::Rational;
use crate::term::{Node, Op, Term, Value};
use crate::text::Text;

/// Why a term has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// The model has no value for a variable.
    #[error("`{0}` has no value with an exact form")]
    Unassigned(String),
    /// A number beyond 128 bits, or a division by zero.
    #[error("a number has no exact value within 128 bits")]
    Number,
    /// An operator got arguments of the wrong sorts.
    #[error("`{0}` cannot be applied to these sorts")]
    Sorts(&'static str),
}

/// The value of a term.
pub fn evaluate(term: &Term, model: &Model) -> Result<Value, EvaluateError> {
    Evaluation { model, known: HashMap::new() }.value(term)
}

/// Whether all terms are true.
pub fn all_hold(terms: &[Term], model: &Model) -> Result<bool, EvaluateError> {
    let mut evaluation = Evaluation { model, known: HashMap::new() };
    for term in terms {
        if evaluation.value(term)? != Value::Bool(true) {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Evaluation<'a> {
    model: &'a Model,
    /// Values of inner nodes, so that shared ones are computed once.
    known: HashMap<usize, Value>,
}

impl Evaluation<'_> {
    fn value(&mut self, term: &Term) -> Result<Value, EvaluateError> {
        match term.node() {
            Node::Constant(value) => Ok(value.clone()),
            Node::Variable(name, _) => {
                self.model.get(name).cloned().ok_or_else(|| EvaluateError::Unassigned(name.to_string()))
            }
            _ if self.known.contains_key(&term.address()) => Ok(self.known[&term.address()].clone()),
            Node::Matches(text, language) => match self.value(text)? {
                Value::Text(text) => Ok(Value::Bool(language.matches(&text))),
                _ => Err(EvaluateError::Sorts("str.in_re")),
            },
            Node::Apply(op, arguments) => {
                let value = self.apply(*op, arguments)?;
                self.known.insert(term.address(), value.clone());
                Ok(value)
            }
        }
    }

    /// Connectives and conditionals evaluate only what decides, so that a guard protects what it guards.
    fn apply(&mut self, op: Op, arguments: &[Term]) -> Result<Value, EvaluateError> {
        match (op, arguments) {
            (Op::And | Op::Or, [first, second]) => {
                let decides = Value::Bool(op == Op::Or);
                if self.value(first)? == decides { Ok(decides) } else { self.value(second) }
            }
            (Op::Ite, [condition, then, otherwise]) => match self.value(condition)? {
                Value::Bool(true) => self.value(then),
                _ => self.value(otherwise),
            },
            _ => {
                let values = arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<_>, _>>()?;
                apply(op, &values)
            }
        }
    }
}

/// The value of an operator on values.
pub(crate) fn apply(op: Op, values: &[Value]) -> Result<Value, EvaluateError> {
    use Value::{Bool, Int, Real, Text as Str};
    let exact = |value: Option<Value>| value.ok_or(EvaluateError::Number);
    match (op, values) {
        (Op::Not, [Bool(a)]) => Ok(Bool(!a)),
        (Op::And, [Bool(a), Bool(b)]) => Ok(Bool(*a && *b)),
        (Op::Or, [Bool(a), Bool(b)]) => Ok(Bool(*a || *b)),
        (Op::Equal, [a, b]) if a.sort() == b.sort() => Ok(Bool(a == b)),
        (Op::Ite, [Bool(condition), a, b]) => Ok(if *condition { a.clone() } else { b.clone() }),
        (Op::Add, [Int(a), Int(b)]) => exact(a.checked_add(*b).map(Int)),
        (Op::Add, [Real(a), Real(b)]) => exact(a.add(*b).map(Real)),
        (Op::Multiply, [Int(a), Int(b)]) => exact(a.checked_mul(*b).map(Int)),
        (Op::Multiply, [Real(a), Real(b)]) => exact(a.multiply(*b).map(Real)),
        (Op::Divide, [Real(a), Real(b)]) => exact(a.divide(*b).map(Real)),
        (Op::Less, [a, b]) => Ok(Bool(compare(a, b)? == Ordering::Less)),
        (Op::AtMost, [a, b]) => Ok(Bool(compare(a, b)? != Ordering::Greater)),
        (Op::ToReal, [Int(a)]) => exact(Rational::new(*a, 1).map(Real)),
        (Op::Floor, [Real(a)]) => Ok(Int(a.floor())),
        (Op::Length, [Str(a)]) => Ok(Int(a.len() as i128)),
        (Op::Concat, [Str(a), Str(b)]) => Ok(Str(a.concat(b))),
        (Op::Substring, [Str(a), Int(start), Int(length)]) => Ok(Str(substring(a, *start, *length))),
        (Op::IndexOf, [Str(a), Str(b), Int(from)]) => {
            let from = usize::try_from(*from).ok();
            let found = from.filter(|from| *from <= a.len()).and_then(|from| a.find(b, from));
            Ok(Int(found.map_or(-1, |at| at as i128)))
        }
        (Op::Contains, [Str(a), Str(b)]) => Ok(Bool(a.find(b, 0).is_some())),
        (Op::PrefixOf, [Str(a), Str(b)]) => Ok(Bool(b.0.starts_with(&a.0))),
        (Op::SuffixOf, [Str(a), Str(b)]) => Ok(Bool(b.0.ends_with(&a.0))),
        (Op::TextLess, [Str(a), Str(b)]) => Ok(Bool(a < b)),
        (Op::DigitsToInt, [Str(a)]) => {
            let digit = |unit: &u16| matches!(unit, 0x30..=0x39);
            if a.is_empty() || !a.0.iter().all(digit) {
                return Ok(Int(-1));
            }
            exact(a.to_string().parse().ok().map(Int))
        }
        (Op::IntToDigits, [Int(a)]) => Ok(Str(if *a < 0 { Text::default() } else { a.to_string().as_str().into() })),
        _ => Err(EvaluateError::Sorts(op.smt())),
    }
}

fn compare(a: &Value, b: &Value) -> Result<Ordering, EvaluateError> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
        (Value::Real(a), Value::Real(b)) => a.compare(*b).ok_or(EvaluateError::Number),
        _ => Err(EvaluateError::Sorts("<")),
    }
}

/// As SMT-LIB defines it: empty unless it starts inside and is longer than nothing.
fn substring(text: &Text, start: i128, length: i128) -> Text {
    match (usize::try_from(start), length > 0) {
        (Ok(start), true) if start < text.len() => {
            let length = usize::try_from(length).unwrap_or(text.len());
            text.slice(start, start.saturating_add(length))
        }
        _ => Text::default(),
    }
}
