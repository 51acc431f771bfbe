//! [`Solver`]: the one seam between what is asked and who answers. Implemented by [`Process`](crate::Process) (z3 or
//! cvc5), [`Enumeration`](crate::Enumeration) (a fake) and [`Cache`](crate::Cache).

use crate::evaluate::all_hold;
use crate::model::Model;
use crate::term::{Term, Value};

/// What a solver says about a conjunction of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These values make all terms true; checked by evaluation.
    Sat(Model),
    /// No values make all terms true.
    Unsat,
    /// Neither is known, and why. It must never be taken for `Unsat`.
    Unknown(String),
}

/// Why a solver cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// No program was found.
    #[error(
        "no solver was found: neither `z3` nor `cvc5` is on the PATH\n  Install one: `make setup`, or `apt-get install z3` \
         (Debian, Ubuntu), `brew install z3` (macOS), `pip install z3-solver`"
    )]
    Missing,
    /// The program could not be started.
    #[error("the solver `{program}` could not be started: {cause}\n  Does `{program} --version` work in a terminal?")]
    Start {
        /// Its name.
        program: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The program ended, or said something that is not SMT-LIB.
    #[error("the solver `{program}` failed: {said}\n  Report it with the query:\n{query}")]
    Failed {
        /// Its name.
        program: String,
        /// What it said.
        said: String,
        /// What it was asked.
        query: String,
    },
}

/// Decides whether terms can be true together.
///
/// ```
/// use colobus_solver::{Answer, Enumeration, Solver, Sort, Term, build::int};
///
/// let x = Term::variable("x", Sort::Int);
/// let answer = Enumeration::default().check(&[x.plus(2).equal(&int(5))])?;
/// let Answer::Sat(model) = answer else { panic!("{answer:?}") };
/// assert_eq!(model.to_string(), "x = 3");
/// # Ok::<(), colobus_solver::SolverError>(())
/// ```
pub trait Solver {
    /// Ask about the conjunction of `terms`, each of sort Bool.
    fn check(&mut self, terms: &[Term]) -> Result<Answer, SolverError>;

    /// The same with little effort, for questions whose answer only saves time: more of them stay unknown.
    fn check_briefly(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        self.check(terms)
    }
}

impl<S: Solver + ?Sized> Solver for &mut S {
    fn check(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        (**self).check(terms)
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn check(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        (**self).check(terms)
    }
}

/// The answer if constants alone decide.
pub(crate) fn decided(terms: &[Term]) -> Option<Answer> {
    let values: Vec<_> = terms.iter().map(Term::as_constant).collect();
    if values.contains(&Some(&Value::Bool(false))) {
        return Some(Answer::Unsat);
    }
    values.iter().all(|value| *value == Some(&Value::Bool(true))).then(|| Answer::Sat(Model::default()))
}

/// Believe a model only if the terms are true under it.
pub(crate) fn verified(terms: &[Term], model: Model) -> Answer {
    match all_hold(terms, &model) {
        Ok(true) => Answer::Sat(model),
        Ok(false) => Answer::Unknown(format!("the solver's values do not satisfy the query: {model}")),
        Err(reason) => Answer::Unknown(format!("the solver's values cannot be checked: {reason}")),
    }
}
