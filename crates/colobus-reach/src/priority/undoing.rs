//! Sequences in which one event undoes another come later.

use super::Priority;
use crate::search::{Extension, Partial};
use crate::summary::Summary;
use crate::symbolic::expr::Expr;
use crate::symbolic::operator::Operator;
use crate::symbolic::value::Value;

/// An increment and a decrement of one counter, or both values of one flag, on something that the sequence depends on.
pub struct Undoing;

impl Priority for Undoing {
    fn name(&self) -> &'static str {
        "undoing"
    }

    fn penalties(&self, partial: &Partial, extensions: &[Extension], summaries: &[Summary]) -> Vec<i64> {
        let wanted = partial.dependencies();
        let undone = |extension: &Extension| {
            let anchor = &summaries[extension.anchor.summary];
            let later = partial.list.iter().map(|id| &summaries[*id]);
            later.into_iter().any(|later| {
                let effects = anchor.effect(&wanted);
                effects
                    .iter()
                    .any(|(name, first)| later.writes.get(name).is_some_and(|second| undo(name, first, second)))
            })
        };
        extensions.iter().map(|extension| i64::from(undone(extension))).collect()
    }
}

/// Whether two writes of a variable leave it as it was.
fn undo(name: &str, first: &Expr, second: &Expr) -> bool {
    if let (Expr::Constant(Value::Boolean(a)), Expr::Constant(Value::Boolean(b))) = (first, second) {
        return a != b;
    }
    let toggles = |expr: &Expr| match expr {
        Expr::Apply(application) => {
            application.0 == Operator::Not && application.1.iter().all(|operand| is_variable(operand, name))
        }
        _ => false,
    };
    let opposite = step(name, first).zip(step(name, second)).is_some_and(|(a, b)| a != 0.0 && a == -b);
    opposite || toggles(first) && toggles(second)
}

/// The constant that an expression adds to a variable.
fn step(name: &str, expr: &Expr) -> Option<f64> {
    let Expr::Apply(application) = expr else { return None };
    match (&application.0, &application.1[..]) {
        (Operator::Add, [Expr::Constant(Value::Number(by)), variable])
        | (Operator::Add, [variable, Expr::Constant(Value::Number(by))])
            if is_variable(variable, name) =>
        {
            Some(*by)
        }
        (Operator::Subtract, [variable, Expr::Constant(Value::Number(by))]) if is_variable(variable, name) => Some(-by),
        _ => None,
    }
}

fn is_variable(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Variable(variable) if &*variable.name == name)
}
