//! Variables that always hold integers, read off the summaries. With reals alone a solver would reach 4711 on a keypad by
//! any last digit; with integers only by 1.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::summary::Summary;
use crate::symbolic::expr::{Expr, Source};
use crate::symbolic::operator::Operator;
use crate::symbolic::value::{Kind, Value};

/// The state variables that hold an integer after every event: they are written by the start, and every write keeps them
/// integral if the others are.
pub fn integral(summaries: &[Summary]) -> BTreeSet<Arc<str>> {
    let starts: Vec<&Summary> = summaries.iter().filter(|summary| summary.is_start()).collect();
    let written = |name: &&Arc<str>| !starts.is_empty() && starts.iter().all(|start| start.writes.contains_key(*name));
    let names = summaries.iter().flat_map(|summary| summary.writes.keys());
    let mut integral: BTreeSet<Arc<str>> = names.filter(written).cloned().collect();
    loop {
        let keeps = |name: &Arc<str>| {
            let in_list = summaries.iter().any(|summary| summary.lists.iter().any(|list| list.has(name)));
            let mut written = summaries.iter().filter_map(|summary| summary.writes.get(name));
            !in_list && written.all(|expr| is_integral(expr, &integral))
        };
        let kept: BTreeSet<Arc<str>> = integral.iter().filter(|name| keeps(name)).cloned().collect();
        if kept == integral {
            return integral;
        }
        integral = kept;
    }
}

/// The conditions that say so of the variables of some conditions.
pub fn assume(condition: &[Expr], integral: &BTreeSet<Arc<str>>) -> Vec<Expr> {
    let variables: BTreeSet<_> = condition.iter().flat_map(Expr::variables).collect();
    let known = variables.into_iter().filter(|variable| {
        variable.source == Source::State && integral.contains(&variable.name) && variable.kinds == [Kind::Number].into()
    });
    known
        .map(|variable| {
            let value = Expr::Variable(variable);
            value.binary(Operator::Same, &Expr::unary(Operator::Floor, &value))
        })
        .collect()
}

fn is_integral(expr: &Expr, integral: &BTreeSet<Arc<str>>) -> bool {
    match expr {
        Expr::Constant(Value::Number(number)) => number.is_finite() && number.fract() == 0.0,
        Expr::Constant(_) => false,
        Expr::Variable(variable) => variable.source == Source::State && integral.contains(&variable.name),
        Expr::Apply(application) => match (&application.0, &application.1[..]) {
            (Operator::Length, _) => true,
            (Operator::Conditional, [_, a, b]) => is_integral(a, integral) && is_integral(b, integral),
            (
                Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Min
                | Operator::Max
                | Operator::Negate
                | Operator::Abs,
                operands,
            ) => operands.iter().all(|operand| is_integral(operand, integral)),
            _ => false,
        },
    }
}
