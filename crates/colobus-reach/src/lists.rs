//! [`ListWrite`]: what a handler adds to the end of a list, or copies from another one, whatever the length of the list. A run shows
//! the index that a new element had then; what matters is that it was the length.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::operator::Operator;
use crate::symbolic::value::Value;

/// A list that is another one, or itself, with more elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListWrite {
    /// The list.
    pub list: Arc<str>,
    /// The list whose elements it has then.
    pub base: Arc<str>,
    /// How long that is before.
    pub length: Expr,
    /// The elements that are added, each by its parts: `.text`, or nothing if it is a primitive value.
    pub added: Vec<BTreeMap<Arc<str>, Expr>>,
}

/// `notes[3].text` as the list, the index and the rest, for each list that it is in.
pub fn elements(name: &str) -> impl Iterator<Item = (&str, usize, &str)> {
    name.match_indices('[').filter_map(move |(at, _)| {
        let (index, rest) = name[at + 1..].split_once(']')?;
        Some((&name[..at], index.parse().ok()?, rest))
    })
}

/// The lists that writes make longer or copy, taken out of them. `before` gives the values with which the run began.
pub fn taken_out(
    writes: &mut BTreeMap<Arc<str>, Expr>,
    before: &impl Fn(&Variable) -> Option<Value>,
) -> Vec<ListWrite> {
    let lengths: Vec<(Arc<str>, Expr)> = writes.iter().map(|(name, expr)| (name.clone(), expr.clone())).collect();
    let mut found = Vec::new();
    for (name, expr) in lengths {
        let Some(list) = name.strip_suffix(".length") else { continue };
        let Some((variable, more)) = longer(&expr) else { continue };
        let Some(base) = variable.name.strip_suffix(".length").map(Arc::<str>::from) else { continue };
        let Some(Value::Number(count)) = before(&variable) else { continue };
        let (count, is_copy) = (count as usize, *base != *list);
        let start = format!("{list}[");
        let of_list: Vec<(Arc<str>, usize, Arc<str>)> = writes
            .keys()
            .filter(|name| name.starts_with(&start))
            .filter_map(|name| elements(name).find(|it| it.0 == list).map(|it| (name.clone(), it.1, it.2.into())))
            .collect();
        let is_same = |name: &Arc<str>, index: usize, rest: &str| {
            let copied = format!("{base}[{index}]{rest}");
            matches!(&writes[name], Expr::Variable(it) if it.source == Source::State && *it.name == *copied)
        };
        // What a list has beside the elements of the other one is no copy of it.
        if is_copy && !of_list.iter().all(|(name, index, rest)| *index >= count || is_same(name, *index, rest)) {
            continue;
        }
        let mut added = vec![BTreeMap::new(); more];
        for (name, index, rest) in of_list {
            let Some(parts) = index.checked_sub(count).and_then(|at| added.get_mut(at)) else { continue };
            if let Some(expr) = writes.remove(&name) {
                parts.insert(rest, expr);
            }
        }
        let is_known = added.iter().all(|parts| !parts.is_empty());
        if is_known && (more > 0 || is_copy) {
            found.push(ListWrite { list: list.into(), base, length: Expr::Variable(variable), added });
        }
    }
    found
}

/// A length as the variable that it comes from, and how much more it is.
fn longer(expr: &Expr) -> Option<(Variable, usize)> {
    match expr {
        Expr::Variable(variable) if variable.source == Source::State => Some((variable.clone(), 0)),
        Expr::Apply(application) if application.0 == Operator::Add => match &application.1[..] {
            [inner, Expr::Constant(Value::Number(by))] if *by >= 1.0 && *by < 100.0 && by.fract() == 0.0 => {
                longer(inner).map(|(variable, more)| (variable, more + *by as usize))
            }
            _ => None,
        },
        _ => None,
    }
}

impl ListWrite {
    /// What is in an element of the list afterwards.
    pub fn written(&self, variable: &Variable) -> Option<Expr> {
        let (_, index, rest) = elements(&variable.name).find(|(list, ..)| *list == &*self.list)?;
        let other: Arc<str> = format!("{}[{index}]{rest}", self.base).into();
        let mut expr = Expr::Variable(Variable { name: other, ..variable.clone() });
        for (at, parts) in self.added.iter().enumerate() {
            let place = self.length.binary(Operator::Add, &Expr::constant(at as f64));
            let place = if at == 0 { self.length.clone() } else { place };
            let value = parts.get(rest).cloned().unwrap_or(Expr::Constant(Value::Undefined));
            let is_there = place.binary(Operator::Same, &Expr::constant(index as f64));
            expr = Expr::apply(Operator::Conditional, vec![is_there, value, expr]);
        }
        Some(expr)
    }

    /// Whether a variable belongs to an element of the list.
    pub fn has(&self, name: &str) -> bool {
        elements(name).any(|(list, ..)| list == &*self.list)
    }

    /// All its expressions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.length).chain(self.added.iter().flat_map(BTreeMap::values))
    }

    /// The same with every expression replaced.
    pub fn map(&mut self, change: &impl Fn(&Expr) -> Expr) {
        self.length = change(&self.length);
        self.added.iter_mut().flat_map(BTreeMap::values_mut).for_each(|expr| *expr = change(expr));
    }
}

/// Conditions with the lengths that some of them say put into the others: which element was added last is known then.
pub fn with_known_lengths(mut condition: Vec<Expr>) -> Vec<Expr> {
    for at in 0..condition.len() {
        let Some((length, value)) = known_length(&condition[at]) else { continue };
        let put = |variable: &Variable| (*variable == length).then(|| Expr::constant(value));
        for other in (0..condition.len()).filter(|other| *other != at) {
            condition[other] = condition[other].substitute(&put);
        }
    }
    condition.retain(|part| !matches!(part, Expr::Constant(value) if value.is_truthy()));
    condition
}

/// `notes.length + 1 === 3` says how long a list is.
fn known_length(part: &Expr) -> Option<(Variable, f64)> {
    let Expr::Apply(application) = part else { return None };
    let (Operator::Same, [sum, Expr::Constant(Value::Number(value))]) = (&application.0, &application.1[..]) else {
        return None;
    };
    let (variable, more) = longer(sum)?;
    variable.name.ends_with(".length").then_some((variable, value - more as f64))
}

/// The value of a part that the start does not write: an element behind the end of a list, or a part of nothing.
pub fn absent(name: &str, writes: &BTreeMap<Arc<str>, Expr>) -> Option<Expr> {
    let behind_end = elements(name).any(|(list, index, _)| {
        let length = writes.get(format!("{list}.length").as_str());
        matches!(length, Some(Expr::Constant(Value::Number(length))) if *length <= index as f64)
    });
    let is_nothing = |(at, _): (usize, &str)| {
        matches!(writes.get(&name[..at]), Some(Expr::Constant(Value::Null | Value::Undefined)))
    };
    let of_nothing = name.match_indices(['.', '[']).any(is_nothing);
    (behind_end || of_nothing).then_some(Expr::Constant(Value::Undefined))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::value::Kind;

    fn writes(all: &[(&str, Expr)]) -> BTreeMap<Arc<str>, Expr> {
        all.iter().map(|(name, expr)| ((*name).into(), expr.clone())).collect()
    }

    fn length(list: &str) -> Expr {
        Expr::state(&format!("{list}.length"), Kind::Number)
    }

    fn two(_: &Variable) -> Option<Value> {
        Some(Value::Number(2.0))
    }

    #[test]
    fn what_is_pushed_has_the_length_as_its_index() {
        let text = Expr::parameter("value", Kind::Text);
        let more = length("notes").binary(Operator::Add, &Expr::constant(1.0));
        let mut all =
            writes(&[("notes.length", more), ("notes[2].text", text), ("notes[0].done", Expr::constant(true))]);
        let lists = taken_out(&mut all, &two);
        assert_eq!(all.keys().map(|name| &**name).collect::<Vec<_>>(), ["notes.length", "notes[0].done"]);
        let written = |name: &str| lists[0].written(&Variable::state(name, [Kind::Text])).unwrap().to_string();
        assert_eq!(written("notes[5].text"), "(notes.length === 5) ? value : notes[5].text");
        assert_eq!(written("notes[5].date"), "(notes.length === 5) ? undefined : notes[5].date");
        assert!(!lists[0].has("other[1].text"));
    }

    #[test]
    fn a_copy_of_another_list_goes_on_beyond_what_was_seen() {
        let copied = Expr::state("notes[1]", Kind::Text);
        let mut all = writes(&[("kept.length", length("notes")), ("kept[1]", copied)]);
        let lists = taken_out(&mut all, &two);
        assert_eq!(lists[0].written(&Variable::state("kept[7]", [Kind::Text])).unwrap().to_string(), "notes[7]");
        let mut mapped = writes(&[("kept.length", length("notes")), ("kept[1]", Expr::constant("x"))]);
        assert!(taken_out(&mut mapped, &two).is_empty(), "it has other elements");
    }

    #[test]
    fn a_length_that_is_known_says_which_element_was_added() {
        let more = length("notes").binary(Operator::Add, &Expr::constant(1.0));
        let is_two = more.binary(Operator::Same, &Expr::constant(2.0));
        let mut all = writes(&[("notes.length", more), ("notes[2]", Expr::state("field", Kind::Text))]);
        let added = taken_out(&mut all, &two)[0].written(&Variable::state("notes[1]", [Kind::Text])).unwrap();
        let condition = with_known_lengths(vec![is_two, added.binary(Operator::Same, &Expr::constant("old"))]);
        let told: Vec<String> = condition.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["(notes.length + 1) === 2", "field === \"old\""]);
    }

    #[test]
    fn what_was_not_there_at_the_start_is_undefined() {
        let start = writes(&[("notes.length", Expr::constant(1.0)), ("store", Expr::Constant(Value::Null))]);
        assert!(absent("notes[1].text", &start).is_some() && absent("store[4].id", &start).is_some());
        assert!(absent("notes[0].text", &start).is_none() && absent("other[0]", &start).is_none());
    }
}
