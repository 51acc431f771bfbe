//! [`Observation`]: what an instrumented page says of one run of a handler, checked against itself. Produced by
//! `page/concolic/state.js`; becomes a [`Run`].
//!
//! Every symbolic value comes with the concrete one that it stands for. One that has another value for the state that the
//! handler began with is wrong, and is replaced by the concrete one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::concolic::Run;
use crate::line::Line;
use crate::lists::taken_out;
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::operator::Operator;
use crate::symbolic::pattern::Pattern;
use crate::symbolic::value::{Kind, Value};

/// What the value that a user enters is called.
pub const PARAMETER: &str = "value";

/// A run as the page tells it. Sites are numbers that the instrumenter has given.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Observation {
    /// The state when the handler began.
    pub entry: BTreeMap<Arc<str>, Value>,
    /// What the page began with, of the state that this run was the first to ask for.
    #[serde(default)]
    pub initial: BTreeMap<Arc<str>, Value>,
    /// What was typed or chosen.
    #[serde(default)]
    pub parameter: Option<String>,
    /// The conditions that were taken, as they were: each was truthy.
    #[serde(default)]
    branches: Vec<Branch>,
    /// What state is in the end, where it is not what it was.
    writes: BTreeMap<Arc<str>, Written>,
    /// The statements that ran, and how many conditions had been taken by then.
    log: Vec<(u32, usize)>,
    #[serde(default)]
    lost: Vec<Lost>,
    /// The function that ran first.
    pub handler: Option<u32>,
    aborted: Option<String>,
    /// State that could not be set.
    #[serde(default)]
    refused: Vec<String>,
    #[serde(default)]
    domain: Option<Domain>,
    /// Fields that hold nothing but numbers.
    #[serde(default)]
    numbers: BTreeSet<Arc<str>>,
    /// Whether the state that was set does not offer the event.
    #[serde(default)]
    absent: bool,
}

/// What can be entered into a field.
#[derive(Clone, Debug, Default, Deserialize)]
struct Domain {
    #[serde(default)]
    choices: Option<Vec<String>>,
    #[serde(default)]
    longest: Option<f64>,
    #[serde(default)]
    number: bool,
}

impl Domain {
    /// The same as conditions on the parameter.
    fn conditions(&self) -> Vec<Expr> {
        let value = Expr::parameter(PARAMETER, Kind::Text);
        let mut conditions = Vec::new();
        if let Some(choices) = &self.choices {
            let is = |choice: &String| value.binary(Operator::Same, &Expr::constant(choice.as_str()));
            conditions.extend(choices.iter().map(is).reduce(|one, other| one.binary(Operator::Or, &other)));
        }
        if let Some(longest) = self.longest {
            conditions.push(Expr::unary(Operator::Length, &value).binary(Operator::AtMost, &Expr::constant(longest)));
        }
        if self.number
            && let Ok(pattern) = Pattern::new("^-?[0-9]{1,9}$", "")
        {
            conditions.push(Expr::unary(Operator::Test(pattern), &value));
        }
        conditions
    }
}

#[derive(Clone, Debug, Deserialize)]
struct Branch {
    expr: ReportedExpr,
    site: u32,
}

#[derive(Clone, Debug, Deserialize)]
struct Written {
    expr: ReportedExpr,
    value: Value,
}

/// A symbolic value, or something that cannot be followed here.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum ReportedExpr {
    Known(Expr),
    Unknown(IgnoredAny),
}

#[derive(Clone, Debug, Deserialize)]
struct Lost {
    site: u32,
    what: String,
}

/// Where a site stands.
pub type Sites<'a> = dyn Fn(u32) -> Option<Line> + 'a;

impl Observation {
    /// The run, with what had to be left out of it as reasons.
    pub fn run(self, sites: &Sites<'_>) -> Run {
        let domain = self.domain.as_ref().map(Domain::conditions).unwrap_or_default();
        let mut run = Run { aborted: self.aborted.clone(), domain, is_absent: self.absent, ..Run::default() };
        let place = |site: u32| sites(site).map_or_else(|| "unknown code".to_owned(), |line| line.to_string());
        // How many conditions are kept of the first n.
        let mut kept = vec![0];
        for branch in &self.branches {
            let is_right = |expr: &Expr| self.evaluated(expr).is_some_and(|value| value.is_truthy());
            match &branch.expr {
                ReportedExpr::Known(expr) if is_right(expr) => {
                    run.branches.push(expr.clone());
                    run.sites.push(branch.site);
                }
                ReportedExpr::Known(expr) => {
                    run.concrete.push(format!("the condition `{expr}` at {}", place(branch.site)))
                }
                ReportedExpr::Unknown(_) => run.concrete.push(format!("the condition at {}", place(branch.site))),
            }
            kept.push(run.branches.len());
        }
        run.assumed = self.assumed(&run.branches);
        for (name, Written { expr, value }) in &self.writes {
            let is_right = |expr: &Expr| self.evaluated(expr).is_some_and(|found| is_same(&found, value));
            // What a server will say is open.
            let is_open =
                |expr: &Expr| matches!(expr, Expr::Variable(it) if it.source != Source::State && it.name == *name);
            let expr = match expr {
                ReportedExpr::Known(expr) if is_open(expr) => expr.clone(),
                ReportedExpr::Known(expr) if is_right(expr) => expr.clone(),
                ReportedExpr::Known(expr) => {
                    run.concrete.push(format!("the value `{expr}` of {name}"));
                    Expr::Constant(value.clone())
                }
                ReportedExpr::Unknown(_) => {
                    run.concrete.push(format!("the value of {name}"));
                    Expr::Constant(value.clone())
                }
            };
            run.writes.insert(name.clone(), expr);
        }
        let before = |variable: &Variable| self.entry.get(&variable.name).cloned();
        run.lists = taken_out(&mut run.writes, &before);
        for (site, branches) in &self.log {
            if let Some(line) = sites(*site) {
                let count = kept.get(*branches).or(kept.last()).copied().unwrap_or_default();
                let entry = run.log.entry(line).or_insert(count);
                *entry = count.min(*entry);
            }
        }
        run.concrete.extend(self.lost.iter().map(|lost| format!("{} at {}", lost.what, place(lost.site))));
        run.concrete.extend(self.refused.iter().cloned());
        run.concrete.sort();
        run.concrete.dedup();
        run
    }

    /// What is true of fields that conditions read, whatever their values.
    fn assumed(&self, branches: &[Expr]) -> Vec<Expr> {
        let read: BTreeSet<Variable> = branches.iter().flat_map(Expr::variables).collect();
        let numbers = read.into_iter().filter(|it| it.source == Source::State && self.numbers.contains(&it.name));
        let pattern = Pattern::new("^(?:-?[0-9]{1,9})?$", "").ok();
        let test = |pattern: &Pattern, it| Expr::unary(Operator::Test(pattern.clone()), &Expr::Variable(it));
        numbers.filter_map(|it| pattern.as_ref().map(|pattern| test(pattern, it))).collect()
    }

    /// The value of an expression in the state that the handler began with.
    fn evaluated(&self, expr: &Expr) -> Option<Value> {
        let mut values = Assignment::new();
        for variable in expr.variables() {
            let value = match variable.source {
                Source::State => self.entry.get(&variable.name).cloned()?,
                Source::Event(_) => Value::text(self.parameter.as_deref()?),
            };
            values.insert(variable, value);
        }
        expr.evaluate(&values).ok()
    }
}

/// Whether no program could tell two values apart, but for the sign of zero.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.is_nan() && other.is_nan(),
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(branch: &str, write: &str) -> Run {
        let json = format!(
            r#"{{"entry": {{"n": {{"number": "3"}}}}, "branches": [{{"expr": {branch}, "site": 2}}],
                "writes": {{"n": {{"expr": {write}, "value": {{"number": "4"}}}}}}, "log": [[1, 0], [5, 1]],
                "handler": 1, "aborted": null}}"#
        );
        let observation: Observation = serde_json::from_str(&json).unwrap();
        observation.run(&|site| Some(Line { file: "app.js".into(), number: site }))
    }

    const N: &str = r#"{"variable": {"name": "n", "kinds": ["number"], "source": "state"}}"#;

    fn applied(operator: &str, operand: &str) -> String {
        format!(r#"{{"apply": ["{operator}", [{N}, {{"constant": {{"number": "{operand}"}}}}]]}}"#)
    }

    #[test]
    fn what_holds_is_kept() {
        let run = observed(&applied("greater", "2"), &applied("add", "1"));
        assert_eq!(run.branches[0].to_string(), "n > 2");
        assert_eq!(run.writes["n"].to_string(), "n + 1");
        assert_eq!(run.log.values().copied().collect::<Vec<_>>(), [0, 1]);
        assert!(run.concrete.is_empty());
    }

    #[test]
    fn what_the_state_contradicts_becomes_concrete() {
        let run = observed(&applied("greater", "7"), &applied("add", "2"));
        assert!(run.branches.is_empty());
        assert_eq!(run.writes["n"].to_string(), "4");
        assert_eq!(run.log.values().copied().collect::<Vec<_>>(), [0, 0]);
        assert_eq!(run.concrete, ["the condition `n > 7` at app.js:2", "the value `n + 2` of n"]);
    }

    #[test]
    fn what_cannot_be_read_becomes_concrete() {
        let run = observed(r#"{"apply": ["shuffle", []]}"#, r#"{"apply": [{"test": ["(?=a)", ""]}, []]}"#);
        assert_eq!((run.branches.len(), run.concrete.len()), (0, 2));
    }
}
