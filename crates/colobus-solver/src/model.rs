//! [`Model`]: values for the variables of a query, read from a solver's reply.

use std::collections::BTreeMap;
use std::fmt;

use crate::print::Declared;
use crate::rational::Rational;
use crate::sexpr::Sexpr;
use crate::term::{Sort, Value};
use crate::text::Text;

/// A value for each variable, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model(BTreeMap<String, Value>);

impl Model {
    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Give a variable a value.
    pub fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Read the reply to `get-value`. A value without an exact form here (a root, a character beyond UTF-16) is left out:
    /// the query may be true without it. The error quotes what is no reply at all.
    pub(crate) fn read(reply: &Sexpr, declared: &[Declared]) -> Result<Model, String> {
        let Sexpr::List(pairs) = reply else { return Err(reply.to_string()) };
        let mut model = Model::default();
        for pair in pairs {
            let Sexpr::List(pair) = pair else { return Err(pair.to_string()) };
            let [Sexpr::Atom(alias), written] = &pair[..] else { return Err(reply.to_string()) };
            let Some(found) = declared.iter().find(|found| found.alias == *alias) else { return Err(alias.clone()) };
            if let Some(value) = read_value(written, found.sort) {
                model.set(&found.name, value);
            }
        }
        Ok(model)
    }
}

impl FromIterator<(String, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(pairs: I) -> Self {
        Model(pairs.into_iter().collect())
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let written: Vec<String> = self.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        f.write_str(&written.join(", "))
    }
}

fn read_value(written: &Sexpr, sort: Sort) -> Option<Value> {
    match (sort, written) {
        (Sort::Bool, Sexpr::Atom(word)) => word.parse().ok().map(Value::Bool),
        (Sort::Text, Sexpr::Text(inside)) => Text::from_smt(inside).map(Value::Text),
        (Sort::Int, written) => {
            read_number(written).filter(|n| n.denominator() == 1).map(|n| Value::Int(n.numerator()))
        }
        (Sort::Real, written) => read_number(written).map(Value::Real),
        _ => None,
    }
}

/// `5`, `2.50`, `(- 5)` or `(/ 1.0 3.0)`; `None` for roots of polynomials, which have no exact value here.
fn read_number(written: &Sexpr) -> Option<Rational> {
    match written {
        Sexpr::Atom(word) => {
            let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
            let denominator = 10i128.checked_pow(fraction.len().try_into().ok()?)?;
            Rational::new(format!("{whole}{fraction}").parse().ok()?, denominator)
        }
        Sexpr::List(list) => match &list[..] {
            [Sexpr::Atom(sign), inner] if sign == "-" => Some(read_number(inner)?.negate()),
            [Sexpr::Atom(slash), above, below] if slash == "/" => read_number(above)?.divide(read_number(below)?),
            _ => None,
        },
        Sexpr::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(written: &str) -> Option<String> {
        read_number(&Sexpr::parse(written).unwrap()).map(|number| number.to_string())
    }

    #[test]
    fn numbers_as_solvers_write_them() {
        assert_eq!(number("(- (/ 1.0 3.0))").as_deref(), Some("-1/3"));
        assert_eq!(number("(/ (- 2) 4)").as_deref(), Some("-1/2"));
        assert_eq!(number("2.50").as_deref(), Some("5/2"));
        assert_eq!(number("(root-obj (+ (^ x 2) (- 2)) 1)"), None);
    }
}
