//! A counterexample of the solver as a [`Scenario`] of the model checker, so that the concrete function confirms it.

use std::collections::BTreeSet;

use colobus_ot::properties::tp::Law;
use colobus_ot::scenario::{Action, Operation, Replay, Scenario, SiteOrder};
use colobus_ot::{Function, Kind};
use colobus_solver::{Model, Value};

use crate::law::Case;

/// The scenario of a counterexample with fresh parameters or after one operation; `None` if a number is too large for one.
pub fn scenario(function: &str, law: Law, case: &Case, model: &Model) -> Option<Scenario> {
    let number = |name: &str, part: &str| match model.get(&format!("{name}.{part}")) {
        Some(Value::Int(value)) => Some(*value),
        _ => None,
    };
    let names = case.names();
    // Only the order of sites matters; those that no condition names come last.
    let sites: BTreeSet<i128> = names.iter().filter_map(|name| number(name, "site")).collect();
    let site = |name: &str| {
        let own = number(name, "site")?;
        sites.iter().position(|site| *site == own)
    };
    let mut spare = sites.len();
    let kinds: Vec<Kind> = case.context.iter().map(|(kind, _)| *kind).chain(case.kinds.iter().copied()).collect();
    let mut operations = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let position = u8::try_from(number(name, "position").unwrap_or(0)).ok()?;
        let character = u32::try_from(number(name, "character").unwrap_or(0)).ok()?;
        let site = site(name).unwrap_or_else(|| {
            spare += 1;
            spare - 1
        });
        let asked = index.checked_sub(names.len() - case.kinds.len());
        let seen = case.context.as_ref().zip(asked).is_some_and(|((_, concurrent), asked)| !concurrent[asked]);
        operations.push(Operation {
            name: name.clone(),
            site: u8::try_from(site + 1).ok()?,
            action: match kinds[index] {
                Kind::Ins => Action::Ins(position, char::from_digit(character, 36)?.to_ascii_uppercase()),
                _ => Action::Del(position),
            },
            after: if seen { vec!["context".to_owned()] } else { Vec::new() },
        });
    }
    let paths: [&[&str]; 2] = match law {
        Law::Tp1 => [&["o0", "o1"], &["o1", "o0"]],
        _ => [&["o1", "o2", "o0"], &["o2", "o1", "o0"]],
    };
    let before = case.context.iter().map(|_| "context".to_owned());
    let listeners = operations.iter().map(|operation| operation.site).max()? + 1..;
    let traces = listeners.zip(paths).map(|(site, path)| SiteOrder {
        site,
        order: before.clone().chain(path.iter().map(|name| name.to_string())).collect(),
    });
    let traces = traces.collect();
    let longest = operations.iter().map(|operation| match operation.action {
        Action::Ins(position, _) | Action::Del(position) => usize::from(position),
    });
    let length = longest.max()? + operations.len() + 1;
    let text = ('a'..='z').cycle().take(length).collect();
    Some(Scenario { function: function.to_owned(), server: false, text, operations, traces })
}

/// Execute the scenario with the concrete function; `None` if that does not break the law.
pub fn confirm(function: &dyn Function, law: Law, scenario: &Scenario) -> Option<Replay> {
    let replay = function.replay(scenario).ok()?;
    let last = |index: usize| Some(replay.sites.get(index)?.steps.last()?.form.clone());
    let breaks = if law == Law::Tp1 { !replay.converges } else { last(0)? != last(1)? };
    breaks.then_some(replay)
}
