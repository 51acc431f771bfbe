//! [`Summary`]: what one path through a handler needs, does and executes. Produced by [`summarise`](crate::summarise);
//! consumed by the search.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::line::Line;
use crate::lists::{ListWrite, absent, with_known_lengths};
use crate::symbolic::expr::{Expr, Source, Variable};

/// The event that starts the application, and the state before it.
pub const START: &str = "start";

/// One path through the handler of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// What people call it: the event, and the number of the path.
    pub name: Arc<str>,
    /// The event.
    pub event: Arc<str>,
    /// The path: what is truthy of the state before and of the event's parameters.
    pub condition: Vec<Expr>,
    /// Parts of the condition that make no difference to what is written and to where the event leads, by their places.
    #[serde(default)]
    pub idle: BTreeSet<usize>,
    /// What a user can enter, as conditions on the parameters.
    #[serde(default)]
    pub domain: Vec<Expr>,
    /// The variables it writes, in terms of the state before and of the parameters. A variable that keeps its value is
    /// left out.
    pub writes: BTreeMap<Arc<str>, Expr>,
    /// Lists that it makes longer or copies, whatever their lengths.
    #[serde(default)]
    pub lists: Vec<ListWrite>,
    /// The lines it executes, and the parts of the condition that each of them needs, by their places.
    pub log: BTreeMap<Line, BTreeSet<usize>>,
}

impl Summary {
    /// Whether it starts the application.
    pub fn is_start(&self) -> bool {
        &*self.event == START
    }

    /// What must hold for it to execute a line.
    pub fn condition_for(&self, line: &Line) -> Option<Vec<Expr>> {
        let needed = self.log.get(line)?;
        Some(needed.iter().filter_map(|at| self.condition.get(*at)).cloned().collect())
    }

    /// What must hold for it to write what it writes and to lead where it leads.
    pub fn needed(&self) -> impl Iterator<Item = &Expr> {
        self.condition.iter().enumerate().filter(|(at, _)| !self.idle.contains(at)).map(|(_, part)| part)
    }

    /// What a variable of the state is afterwards; nothing if it stays what it was.
    pub fn written(&self, variable: &Variable) -> Option<Expr> {
        if let Some(expr) = self.writes.get(&variable.name) {
            return Some(expr.clone());
        }
        let in_list = || self.lists.iter().find_map(|list| list.written(variable));
        if self.is_start() { absent(&variable.name, &self.writes) } else { in_list() }
    }

    /// Whether it writes a variable.
    pub fn writes_to(&self, name: &Arc<str>) -> bool {
        self.writes.contains_key(name) || self.lists.iter().any(|list| list.has(name))
    }

    /// Whether it writes one of some variables.
    pub fn writes_any(&self, variables: &BTreeSet<Arc<str>>) -> bool {
        variables.iter().any(|name| self.writes_to(name))
    }

    /// Everything that it computes.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        self.writes.values().chain(self.lists.iter().flat_map(ListWrite::expressions))
    }

    /// Its effect on some variables: what it writes of them.
    pub fn effect(&self, variables: &BTreeSet<Arc<str>>) -> Vec<(Arc<str>, Expr)> {
        let written = |name: &Arc<str>| self.written(&Variable::state(name, [])).map(|expr| (name.clone(), expr));
        variables.iter().filter(|name| self.writes_to(name)).filter_map(written).collect()
    }
}

/// The state variables that conditions depend on.
pub fn dependencies(condition: &[Expr]) -> BTreeSet<Arc<str>> {
    let variables = condition.iter().flat_map(Expr::variables);
    variables.filter(|variable| variable.source == Source::State).map(|variable| variable.name).collect()
}

/// The condition for a sequence that begins with `first`, if `rest` is the condition for what follows it. `number` is the
/// place of `first` from the end, which tells its parameters from those of others.
pub fn compose(first: &Summary, rest: &[Expr], number: u32) -> Vec<Expr> {
    let own = |expr: &Expr| {
        expr.substitute(&|variable: &Variable| match variable.source {
            Source::Event(0) => Some(Expr::Variable(Variable { source: Source::Event(number), ..variable.clone() })),
            _ => None,
        })
    };
    let written = |variable: &Variable| match variable.source {
        Source::State => first.written(variable).map(|expr| own(&expr)),
        Source::Event(_) => None,
    };
    let mut condition: Vec<Expr> = Vec::new();
    for part in first.needed().chain(&first.domain).map(own).chain(rest.iter().map(|part| part.substitute(&written))) {
        let holds = matches!(&part, Expr::Constant(value) if value.is_truthy());
        if !holds && !condition.contains(&part) {
            condition.push(part);
        }
    }
    with_known_lengths(condition)
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let condition: Vec<String> = self.condition.iter().map(Expr::to_string).collect();
        let mut writes: Vec<String> = self.writes.iter().map(|(name, expr)| format!("{name} := {expr}")).collect();
        for ListWrite { list, base, length, added } in &self.lists {
            if list != base {
                writes.push(format!("{list}[…] := {base}[…]"));
            }
            for (at, parts) in added.iter().enumerate() {
                let place = if at == 0 { length.to_string() } else { format!("{length} + {at}") };
                writes.extend(parts.iter().map(|(rest, expr)| format!("{list}[{place}]{rest} := {expr}")));
            }
        }
        let or_none =
            |parts: Vec<String>, none: &str| if parts.is_empty() { none.to_owned() } else { parts.join(", ") };
        write!(f, "{} if {} then {}", self.name, or_none(condition, "true"), or_none(writes, "nothing"))
    }
}
