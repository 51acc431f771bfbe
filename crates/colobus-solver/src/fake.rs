//! [`Enumeration`]: a fake solver for tests. It tries small values and takes them for all that exist.

use crate::evaluate::evaluate;
use crate::model::Model;
use crate::print::script;
use crate::solver::{Answer, Solver, SolverError};
use crate::term::{Sort, Term, Value};
use crate::text::Text;

/// Tries every combination of a few values. `Unsat` means: not with these values.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Integers, and reals, to try.
    pub numbers: Vec<i64>,
    /// Texts to try.
    pub texts: Vec<Text>,
    /// Give up, as `Unknown`, beyond so many combinations.
    pub limit: usize,
}

impl Default for Enumeration {
    fn default() -> Self {
        let texts = ["", "a", "b", "ab", "1"].map(Text::from).to_vec();
        Enumeration { numbers: vec![0, 1, 2, 3, -1], texts, limit: 100_000 }
    }
}

impl Enumeration {
    fn values(&self, sort: Sort) -> Vec<Value> {
        match sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Int => self.numbers.iter().map(|&number| Value::Int(number.into())).collect(),
            Sort::Real => self.numbers.iter().map(|&number| Value::Real(number.into())).collect(),
            Sort::Text => self.texts.iter().cloned().map(Value::Text).collect(),
        }
    }
}

impl Solver for Enumeration {
    fn check(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        let variables = script(terms).variables;
        let choices: Vec<Vec<Value>> = variables.iter().map(|variable| self.values(variable.sort)).collect();
        let combinations = choices.iter().try_fold(1usize, |product, values| product.checked_mul(values.len()));
        let Some(combinations) = combinations.filter(|count| *count <= self.limit) else {
            return Ok(Answer::Unknown(format!("more than {} combinations", self.limit)));
        };
        for mut number in 0..combinations {
            let mut model = Model::default();
            for (variable, values) in variables.iter().zip(&choices) {
                model.set(&variable.name, values[number % values.len()].clone());
                number /= values.len();
            }
            if terms.iter().all(|term| evaluate(term, &model) == Ok(Value::Bool(true))) {
                return Ok(Answer::Sat(model));
            }
        }
        Ok(Answer::Unsat)
    }
}
