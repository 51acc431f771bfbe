//! [`Cases`]: a value of JavaScript for the solver, as one guarded case for each type.

use colobus_solver::build::{any, boolean, int, ite, real, text};
use colobus_solver::{Rational, Regex, Sort, Term};

use crate::symbolic::value::{Kind, Value};

/// A number: a real, or NaN. Infinities and the rounding of doubles are not represented; a solution is therefore always
/// evaluated with doubles before it counts.
#[derive(Clone, Debug)]
pub struct Number {
    /// Whether it is NaN.
    pub nan: Term,
    /// Its value otherwise.
    pub value: Term,
}

impl Number {
    /// A real number.
    pub fn real(value: Term) -> Number {
        Number { nan: boolean(false), value }
    }

    /// An integer.
    pub fn integer(value: &Term) -> Number {
        Number::real(value.to_real())
    }

    /// The integer that indices mean: NaN is 0, fractions are cut off.
    pub fn index(&self) -> Term {
        ite(&self.nan, &int(0), &truncate(&self.value))
    }

    /// The first if the condition holds.
    pub fn choose(condition: &Term, then: &Number, otherwise: &Number) -> Number {
        Number { nan: ite(condition, &then.nan, &otherwise.nan), value: ite(condition, &then.value, &otherwise.value) }
    }
}

/// A real without its fraction.
pub fn truncate(value: &Term) -> Term {
    let negative = value.less(&real(Rational::ZERO));
    ite(&negative, &value.negate().floor().negate(), &value.floor())
}

/// A value by type: a guard says when it has the type. Where no guard holds, JavaScript throws.
#[derive(Clone, Debug)]
pub struct Cases {
    /// It is `undefined`.
    pub undefined: Term,
    /// It is `null`.
    pub null: Term,
    /// It is a truth value, and which.
    pub boolean: (Term, Term),
    /// It is a number, and which.
    pub number: (Term, Number),
    /// It is a text, and which.
    pub text: (Term, Term),
}

impl Cases {
    /// No value at all.
    pub fn none() -> Cases {
        let never = boolean(false);
        Cases {
            undefined: never.clone(),
            null: never.clone(),
            boolean: (never.clone(), never.clone()),
            number: (never.clone(), Number::real(real(Rational::ZERO))),
            text: (never, text("")),
        }
    }

    /// A truth value where `guard` holds.
    pub fn truth(guard: Term, value: Term) -> Cases {
        Cases { boolean: (guard, value), ..Cases::none() }
    }

    /// A number where `guard` holds.
    pub fn number(guard: Term, value: Number) -> Cases {
        Cases { number: (guard, value), ..Cases::none() }
    }

    /// A text where `guard` holds.
    pub fn text(guard: Term, value: Term) -> Cases {
        Cases { text: (guard, value), ..Cases::none() }
    }

    /// A constant; `None` for a number without a real value.
    pub fn constant(value: &Value) -> Option<Cases> {
        let always = boolean(true);
        Some(match value {
            Value::Undefined => Cases { undefined: always, ..Cases::none() },
            Value::Null => Cases { null: always, ..Cases::none() },
            Value::Boolean(value) => Cases::truth(always, boolean(*value)),
            Value::Number(value) if value.is_nan() => {
                Cases::number(always.clone(), Number { nan: always, value: real(Rational::ZERO) })
            }
            Value::Number(value) => Cases::number(always, Number::real(real(Rational::from_f64(*value)?))),
            Value::Text(value) => Cases::text(always, text(value.clone())),
        })
    }

    /// Whether it has a value.
    pub fn defined(&self) -> Term {
        any([&self.undefined, &self.null, &self.boolean.0, &self.number.0, &self.text.0].map(Term::clone))
    }

    /// Whether it is `undefined` or `null`.
    pub fn nullish(&self) -> Term {
        self.undefined.or(&self.null)
    }

    /// Whether a condition takes it for true; false also where it has no value.
    pub fn truthy(&self) -> Term {
        let number = &self.number.1;
        let zero = number.value.equal(&real(Rational::ZERO));
        any([
            self.boolean.0.and(&self.boolean.1),
            self.number.0.and(&number.nan.not()).and(&zero.not()),
            self.text.0.and(&self.text.1.equal(&text("")).not()),
        ])
    }

    /// Only where `guard` holds.
    pub fn when(&self, guard: &Term) -> Cases {
        Cases {
            undefined: self.undefined.and(guard),
            null: self.null.and(guard),
            boolean: (self.boolean.0.and(guard), self.boolean.1.clone()),
            number: (self.number.0.and(guard), self.number.1.clone()),
            text: (self.text.0.and(guard), self.text.1.clone()),
        }
    }

    /// This or another value, whose guards exclude each other.
    pub fn or(&self, other: &Cases) -> Cases {
        let pick =
            |mine: &(Term, Term), theirs: &(Term, Term)| (mine.0.or(&theirs.0), ite(&mine.0, &mine.1, &theirs.1));
        Cases {
            undefined: self.undefined.or(&other.undefined),
            null: self.null.or(&other.null),
            boolean: pick(&self.boolean, &other.boolean),
            number: (
                self.number.0.or(&other.number.0),
                Number::choose(&self.number.0, &self.number.1, &other.number.1),
            ),
            text: pick(&self.text, &other.text),
        }
    }

    /// The cases of a variable, and what must hold of the terms that stand for it.
    pub fn variable(name: &str, kinds: &[Kind], may_be_nan: bool) -> (Cases, Term) {
        let tag = Term::variable(&tag_name(name), Sort::Int);
        let guard = |kind: Kind| match kinds.iter().position(|known| *known == kind) {
            None => boolean(false),
            Some(_) if kinds.len() == 1 => boolean(true),
            Some(at) => tag.equal(&int(at as i64)),
        };
        let named = |kind: Kind, sort: Sort| (guard(kind), Term::variable(&part_name(name, kind), sort));
        let nan = if may_be_nan { Term::variable(&nan_name(name), Sort::Bool) } else { boolean(false) };
        let (is_number, value) = named(Kind::Number, Sort::Real);
        let cases = Cases {
            undefined: guard(Kind::Undefined),
            null: guard(Kind::Null),
            boolean: named(Kind::Boolean, Sort::Bool),
            number: (is_number, Number { nan, value }),
            text: named(Kind::Text, Sort::Text),
        };
        let last = int(kinds.len() as i64 - 1);
        let tagged = if kinds.len() == 1 { boolean(true) } else { int(0).at_most(&tag).and(&tag.at_most(&last)) };
        // Solvers know characters beyond UTF-16 units.
        let units = if kinds.contains(&Kind::Text) { cases.text.1.matches(&Regex::all()) } else { boolean(true) };
        (cases, tagged.and(&units))
    }
}

/// The name of the term that says which type a variable has.
pub fn tag_name(name: &str) -> String {
    format!("{name} kind")
}

/// The name of the term that says whether a variable is NaN.
pub fn nan_name(name: &str) -> String {
    format!("{name} is NaN")
}

/// The name of the term for a variable's value of one type.
pub fn part_name(name: &str, kind: Kind) -> String {
    format!("{name} {kind:?}")
}
