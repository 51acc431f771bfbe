//! Answers of servers as variables: `answer("GET /items").body[0].done`. What a server gives is given: a sequence cannot choose it, but a
//! user wants to know which answer a line would need.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::summary::Summary;
use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::operator::Operator;

/// How the names of all parts of answers begin.
const ANSWER: &str = "answer(\"";

/// Whether a variable is a part of an answer.
pub fn is_answer(name: &str) -> bool {
    name.starts_with(ANSWER)
}

/// The request that a part of an answer belongs to: its method and path.
fn request(name: &str) -> Option<&str> {
    name.strip_prefix(ANSWER)?.split_once("\").").map(|(request, _)| request)
}

/// Which other answers conditions would need, if the event that sends the requests gets answers that exclude them.
pub fn needed_answers(condition: &[Expr], sending: &Summary) -> Option<String> {
    let given = |variable: &Variable| match sending.writes.get(&variable.name) {
        Some(value @ Expr::Constant(_)) if is_answer(&variable.name) => Some(value.clone()),
        _ => None,
    };
    let mut needed: BTreeSet<String> = BTreeSet::new();
    let mut requests: BTreeSet<Arc<str>> = BTreeSet::new();
    for part in condition {
        if matches!(part.substitute(&given), Expr::Constant(value) if !value.is_truthy()) {
            let parts = part.variables().into_iter().filter(|it| it.source == Source::State);
            requests.extend(parts.filter_map(|it| request(&it.name).map(Arc::from)));
            needed.insert(in_words(part));
        }
    }
    if needed.is_empty() || requests.is_empty() {
        return None;
    }
    let mut text = needed.into_iter().collect::<Vec<_>>().join(" and ");
    for request in &requests {
        text = text.replace(&format!("{ANSWER}{request}\")."), "");
    }
    let requests: Vec<&str> = requests.iter().map(|it| &**it).collect();
    Some(format!("the line needs an answer of {} in which {text}", requests.join(" and ")))
}

fn in_words(part: &Expr) -> String {
    match part {
        Expr::Variable(_) => format!("{part} is true"),
        Expr::Apply(application) if application.0 == Operator::Not => match &application.1[..] {
            [inner @ Expr::Variable(_)] => format!("{inner} is not true"),
            _ => part.to_string(),
        },
        _ => part.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::value::Kind;

    #[test]
    fn the_answer_that_a_line_needs_is_told() {
        let done = Expr::state("answer(\"GET /items\").body[0].done", Kind::Boolean);
        let count = Expr::state("answer(\"GET /items\").body.length", Kind::Number);
        let other = Expr::state("count", Kind::Number).binary(Operator::Greater, &Expr::constant(2.0));
        let many = count.binary(Operator::Greater, &Expr::constant(3.0));
        let mut sending = Summary {
            name: "click Load/1".into(),
            event: "click Load".into(),
            condition: Vec::new(),
            idle: BTreeSet::new(),
            domain: Vec::new(),
            writes: Default::default(),
            lists: Vec::new(),
            log: Default::default(),
        };
        assert_eq!(needed_answers(std::slice::from_ref(&done), &sending), None);
        sending.writes.insert("answer(\"GET /items\").body[0].done".into(), Expr::constant(false));
        sending.writes.insert("answer(\"GET /items\").body.length".into(), Expr::constant(5.0));
        let told = needed_answers(&[done, many, other], &sending);
        assert_eq!(told.as_deref(), Some("the line needs an answer of GET /items in which body[0].done is true"));
    }
}
