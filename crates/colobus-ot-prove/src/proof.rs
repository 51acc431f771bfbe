//! [`Proof`]: what a solver says about a law for all positions, characters, sites and texts.

use colobus_ot::Kind;
use colobus_ot::properties::tp::Law;
use colobus_solver::build::int;
use colobus_solver::{Answer, Model, Solver, SolverError, Sort, Term};

use crate::function::SymbolicFunction;
use crate::law::{Case, Parameters};

/// The outcome for one law.
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// No counterexample exists, whatever the positions and the text.
    Proved {
        /// Combinations of kinds that were each shown to be without one.
        cases: usize,
    },
    /// The operations that break it, with the smallest positions.
    Broken {
        /// Their kinds.
        case: Case,
        /// Their positions, characters and sites.
        model: Model,
    },
    /// The solver gave up.
    Unknown(String),
}

/// Prove a law, or find the counterexample with the smallest positions.
pub fn law<F: SymbolicFunction>(
    function: &F,
    law: Law,
    parameters: Parameters,
    solver: &mut dyn Solver,
) -> Result<Proof, SolverError> {
    let cases: Vec<(Case, Vec<Term>)> = Case::all(law, parameters)
        .into_iter()
        .map(|case| (case.clone(), case.broken(function, law, parameters)))
        .collect();
    smallest_broken(&cases, solver)
}

/// Prove that a transformed operation fits into the text that the other one leaves, whatever they carry.
pub fn stays_inside<F: SymbolicFunction>(function: &F, solver: &mut dyn Solver) -> Result<Proof, SolverError> {
    let length = Term::variable("length", Sort::Int);
    let cases = Case::all(Law::Tp1, Parameters::Any).into_iter().map(|case| {
        let (mut terms, forms) = case.forms(function, Parameters::Any);
        let [a, b] = &forms[..] else { return (case, terms) };
        terms.extend([int(0).at_most(&length), a.fits(&length), b.fits(&length)]);
        let left = match b.kind {
            Kind::Ins => length.plus(1),
            _ if F::TOMBSTONES => length.clone(),
            _ => length.plus(-1),
        };
        terms.push(function.transform(a, b).fits(&left).not());
        (case, terms)
    });
    smallest_broken(&cases.collect::<Vec<_>>(), solver)
}

fn smallest_broken(cases: &[(Case, Vec<Term>)], solver: &mut dyn Solver) -> Result<Proof, SolverError> {
    let (mut broken, mut unknown) = (Vec::new(), None);
    for (case, terms) in cases {
        match solver.check(terms)? {
            Answer::Unsat => {}
            Answer::Sat(model) => broken.push((case, terms, model)),
            Answer::Unknown(reason) => unknown = Some(reason),
        }
    }
    let Some((case, _, model)) = broken.first() else {
        return Ok(unknown.map_or(Proof::Proved { cases: cases.len() }, Proof::Unknown));
    };
    for bound in 0..8 {
        for (case, terms, _) in &broken {
            let within = case.names().iter().map(|name| bounded(name, bound)).collect();
            if let Answer::Sat(model) = solver.check(&[(*terms).clone(), within].concat())? {
                return Ok(Proof::Broken { case: (*case).clone(), model });
            }
        }
    }
    Ok(Proof::Broken { case: (*case).clone(), model: model.clone() })
}

/// An operation at a position up to `bound` with one of three characters.
fn bounded(operation: &str, bound: i64) -> Term {
    let named = |part: &str| Term::variable(&format!("{operation}.{part}"), Sort::Int);
    named("position").at_most(&int(bound)).and(&named("character").at_most(&int(2)))
}
