//! What each operator does to [`Cases`].

use colobus_solver::build::{any, boolean, int, ite, real, text};
use colobus_solver::{Rational, Term};

use super::Translator;
use super::cases::{Cases, Number, truncate};
use crate::symbolic::operator::Operator;

impl Translator {
    pub(super) fn operation(&mut self, operator: &Operator, operands: &[Cases]) -> Cases {
        use Operator::*;
        if operator.needs_text() {
            return self.text_method(operator, operands);
        }
        match (operator, operands) {
            (Not, [a]) => Cases::truth(a.defined(), a.truthy().not()),
            (Negate, [a]) => self.numeric(a, |n| n.negate()),
            (ToNumber, [a]) => self.numeric(a, Term::clone),
            (ToText, [a]) => {
                let (guard, content) = self.text_of(a);
                Cases::text(guard, content)
            }
            (TypeOf, [a]) => type_of(a),
            (IsNaN, [a]) => {
                let (guard, number) = self.number_of(a);
                Cases::truth(guard, number.nan)
            }
            (Floor, [a]) => self.numeric(a, |n| n.floor().to_real()),
            (Ceil, [a]) => self.numeric(a, |n| n.negate().floor().negate().to_real()),
            (Trunc, [a]) => self.numeric(a, |n| truncate(n).to_real()),
            (Abs, [a]) => self.numeric(a, |n| ite(&n.less(&zero()), &n.negate(), n)),
            (ParseInt, [a]) => {
                let (guard, content) = self.text_of(a);
                let number = self.parse_int(&content);
                Cases::number(guard, number)
            }
            (Add, [a, b]) => self.sum(a, b),
            (Subtract, [a, b]) => self.arithmetic(a, b, |a, b| a.subtract(b)),
            (Multiply, [a, b]) => self.arithmetic(a, b, |a, b| a.multiply(b)),
            (Divide, [a, b]) => self.quotient(a, b, |a, b| a.divide(b)),
            (Remainder, [a, b]) => {
                self.quotient(a, b, |a, b| a.subtract(&truncate(&a.divide(b)).to_real().multiply(b)))
            }
            (bitwise, [a, b]) if bitwise.is_bitwise() => {
                let unknown = self.unknown_number(&boolean(false));
                Cases::number(both(a, b), Number { nan: boolean(false), ..unknown })
            }
            (Min, [a, b]) => self.arithmetic(a, b, |a, b| ite(&a.less(b), a, b)),
            (Max, [a, b]) => self.arithmetic(a, b, |a, b| ite(&b.less(a), a, b)),
            (Less, [a, b]) => self.compare(a, b, Term::text_less, Term::less),
            (Greater, [a, b]) => self.compare(b, a, Term::text_less, Term::less),
            (AtMost, [a, b]) => self.compare(a, b, |a, b| b.text_less(a).not(), Term::at_most),
            (AtLeast, [a, b]) => self.compare(b, a, |a, b| b.text_less(a).not(), Term::at_most),
            (Equal, [a, b]) => self.loosely(a, b, false),
            (NotEqual, [a, b]) => self.loosely(a, b, true),
            (Same, [a, b]) => Cases::truth(both(a, b), strictly(a, b)),
            (NotSame, [a, b]) => Cases::truth(both(a, b), strictly(a, b).not()),
            (And, [a, b]) => choose(&a.truthy(), b, a).when(&a.defined()),
            (Or, [a, b]) => choose(&a.truthy(), a, b).when(&a.defined()),
            (Coalesce, [a, b]) => choose(&a.nullish(), b, a).when(&a.defined()),
            (Conditional, [condition, a, b]) => choose(&condition.truthy(), a, b).when(&condition.defined()),
            (Template, parts) => {
                let (mut guard, mut content) = (boolean(true), text(""));
                for part in parts {
                    let (defined, written) = self.text_of(part);
                    (guard, content) = (guard.and(&defined), content.concat(&written));
                }
                Cases::text(guard, content)
            }
            (Test(pattern), [a]) => {
                let (guard, content) = self.text_of(a);
                Cases::truth(guard, content.matches(pattern.language()))
            }
            // Operators have as many operands as they take; anything else throws.
            _ => Cases::none(),
        }
    }

    fn numeric(&mut self, a: &Cases, value: impl Fn(&Term) -> Term) -> Cases {
        let (guard, number) = self.number_of(a);
        Cases::number(guard, Number { nan: number.nan, value: value(&number.value) })
    }

    fn arithmetic(&mut self, a: &Cases, b: &Cases, value: impl Fn(&Term, &Term) -> Term) -> Cases {
        let ((guard_a, a), (guard_b, b)) = (self.number_of(a), self.number_of(b));
        let number = Number { nan: a.nan.or(&b.nan), value: value(&a.value, &b.value) };
        Cases::number(guard_a.and(&guard_b), number)
    }

    /// Division by zero gives an infinity or NaN: any number.
    fn quotient(&mut self, a: &Cases, b: &Cases, value: impl Fn(&Term, &Term) -> Term) -> Cases {
        let ((guard_a, a), (guard_b, b)) = (self.number_of(a), self.number_of(b));
        let exact = b.value.equal(&zero()).not();
        let number = Number { nan: a.nan.or(&b.nan), value: value(&a.value, &b.value) };
        let number = match exact.as_constant() {
            Some(colobus_solver::Value::Bool(true)) => number,
            _ => Number::choose(&exact, &number, &self.unknown_number(&exact)),
        };
        Cases::number(guard_a.and(&guard_b), number)
    }

    fn sum(&mut self, a: &Cases, b: &Cases) -> Cases {
        let joined = a.text.0.and(&b.defined()).or(&b.text.0.and(&a.defined()));
        if is_never(&joined) {
            return self.arithmetic(a, b, Term::add);
        }
        let ((_, text_a), (_, text_b)) = (self.text_of(a), self.text_of(b));
        let text = Cases::text(joined.clone(), text_a.concat(&text_b));
        text.or(&self.arithmetic(a, b, Term::add).when(&joined.not()))
    }

    fn compare(
        &mut self,
        a: &Cases,
        b: &Cases,
        texts: impl Fn(&Term, &Term) -> Term,
        numbers: impl Fn(&Term, &Term) -> Term,
    ) -> Cases {
        let both_text = a.text.0.and(&b.text.0);
        let by_text = if is_never(&both_text) { boolean(false) } else { texts(&a.text.1, &b.text.1) };
        if is_always(&both_text) {
            return Cases::truth(boolean(true), by_text);
        }
        let ((guard_a, a), (guard_b, b)) = (self.number_of(a), self.number_of(b));
        let by_number = a.nan.or(&b.nan).not().and(&numbers(&a.value, &b.value));
        Cases::truth(guard_a.and(&guard_b), ite(&both_text, &by_text, &by_number))
    }

    fn loosely(&mut self, a: &Cases, b: &Cases, negated: bool) -> Cases {
        let nullish = a.nullish().or(&b.nullish());
        let both_text = a.text.0.and(&b.text.0);
        let by_text = a.text.1.equal(&b.text.1);
        let by_number = if is_always(&nullish.or(&both_text)) {
            boolean(false)
        } else {
            let ((_, a), (_, b)) = (self.number_of(a), self.number_of(b));
            a.nan.or(&b.nan).not().and(&a.value.equal(&b.value))
        };
        let others = ite(&both_text, &by_text, &by_number);
        let equal = ite(&nullish, &a.nullish().and(&b.nullish()), &others);
        Cases::truth(both(a, b), if negated { equal.not() } else { equal })
    }

    /// ToNumber, and where it has a value.
    pub(super) fn number_of(&mut self, a: &Cases) -> (Term, Number) {
        let one_or_zero = ite(&a.boolean.1, &real(1.into()), &zero());
        let mut number = Number::choose(&a.boolean.0, &Number::real(one_or_zero), &a.number.1);
        if !is_never(&a.text.0) {
            let from_text = self.number_from_text(&a.text.1);
            number = Number::choose(&a.text.0, &from_text, &number);
        }
        let nan = Number { nan: boolean(true), value: zero() };
        number = Number::choose(&a.null, &Number::real(zero()), &Number::choose(&a.undefined, &nan, &number));
        (a.defined(), number)
    }

    /// ToString, and where it has a value.
    pub(super) fn text_of(&mut self, a: &Cases) -> (Term, Term) {
        let mut content = ite(&a.boolean.0, &ite(&a.boolean.1, &text("true"), &text("false")), &a.text.1);
        if !is_never(&a.number.0) {
            let written = self.number_to_text(&a.number.1);
            content = ite(&a.number.0, &written, &content);
        }
        content = ite(&a.undefined, &text("undefined"), &ite(&a.null, &text("null"), &content));
        (a.defined(), content)
    }
}

pub(super) fn zero() -> Term {
    real(Rational::ZERO)
}

pub(super) fn is_never(term: &Term) -> bool {
    term.as_constant() == Some(&colobus_solver::Value::Bool(false))
}

pub(super) fn is_always(term: &Term) -> bool {
    term.as_constant() == Some(&colobus_solver::Value::Bool(true))
}

fn both(a: &Cases, b: &Cases) -> Term {
    a.defined().and(&b.defined())
}

fn choose(condition: &Term, then: &Cases, otherwise: &Cases) -> Cases {
    then.when(condition).or(&otherwise.when(&condition.not()))
}

fn strictly(a: &Cases, b: &Cases) -> Term {
    let (x, y) = (&a.number.1, &b.number.1);
    let numbers = x.nan.or(&y.nan).not().and(&x.value.equal(&y.value));
    any([
        a.undefined.and(&b.undefined),
        a.null.and(&b.null),
        a.boolean.0.and(&b.boolean.0).and(&a.boolean.1.equal(&b.boolean.1)),
        a.number.0.and(&b.number.0).and(&numbers),
        a.text.0.and(&b.text.0).and(&a.text.1.equal(&b.text.1)),
    ])
}

fn type_of(a: &Cases) -> Cases {
    let names = [(&a.undefined, "undefined"), (&a.null, "object"), (&a.boolean.0, "boolean"), (&a.number.0, "number")];
    let name = names.iter().fold(text("string"), |otherwise, (guard, name)| ite(guard, &text(*name), &otherwise));
    Cases::text(a.defined(), name)
}

/// An index within a text: negative ones count from the end.
pub(super) fn clamp(index: &Term, length: &Term) -> Term {
    let from_end = length.add(index);
    let from_end = ite(&from_end.less(&int(0)), &int(0), &from_end);
    let inside = ite(&length.less(index), length, index);
    ite(&index.less(&int(0)), &from_end, &inside)
}
