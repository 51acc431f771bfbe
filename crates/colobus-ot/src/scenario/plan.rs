//! [`Plan`]: a scenario with names resolved and its causality checked.

use std::collections::BTreeSet;

use super::{Action, Operation, Scenario, ScenarioError, SiteOrder};
use crate::glyphs::{Glyphs, alphabet};
use crate::operation::OpSet;
use crate::order::CausalOrder;
use crate::setting::{MAX_ALPHABET, MAX_OPERATIONS, MAX_TEXT};
use crate::signature::Signature;

/// A trace: its site counted from 0 (`None` for the server) and the operations.
type Resolved = (Option<u8>, Vec<u8>);

/// An execution that could have happened.
pub(super) struct Plan {
    pub order: CausalOrder,
    pub signatures: Vec<Signature>,
    /// The traces of the scenario.
    pub traces: Vec<Resolved>,
    pub glyphs: Glyphs,
    pub start: Vec<u8>,
}

impl Plan {
    pub fn of(scenario: &Scenario) -> Result<Self, ScenarioError> {
        let operations = &scenario.operations;
        if !(1..=MAX_OPERATIONS).contains(&operations.len()) {
            return Err(ScenarioError::Operations(operations.len()));
        }
        check_names(operations)?;
        let order =
            CausalOrder { owners: operations.iter().map(|o| o.site - 1).collect(), before: causes(operations)? };
        check_sites(operations, &order)?;
        let traces = traces(scenario, &order)?;
        let inserted = inserted_characters(operations)?;
        let longest = scenario.text.chars().count() + operations.len();
        if longest + inserted.len() > MAX_TEXT {
            return Err(ScenarioError::TextTooLong(longest));
        }
        let (glyphs, start) = Glyphs::with(&inserted, &scenario.text);
        let rank = |character: char| inserted.binary_search(&character).unwrap_or(0) as u8;
        let signatures = operations.iter().map(|operation| match operation.action {
            Action::Ins(position, character) => Signature::ins(position, rank(character)),
            Action::Del(position) => Signature::del(position),
        });
        Ok(Plan { signatures: signatures.collect(), order, traces, glyphs, start })
    }
}

fn check_names(operations: &[Operation]) -> Result<(), ScenarioError> {
    for (index, Operation { name, site, .. }) in operations.iter().enumerate() {
        if !(1..=MAX_OPERATIONS).contains(&usize::from(*site)) {
            return Err(ScenarioError::Site { name: name.clone(), site: *site });
        }
        if operations[..index].iter().any(|other| other.name == *name) {
            return Err(ScenarioError::SameName(name.clone()));
        }
    }
    Ok(())
}

fn id_of(operations: &[Operation], wanted: &str, by: impl FnOnce() -> String) -> Result<u8, ScenarioError> {
    let found = operations.iter().position(|o| o.name == wanted);
    found.map(|id| id as u8).ok_or_else(|| ScenarioError::UnknownName {
        wanted: wanted.into(),
        by: by(),
        known: operations.iter().map(|o| o.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

/// What happened before each operation: its `after` list and what that depends on.
fn causes(operations: &[Operation]) -> Result<Vec<OpSet>, ScenarioError> {
    let mut before = Vec::new();
    for operation in operations {
        let ids = operation.after.iter().map(|name| id_of(operations, name, || format!("`{}`", operation.name)));
        before.push(OpSet::of(ids.collect::<Result<Vec<_>, _>>()?));
    }
    for _ in 0..operations.len() {
        for id in 0..before.len() {
            before[id] = before[id].iter().fold(before[id], |all, cause| all.union(before[usize::from(cause)]));
        }
    }
    let circular = (0u8..).zip(operations).find(|(id, _)| before[usize::from(*id)].contains(*id));
    circular.map_or(Ok(before), |(_, operation)| Err(ScenarioError::Circular(operation.name.clone())))
}

/// A user's own operations are always in an order.
fn check_sites(operations: &[Operation], order: &CausalOrder) -> Result<(), ScenarioError> {
    for a in 0..operations.len() {
        for b in 0..a {
            let (first, second) = (&operations[b], &operations[a]);
            if first.site == second.site && order.concurrent(a as u8, b as u8) {
                let names = (first.name.clone(), second.name.clone());
                return Err(ScenarioError::UnorderedSite(names.0, names.1, first.site));
            }
        }
    }
    Ok(())
}

fn traces(scenario: &Scenario, order: &CausalOrder) -> Result<Vec<Resolved>, ScenarioError> {
    if scenario.traces.len() < 2 {
        return Err(ScenarioError::TooFewTraces);
    }
    let mut traces: Vec<Resolved> = Vec::new();
    for trace in &scenario.traces {
        let site = trace.site.checked_sub(1);
        if usize::from(trace.site) > MAX_OPERATIONS || (site.is_none() && !scenario.server) {
            return Err(ScenarioError::TraceSite(trace.site));
        }
        if traces.iter().any(|(other, _)| *other == site) {
            return Err(ScenarioError::TwoTraces(trace.site_name()));
        }
        traces.push((site, resolve(scenario, trace, site, order)?));
    }
    Ok(traces)
}

fn resolve(
    scenario: &Scenario,
    trace: &SiteOrder,
    site: Option<u8>,
    order: &CausalOrder,
) -> Result<Vec<u8>, ScenarioError> {
    let operations = &scenario.operations;
    let by = || format!("the trace of {}", trace.site_name());
    let ids: Vec<u8> = trace.order.iter().map(|name| id_of(operations, name, by)).collect::<Result<_, _>>()?;
    let name = |id: u8| operations[usize::from(id)].name.clone();
    for id in 0..operations.len() as u8 {
        let times = ids.iter().filter(|&&other| other == id).count();
        if times != 1 {
            return Err(ScenarioError::Incomplete { site: trace.site_name(), name: name(id), times });
        }
    }
    for (at, &id) in ids.iter().enumerate() {
        let (done, before) = (OpSet::of(ids[..at].iter().copied()), order.before[usize::from(id)]);
        if let Some(cause) = before.without(done).iter().next() {
            let (effect, cause) = (name(id), name(cause));
            return Err(ScenarioError::EffectBeforeCause { site: trace.site_name(), effect, cause });
        }
        let own = Some(order.owners[usize::from(id)]) == site;
        if let Some(seen) = done.without(before).iter().next().filter(|_| own) {
            return Err(ScenarioError::SeenTooMuch { site: trace.site_name(), name: name(id), seen: name(seen) });
        }
    }
    Ok(ids)
}

/// The characters by rank, which is what functions compare: those of the alphabet keep the rank they have there, so that
/// a search and its replay see the same; others are ranked by their code.
fn inserted_characters(operations: &[Operation]) -> Result<Vec<char>, ScenarioError> {
    let characters = operations.iter().filter_map(|operation| match operation.action {
        Action::Ins(_, character) => Some(character),
        Action::Del(_) => None,
    });
    let inserted: BTreeSet<char> = characters.collect();
    if inserted.len() > MAX_ALPHABET {
        return Err(ScenarioError::Alphabet(inserted.len()));
    }
    let alphabet: Vec<char> = alphabet().collect();
    let ranks: Option<Vec<usize>> = inserted.iter().map(|c| alphabet.binary_search(c).ok()).collect();
    Ok(match ranks.and_then(|ranks| ranks.into_iter().max()) {
        Some(highest) => alphabet[..=highest].to_vec(),
        None => inserted.into_iter().collect(),
    })
}
