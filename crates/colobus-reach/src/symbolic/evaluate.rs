//! The meaning of operators on values, as JavaScript defines it. The tests compare every one with a real engine.

use std::collections::BTreeMap;

use colobus_solver::Text;

use super::expr::{Expr, Variable};
use super::number;
use super::operator::Operator;
use super::value::Value;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// A variable without a value.
    #[error("`{0}` has no value")]
    Unassigned(String),
    /// JavaScript would throw, or return something that is not primitive.
    #[error("`{0}` has no primitive value here")]
    Throws(String),
}

/// Values of variables.
pub type Assignment = BTreeMap<Variable, Value>;

impl Expr {
    /// Its value.
    pub fn evaluate(&self, assignment: &Assignment) -> Result<Value, EvaluateError> {
        let (operator, operands) = match self {
            Expr::Constant(value) => return Ok(value.clone()),
            Expr::Variable(variable) => {
                let value = assignment.get(variable).cloned();
                return value.ok_or_else(|| EvaluateError::Unassigned(variable.full_name()));
            }
            Expr::Apply(application) => (&application.0, &application.1),
        };
        // The operators that do not evaluate all of their operands.
        match (operator, &operands[..]) {
            (Operator::And, [first, second]) => match first.evaluate(assignment)? {
                value if value.is_truthy() => second.evaluate(assignment),
                value => Ok(value),
            },
            (Operator::Or, [first, second]) => match first.evaluate(assignment)? {
                value if value.is_truthy() => Ok(value),
                _ => second.evaluate(assignment),
            },
            (Operator::Coalesce, [first, second]) => match first.evaluate(assignment)? {
                Value::Undefined | Value::Null => second.evaluate(assignment),
                value => Ok(value),
            },
            (Operator::Conditional, [condition, then, otherwise]) => {
                let chosen = if condition.evaluate(assignment)?.is_truthy() { then } else { otherwise };
                chosen.evaluate(assignment)
            }
            _ => {
                let values =
                    operands.iter().map(|operand| operand.evaluate(assignment)).collect::<Result<Vec<_>, _>>()?;
                operator.apply(&values)
            }
        }
    }
}

impl Operator {
    /// Its value on values.
    pub fn apply(&self, values: &[Value]) -> Result<Value, EvaluateError> {
        use Operator::*;
        let throws = || EvaluateError::Throws(format!("{self:?}"));
        if self.needs_text() {
            let Some((Value::Text(text), rest)) = values.split_first() else { return Err(throws()) };
            return text_method(self, text, rest).ok_or_else(throws);
        }
        let number = |value: f64| Ok(Value::Number(value));
        let truth = |value: bool| Ok(Value::Boolean(value));
        match (self, values) {
            (Not, [a]) => truth(!a.is_truthy()),
            (Negate, [a]) => number(-a.to_number()),
            (ToNumber, [a]) => number(a.to_number()),
            (ToText, [a]) => Ok(Value::Text(a.to_text())),
            (TypeOf, [a]) => Ok(Value::text(a.type_name())),
            (IsNaN, [a]) => truth(a.to_number().is_nan()),
            (Floor, [a]) => number(a.to_number().floor()),
            (Ceil, [a]) => number(a.to_number().ceil()),
            (Trunc, [a]) => number(a.to_number().trunc()),
            (Abs, [a]) => number(a.to_number().abs()),
            (ParseInt, [a]) => number(number::parse_int(&a.to_text())),
            (Add, [a, b]) => match (a, b) {
                (Value::Text(_), _) | (_, Value::Text(_)) => Ok(Value::Text(a.to_text().concat(&b.to_text()))),
                _ => number(a.to_number() + b.to_number()),
            },
            (Subtract, [a, b]) => number(a.to_number() - b.to_number()),
            (Multiply, [a, b]) => number(a.to_number() * b.to_number()),
            (Divide, [a, b]) => number(a.to_number() / b.to_number()),
            (Remainder, [a, b]) => number(a.to_number() % b.to_number()),
            (BitAnd, [a, b]) => number(f64::from(int32(a) & int32(b))),
            (BitOr, [a, b]) => number(f64::from(int32(a) | int32(b))),
            (BitXor, [a, b]) => number(f64::from(int32(a) ^ int32(b))),
            (ShiftLeft, [a, b]) => number(f64::from(int32(a) << (int32(b) & 31))),
            (ShiftRight, [a, b]) => number(f64::from(int32(a) >> (int32(b) & 31))),
            (ShiftUnsigned, [a, b]) => number(f64::from(int32(a) as u32 >> (int32(b) & 31))),
            (Min | Max, [a, b]) => {
                let (a, b) = (a.to_number(), b.to_number());
                // Of two zeros the negative one is less.
                let less = |a: f64, b: f64| a < b || a == b && a.is_sign_negative();
                let first = if *self == Min { less(a, b) } else { less(b, a) };
                number(if a.is_nan() || b.is_nan() {
                    f64::NAN
                } else if first {
                    a
                } else {
                    b
                })
            }
            (Less, [a, b]) => truth(less(a, b)),
            (Greater, [a, b]) => truth(less(b, a)),
            (AtMost, [a, b]) => truth(at_most(a, b)),
            (AtLeast, [a, b]) => truth(at_most(b, a)),
            (Equal, [a, b]) => truth(a.is_loosely(b)),
            (NotEqual, [a, b]) => truth(!a.is_loosely(b)),
            (Same, [a, b]) => truth(a.is_strictly(b)),
            (NotSame, [a, b]) => truth(!a.is_strictly(b)),
            (And, [a, b]) => Ok(if a.is_truthy() { b.clone() } else { a.clone() }),
            (Or, [a, b]) => Ok(if a.is_truthy() { a.clone() } else { b.clone() }),
            (Coalesce, [a, b]) => Ok(if matches!(a, Value::Undefined | Value::Null) { b.clone() } else { a.clone() }),
            (Conditional, [condition, a, b]) => Ok(if condition.is_truthy() { a.clone() } else { b.clone() }),
            (Template, parts) => {
                Ok(Value::Text(parts.iter().fold(Text::default(), |sum, part| sum.concat(&part.to_text()))))
            }
            (Test(pattern), [a]) => truth(pattern.matches(&a.to_text())),
            (Capture(pattern, group), [a]) => {
                let found = pattern.find(&a.to_text()).ok().flatten().ok_or_else(throws)?;
                Ok(found.groups.get(*group).cloned().flatten().map_or(Value::Undefined, Value::Text))
            }
            _ => Err(throws()),
        }
    }
}

fn less(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a < b,
        _ => a.to_number() < b.to_number(),
    }
}

fn at_most(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a <= b,
        _ => a.to_number() <= b.to_number(),
    }
}

fn text_method(operator: &Operator, text: &Text, rest: &[Value]) -> Option<Value> {
    use Operator::*;
    Some(match (operator, rest) {
        (Length, []) => Value::Number(text.len() as f64),
        (ToLower, []) => Value::Text(change_case(text, str::to_lowercase)),
        (ToUpper, []) => Value::Text(change_case(text, str::to_uppercase)),
        (Trim, []) => Value::Text(number::trim(text)),
        (Includes, [part]) => Value::Boolean(text.find(&part.to_text(), 0).is_some()),
        (StartsWith, [part]) => Value::Boolean(text.0.starts_with(&part.to_text().0)),
        (EndsWith, [part]) => Value::Boolean(text.0.ends_with(&part.to_text().0)),
        (CharAt, [index]) => {
            let index = whole(index);
            let inside = index >= 0.0 && index < text.len() as f64;
            Value::Text(if inside { text.slice(index as usize, index as usize + 1) } else { Text::default() })
        }
        (IndexOf, [part, from]) => {
            let from = whole(from).clamp(0.0, text.len() as f64) as usize;
            Value::Number(text.find(&part.to_text(), from).map_or(-1.0, |at| at as f64))
        }
        (Slice, [start, end]) => {
            let length = text.len() as f64;
            let index = |value: &Value, default: f64| {
                let number = if *value == Value::Undefined { default } else { whole(value) };
                (if number < 0.0 { (length + number).max(0.0) } else { number.min(length) }) as usize
            };
            Value::Text(text.slice(index(start, 0.0), index(end, length)))
        }
        (SplitAt(separator, index), []) => {
            split(text, &separator.as_str().into()).get(*index).cloned().map_or(Value::Undefined, Value::Text)
        }
        (SplitLength(separator), []) => Value::Number(split(text, &separator.as_str().into()).len() as f64),
        (Search(pattern), []) => Value::Number(pattern.find(text).ok()?.map_or(-1.0, |found| found.index as f64)),
        (SplitBy(separator, index), []) => {
            separator.split(text).ok()??.get(*index).cloned().map_or(Value::Undefined, Value::Text)
        }
        (SplitByLength(separator), []) => Value::Number(separator.split(text).ok()??.len() as f64),
        _ => return None,
    })
}

/// ToInt32.
fn int32(value: &Value) -> i32 {
    let number = value.to_number();
    // What has more bits is cut off.
    if number.is_finite() { (number.trunc() % 4_294_967_296.0) as i64 as i32 } else { 0 }
}

/// ToIntegerOrInfinity.
fn whole(value: &Value) -> f64 {
    let number = value.to_number();
    if number.is_nan() { 0.0 } else { number.trunc() }
}

fn split(text: &Text, separator: &Text) -> Vec<Text> {
    if separator.is_empty() {
        return text.0.iter().map(|unit| Text(vec![*unit])).collect();
    }
    let (mut parts, mut start) = (Vec::new(), 0);
    while let Some(at) = text.find(separator, start) {
        parts.push(text.slice(start, at));
        start = at + separator.len();
    }
    parts.push(text.slice(start, text.len()));
    parts
}

/// Change the case of what is well-formed; lone surrogates stay as they are.
fn change_case(text: &Text, change: fn(&str) -> String) -> Text {
    let (mut units, mut part) = (Vec::new(), String::new());
    for decoded in char::decode_utf16(text.0.iter().copied()) {
        match decoded {
            Ok(character) => part.push(character),
            Err(lone) => {
                units.extend(change(&std::mem::take(&mut part)).encode_utf16());
                units.push(lone.unpaired_surrogate());
            }
        }
    }
    units.extend(change(&part).encode_utf16());
    Text(units)
}
