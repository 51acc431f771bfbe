//! Expressions of JavaScript as terms for a solver.
//!
//! What the solver's language has no word for is approximated from two sides. An approximated result is exact under an
//! assumption and any value otherwise, so that "no solution" means none whatever the approximation; a second query with the
//! assumptions asserted looks for solutions where everything is exact. A query before these two looks for solutions of the
//! simplest form, which solvers find soon. Each solution is evaluated afterwards.

mod cases;
mod found;
mod numbers;
mod operators;
mod texts;

pub use cases::{nan_name, part_name, tag_name};
pub use found::Finding;

use std::collections::HashMap;
use std::sync::Arc;

use colobus_solver::build::boolean;
use colobus_solver::{Sort, Term};

use self::cases::{Cases, Number};
use super::expr::{Expr, Source, Variable};
use super::value::Kind;

/// The terms of some conditions.
#[derive(Debug, Default)]
pub struct Translation {
    /// The conditions, and definitions of the terms that they use. No solution here means no solution.
    pub terms: Vec<Term>,
    /// What makes every term exact.
    pub assumptions: Vec<Term>,
    /// What makes the terms easy: numbers in texts are plain digits without whitespace around them.
    pub easy: Vec<Term>,
    /// What regular expressions find, of which the terms tell only a part.
    pub findings: Vec<Finding>,
}

/// Translate conditions, each of which must be truthy.
pub fn translate(conditions: &[Expr]) -> Translation {
    let mut translator = Translator::default();
    let truthy: Vec<Term> = conditions.iter().map(|condition| translator.cases(condition).truthy()).collect();
    let terms = [truthy, translator.definitions].concat();
    Translation { terms, assumptions: translator.assumptions, easy: translator.easy, findings: translator.findings }
}

#[derive(Default)]
struct Translator {
    definitions: Vec<Term>,
    assumptions: Vec<Term>,
    easy: Vec<Term>,
    findings: Vec<Finding>,
    named: usize,
    /// Translations of shared expressions and of variables.
    known: HashMap<usize, Cases>,
    variables: HashMap<Variable, Cases>,
}

impl Translator {
    fn cases(&mut self, expr: &Expr) -> Cases {
        match expr {
            Expr::Constant(value) => Cases::constant(value).unwrap_or_else(|| {
                let value = self.unknown_number(&boolean(false));
                Cases::number(boolean(true), value)
            }),
            Expr::Variable(variable) => self.variable(variable),
            Expr::Apply(application) => {
                let address = Arc::as_ptr(application) as usize;
                if let Some(known) = self.known.get(&address) {
                    return known.clone();
                }
                let operands: Vec<Cases> = application.1.iter().map(|operand| self.cases(operand)).collect();
                let cases = match (&application.0, &application.1[..], &operands[..]) {
                    (operator, [subject], [operand]) if operator.is_found() => self.found(operator, subject, operand),
                    (operator, ..) => self.operation(operator, &operands),
                };
                self.known.insert(address, cases.clone());
                cases
            }
        }
    }

    fn variable(&mut self, variable: &Variable) -> Cases {
        if let Some(known) = self.variables.get(variable) {
            return known.clone();
        }
        let kinds: Vec<Kind> = variable.kinds.iter().copied().collect();
        // A user cannot type NaN where a number is asked for.
        let may_be_nan = variable.source == Source::State;
        let (cases, valid) = Cases::variable(&variable.full_name(), &kinds, may_be_nan);
        self.definitions.push(valid);
        self.variables.insert(variable.clone(), cases.clone());
        cases
    }

    /// A variable of the translation itself.
    fn fresh(&mut self, sort: Sort) -> Term {
        self.named += 1;
        Term::variable(&format!("#{}", self.named), sort)
    }

    /// Any number; exact solutions do not use it, since they must fulfil `exact`.
    fn unknown_number(&mut self, exact: &Term) -> Number {
        self.assumptions.push(exact.clone());
        Number { nan: self.fresh(Sort::Bool), value: self.fresh(Sort::Real) }
    }
}
