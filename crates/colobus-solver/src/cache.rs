//! [`Cache`]: a solver that remembers answers. Queries that differ only in the names of variables are the same query.

use std::collections::HashMap;

use crate::model::Model;
use crate::print::{Script, script};
use crate::solver::{Answer, Solver, SolverError, verified};
use crate::term::{Term, Value};

/// Remembers what another solver answered, `Unknown` included: the same query would take its whole time again.
pub struct Cache<S> {
    solver: S,
    answers: HashMap<String, Remembered>,
    hits: usize,
}

/// An answer with values in the order of the script's variables.
#[derive(Clone)]
enum Remembered {
    Sat(Vec<Option<Value>>),
    Unsat,
    Unknown(String),
}

impl<S: Solver> Cache<S> {
    /// Remember for a solver.
    pub fn new(solver: S) -> Self {
        Cache { solver, answers: HashMap::new(), hits: 0 }
    }

    /// How many queries were answered from memory.
    pub fn hits(&self) -> usize {
        self.hits
    }

    /// How many different queries were asked.
    pub fn queries(&self) -> usize {
        self.answers.len()
    }
}

impl<S: Solver> Cache<S> {
    fn remembered(&mut self, script: &Script, terms: &[Term]) -> Option<Answer> {
        let remembered = self.answers.get(&script.text)?.clone();
        self.hits += 1;
        Some(match remembered {
            Remembered::Unsat => Answer::Unsat,
            Remembered::Unknown(reason) => Answer::Unknown(reason),
            Remembered::Sat(values) => {
                let named = script.variables.iter().zip(values);
                let model: Model =
                    named.filter_map(|(declared, value)| Some((declared.name.to_string(), value?))).collect();
                verified(terms, model)
            }
        })
    }

    fn remember(&mut self, script: Script, answer: &Answer) {
        let remembered = match answer {
            Answer::Unsat => Remembered::Unsat,
            Answer::Unknown(reason) => Remembered::Unknown(reason.clone()),
            Answer::Sat(model) => {
                Remembered::Sat(script.variables.iter().map(|declared| model.get(&declared.name).cloned()).collect())
            }
        };
        self.answers.insert(script.text, remembered);
    }
}

impl<S: Solver> Solver for Cache<S> {
    fn check(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        let script = script(terms);
        if let Some(answer) = self.remembered(&script, terms) {
            return Ok(answer);
        }
        let answer = self.solver.check(terms)?;
        self.remember(script, &answer);
        Ok(answer)
    }

    /// What stays unknown with little effort is not remembered: more may decide it.
    fn check_briefly(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        let script = script(terms);
        if let Some(answer) = self.remembered(&script, terms) {
            return Ok(answer);
        }
        let answer = self.solver.check_briefly(terms)?;
        if !matches!(answer, Answer::Unknown(_)) {
            self.remember(script, &answer);
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::int;
    use crate::fake::Enumeration;
    use crate::term::Sort;

    #[test]
    fn the_same_query_under_other_names_is_answered_from_memory() {
        let mut cache = Cache::new(Enumeration::default());
        let query = |name: &str| Term::variable(name, Sort::Int).plus(1).equal(&int(3));
        cache.check(&[query("x")]).unwrap();
        let Answer::Sat(model) = cache.check(&[query("y")]).unwrap() else { panic!("it can be true") };
        assert_eq!(model.to_string(), "y = 2");
        assert_eq!((cache.hits(), cache.queries()), (1, 1));
    }
}
