//! Variables on which conditions depend. The others are left out of summaries: a search has no use for variables that are never read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::summary::{Summary, dependencies};
use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::value::Kind;

/// Keep what some condition reads, directly or through what others write.
pub fn keep_relevant(summaries: &mut [Summary]) {
    let mut relevant: BTreeSet<Arc<str>> = summaries.iter().flat_map(|it| dependencies(&it.condition)).collect();
    loop {
        let known = relevant.len();
        let written = summaries.iter().flat_map(|it| it.effect(&relevant));
        let read: Vec<Arc<str>> = written.flat_map(|(_, expr)| dependencies(&[expr])).collect();
        relevant.extend(read);
        if relevant.len() == known {
            break;
        }
    }
    for summary in summaries {
        // The start says as well what there is nothing of: a list that is not there has no elements.
        let is_start = summary.is_start();
        let leads_to =
            |name: &str| relevant.iter().any(|it| it.strip_prefix(name).is_some_and(|it| it.starts_with(['.', '['])));
        let is_length = |name: &str| name.strip_suffix(".length").is_some_and(leads_to);
        summary.writes.retain(|name, _| relevant.contains(name) || is_start && (leads_to(name) || is_length(name)));
        summary.lists.retain(|list| relevant.iter().any(|name| list.has(name)));
    }
}

/// Put values in the place of variables that only the start writes, and leave out paths that need other values.
pub fn fold_constants(summaries: &mut Vec<Summary>) {
    let mut fixed: BTreeMap<Arc<str>, Expr> = BTreeMap::new();
    for (name, expr) in summaries.iter().filter(|summary| summary.is_start()).flat_map(|summary| &summary.writes) {
        if matches!(expr, Expr::Constant(_)) {
            fixed.insert(name.clone(), expr.clone());
        }
    }
    for summary in summaries.iter().filter(|summary| !summary.is_start()) {
        fixed.retain(|name, value| {
            summary.writes.get(name).is_none_or(|written| written == value)
                && !summary.lists.iter().any(|list| list.has(name))
        });
    }
    let value = |variable: &Variable| match variable.source {
        Source::State => fixed.get(&variable.name).cloned(),
        Source::Event(_) => None,
    };
    summaries.retain_mut(|summary| {
        // Where each part of the condition stands then; nothing for those that always hold.
        let mut places: Vec<Option<usize>> = Vec::new();
        let mut condition: Vec<Expr> = Vec::new();
        for part in &summary.condition {
            match part.substitute(&value) {
                Expr::Constant(holds) if holds.is_truthy() => places.push(None),
                Expr::Constant(_) => return false,
                part => {
                    places.push(Some(condition.len()));
                    condition.push(part);
                }
            }
        }
        let moved = |old: &BTreeSet<usize>| old.iter().filter_map(|at| places.get(*at).copied().flatten()).collect();
        summary.condition = condition;
        summary.idle = moved(&summary.idle);
        summary.log.values_mut().for_each(|needed| *needed = moved(needed));
        summary.writes.values_mut().for_each(|expr| *expr = expr.substitute(&value));
        summary.lists.iter_mut().for_each(|list| list.map(&|expr| expr.substitute(&value)));
        true
    });
}

/// Give every variable of the state all the types that it was seen with or is written with.
pub fn unify_kinds(summaries: &mut [Summary]) {
    let mut kinds: BTreeMap<Arc<str>, BTreeSet<Kind>> = BTreeMap::new();
    for summary in summaries.iter() {
        for variable in summary.condition.iter().chain(summary.values()).flat_map(Expr::variables) {
            if variable.source == Source::State {
                kinds.entry(variable.name).or_default().extend(variable.kinds);
            }
        }
        for (name, expr) in &summary.writes {
            if let Expr::Constant(value) = expr {
                kinds.entry(name.clone()).or_default().insert(value.kind());
            }
        }
    }
    let unified = |variable: &Variable| match variable.source {
        Source::State => {
            let kinds = kinds.get(&variable.name).cloned().unwrap_or_default();
            Some(Expr::Variable(Variable { kinds, ..variable.clone() }))
        }
        Source::Event(_) => None,
    };
    for summary in summaries {
        summary.condition.iter_mut().for_each(|part| *part = part.substitute(&unified));
        summary.writes.values_mut().for_each(|expr| *expr = expr.substitute(&unified));
        summary.lists.iter_mut().for_each(|list| list.map(&|expr| expr.substitute(&unified)));
    }
}
