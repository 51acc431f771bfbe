//! Texts that a keyboard has: solvers find others just as good.

use std::collections::BTreeSet;

use super::evaluate::Assignment;
use super::expr::{Expr, Source, Variable};
use super::operator::Operator;
use super::pattern::Pattern;
use super::value::{Kind, Value};

/// That texts of parameters consist of printable ASCII and do not begin or end with spaces.
pub fn typeable(condition: &[Expr]) -> Vec<Expr> {
    matching(condition, "^(?:[!-~](?:[ -~]*[!-~])?)?$", |variable| variable.source != Source::State)
}

/// That all texts consist of printable ASCII.
pub fn printable(condition: &[Expr]) -> Vec<Expr> {
    matching(condition, "^[ -~]*$", |_| true)
}

/// Whether all texts are well-formed: others cannot be typed, and pages cannot tell of them.
pub fn are_well_formed(values: &Assignment) -> bool {
    let is_well_formed = |value: &Value| match value {
        Value::Text(text) => String::from_utf16(&text.0).is_ok(),
        _ => true,
    };
    values.values().all(is_well_formed)
}

fn matching(condition: &[Expr], pattern: &str, is_wanted: impl Fn(&Variable) -> bool) -> Vec<Expr> {
    let variables: BTreeSet<Variable> = condition.iter().flat_map(Expr::variables).collect();
    let texts = variables.into_iter().filter(|it| it.kinds == [Kind::Text].into() && is_wanted(it));
    let pattern = Pattern::new(pattern, "").ok();
    let test = |pattern: &Pattern, variable| Expr::unary(Operator::Test(pattern.clone()), &Expr::Variable(variable));
    texts.filter_map(|variable| pattern.as_ref().map(|pattern| test(pattern, variable))).collect()
}
