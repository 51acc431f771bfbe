//! Of many anchors that differ in a constant only, such as the keys of a keypad, all but one come later.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Priority;
use crate::search::{Extension, Partial, SummaryId};
use crate::summary::Summary;
use crate::symbolic::expr::Expr;
use crate::symbolic::value::Value;

/// So many anchors of one form make a keypad.
const KEYS: usize = 3;

/// The solver has excluded the keys that cannot be the last one. Of those that are left the one with the greatest constant
/// keeps its priority: a condition that asks for much is met by it soonest, and one that asks for little has excluded it.
pub struct Keypad;

impl Priority for Keypad {
    fn name(&self) -> &'static str {
        "keypad"
    }

    fn penalties(&self, partial: &Partial, extensions: &[Extension], summaries: &[Summary]) -> Vec<i64> {
        let wanted = partial.dependencies();
        let mut keypads: BTreeMap<String, Vec<(SummaryId, Vec<Value>)>> = BTreeMap::new();
        for Extension { anchor, .. } in extensions {
            let (mut form, mut constants) = (String::new(), Vec::new());
            for (name, expr) in summaries[anchor.summary].effect(&wanted) {
                form.push_str(&format!("{name} := {}; ", without_constants(&expr, &mut constants)));
            }
            let keys = keypads.entry(form).or_default();
            if !keys.iter().any(|(known, _)| *known == anchor.summary) {
                keys.push((anchor.summary, constants));
            }
        }
        let greatest = |keys: &Vec<(SummaryId, Vec<Value>)>| {
            keys.iter().max_by(|a, b| compare(&a.1, &b.1)).map(|(summary, _)| *summary)
        };
        let lowered = |summary: SummaryId| {
            let of_key = |keys: &&Vec<(SummaryId, Vec<Value>)>| keys.iter().any(|(known, _)| *known == summary);
            let keypad = keypads.values().filter(|keys| keys.len() >= KEYS).find(of_key);
            keypad.is_some_and(|keys| greatest(keys) != Some(summary))
        };
        extensions.iter().map(|extension| i64::from(lowered(extension.anchor.summary))).collect()
    }
}

/// An expression with its constants taken out.
fn without_constants(expr: &Expr, constants: &mut Vec<Value>) -> String {
    match expr {
        Expr::Constant(value @ (Value::Number(_) | Value::Text(_))) => {
            constants.push(value.clone());
            "_".to_owned()
        }
        Expr::Constant(value) => value.to_string(),
        Expr::Variable(variable) => variable.full_name(),
        Expr::Apply(application) => {
            let operands: Vec<String> =
                application.1.iter().map(|operand| without_constants(operand, constants)).collect();
            format!("{:?}({})", application.0, operands.join(","))
        }
    }
}

fn compare(a: &[Value], b: &[Value]) -> Ordering {
    let one = |a: &Value, b: &Value| match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
        (a, b) => a.to_text().cmp(&b.to_text()),
    };
    a.iter().zip(b).map(|(a, b)| one(a, b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
