//! Random cases: documents grown by random edits, operations composed of several, clients in random order.

use super::Plan;
use super::candidates::{Candidate, Catalogue};
use super::chance::Chance;
use crate::case::{Case, Move};
use crate::json::Json;
use crate::laws::{Law, Run, Shape, Stop, World};
use crate::subject::SupplyError;

/// Edits that a random document has been through, at most.
const GROWTH: usize = 4;

const MOVES_PER_CLIENT: usize = 4;

/// A random case, or none if this try met a document on which nothing can be done.
pub fn case(
    catalogue: &Catalogue<'_>,
    law: &dyn Law,
    plan: &Plan,
    chance: &mut Chance,
) -> Result<Option<Case>, SupplyError> {
    let document = document(catalogue, chance)?;
    if law.is_about_refusal()
        && let Some(operation) = refused(catalogue, &document, chance)?
    {
        return Ok(Some(Case::new(document, vec![operation])));
    }
    let drawn = match law.shape() {
        Shape::Concurrent(count) => concurrent(catalogue, &document, count, plan, chance)?,
        Shape::Sequence { beside } => {
            let Some(first) = operation(catalogue, &document, plan.parts, chance)? else {
                return Ok(None);
            };
            let second = operation(catalogue, &first.after, plan.parts, chance)?;
            let others = concurrent(catalogue, &document, beside, plan, chance)?;
            match (second, others) {
                (Some(second), Some(others)) => Some([vec![first.operation, second.operation], others].concat()),
                _ => None,
            }
        }
        Shape::Clients => return clients(catalogue, document, plan, chance),
    };
    Ok(drawn.map(|operations| Case::new(document, operations)))
}

fn document(catalogue: &Catalogue<'_>, chance: &mut Chance) -> Result<Json, SupplyError> {
    let mut document = match chance.one_of(&catalogue.documents) {
        Some(document) => document.clone(),
        None => return Err(SupplyError::NoDocuments),
    };
    for _ in 0..chance.below(GROWTH + 1) {
        if let Some(step) = operation(catalogue, &document, 1, chance)? {
            document = step.after;
        }
    }
    Ok(document)
}

/// An operation that the generator made for this very document and that the type does not take.
fn refused(catalogue: &Catalogue<'_>, document: &Json, chance: &mut Chance) -> Result<Option<Json>, SupplyError> {
    let generated = catalogue.supply.generate(document, chance.next())?;
    Ok(generated.filter(|operation| catalogue.after(document, operation).is_none()))
}

fn concurrent(
    catalogue: &Catalogue<'_>,
    document: &Json,
    count: usize,
    plan: &Plan,
    chance: &mut Chance,
) -> Result<Option<Vec<Json>>, SupplyError> {
    let mut operations = Vec::with_capacity(count);
    for _ in 0..count {
        match operation(catalogue, document, plan.parts, chance)? {
            Some(drawn) => operations.push(drawn.operation),
            None => return Ok(None),
        }
    }
    Ok(Some(operations))
}

/// An operation of up to `parts` simple ones. A composition that does not do what its parts do is the compose law's
/// business, and not used.
fn operation(
    catalogue: &Catalogue<'_>,
    document: &Json,
    parts: usize,
    chance: &mut Chance,
) -> Result<Option<Candidate>, SupplyError> {
    let Some(mut whole) = simple(catalogue, document, chance)? else {
        return Ok(None);
    };
    if !catalogue.subject.facts().compose {
        return Ok(Some(whole));
    }
    for _ in 0..chance.below(parts) {
        let Some(next) = simple(catalogue, &whole.after, chance)? else {
            break;
        };
        let Ok(operation) = catalogue.subject.compose(&whole.operation, &next.operation) else {
            break;
        };
        if catalogue.after(document, &operation).as_ref() != Some(&next.after) {
            break;
        }
        whole = Candidate { operation, after: next.after };
    }
    Ok(Some(whole))
}

fn simple(catalogue: &Catalogue<'_>, document: &Json, chance: &mut Chance) -> Result<Option<Candidate>, SupplyError> {
    let listed = catalogue.listed(document)?;
    let generated = match listed.is_empty() || chance.below(2) == 0 {
        true => catalogue.supply.generate(document, chance.next())?,
        false => None,
    };
    let drawn = generated.or_else(|| chance.one_of(&listed).cloned());
    Ok(drawn.and_then(|operation| {
        let after = catalogue.after(document, &operation)?;
        Some(Candidate { operation, after })
    }))
}

/// Clients that edit, submit and receive in random order, each edit made on what its client sees just then.
fn clients(
    catalogue: &Catalogue<'_>,
    document: Json,
    plan: &Plan,
    chance: &mut Chance,
) -> Result<Option<Case>, SupplyError> {
    let mut case = Case::new(document, Vec::new());
    let mut world = World::new(&case.document, plan.clients);
    let mut run = Run::new(catalogue.subject);
    for _ in 0..plan.clients * MOVES_PER_CLIENT {
        let client = chance.below(plan.clients);
        let event = match chance.below(3) {
            0 => {
                let Some(drawn) = operation(catalogue, world.document_of(client), plan.parts, chance)? else {
                    continue;
                };
                case.operations.push(drawn.operation);
                Move::Edit { client, operation: case.operations.len() - 1 }
            }
            1 => Move::Submit { client },
            _ => Move::Receive { client },
        };
        match world.step(&mut run, event, &case.operations) {
            Ok(()) => case.schedule.push(event),
            // The law will meet the same violation.
            Err(Stop::Violated(_)) => {
                case.schedule.push(event);
                break;
            }
            Err(Stop::Inapplicable(_)) => {}
            Err(Stop::Supply(error)) => return Err(error),
        }
    }
    Ok((!case.operations.is_empty()).then_some(case))
}
