//! [`Portfolio`]: several solvers, asked one after the other until one of them knows. What one gives up on, another one
//! often decides: z3 and cvc5 are good at different questions about texts.

use crate::process::{Process, Program};
use crate::solver::{Answer, Solver, SolverError};
use crate::term::Term;
use std::time::Duration;

/// Solvers in the order in which they are asked.
pub struct Portfolio<S>(pub Vec<S>);

impl Portfolio<Process> {
    /// All programs that can be started; `limit` bounds each query to each of them.
    pub fn find(limit: Duration) -> Result<Portfolio<Process>, SolverError> {
        let mut found = Vec::new();
        for program in Program::ALL {
            match Process::start(program, limit) {
                Err(SolverError::Missing) => {}
                started => found.push(started?),
            }
        }
        if found.is_empty() { Err(SolverError::Missing) } else { Ok(Portfolio(found)) }
    }
}

impl<S: Solver> Solver for Portfolio<S> {
    fn check(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        let mut unknown = Answer::Unknown("no solver was asked".to_string());
        for solver in &mut self.0 {
            match solver.check(terms)? {
                Answer::Unknown(reason) => unknown = Answer::Unknown(reason),
                known => return Ok(known),
            }
        }
        Ok(unknown)
    }

    fn check_briefly(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        match self.0.first_mut() {
            Some(first) => first.check_briefly(terms),
            None => Ok(Answer::Unknown("no solver was asked".to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Answer);

    impl Solver for Fixed {
        fn check(&mut self, _: &[Term]) -> Result<Answer, SolverError> {
            Ok(self.0.clone())
        }
    }

    #[test]
    fn the_first_that_knows_answers() {
        let unknown = || Fixed(Answer::Unknown("hard".into()));
        assert_eq!(Portfolio(vec![unknown(), Fixed(Answer::Unsat)]).check(&[]).unwrap(), Answer::Unsat);
        assert_eq!(Portfolio(vec![unknown(), unknown()]).check(&[]).unwrap(), Answer::Unknown("hard".into()));
    }
}
