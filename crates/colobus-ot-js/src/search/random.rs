//! Random cases: documents grown by random edits, operations composed of several, clients in random order.

use colobus_random::Random;

use super::Plan;
use super::candidates::{Candidate, Catalogue};
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
    random: &mut Random,
) -> Result<Option<Case>, SupplyError> {
    let document = document(catalogue, random)?;
    if law.is_about_refusal()
        && let Some(operation) = refused(catalogue, &document, random)?
    {
        return Ok(Some(Case::new(document, vec![operation])));
    }
    let drawn = match law.shape() {
        Shape::Concurrent(count) => concurrent(catalogue, &document, count, plan, random)?,
        Shape::Sequence { beside } => {
            let Some(first) = operation(catalogue, &document, plan.parts, random)? else {
                return Ok(None);
            };
            let second = operation(catalogue, &first.after, plan.parts, random)?;
            let others = concurrent(catalogue, &document, beside, plan, random)?;
            match (second, others) {
                (Some(second), Some(others)) => Some([vec![first.operation, second.operation], others].concat()),
                _ => None,
            }
        }
        Shape::Clients => return clients(catalogue, document, plan, random),
    };
    Ok(drawn.map(|operations| Case::new(document, operations)))
}

fn document(catalogue: &Catalogue<'_>, random: &mut Random) -> Result<Json, SupplyError> {
    let mut document = match random.pick(&catalogue.documents) {
        Some(document) => document.clone(),
        None => return Err(SupplyError::NoDocuments),
    };
    for _ in 0..random.below(GROWTH + 1) {
        if let Some(step) = operation(catalogue, &document, 1, random)? {
            document = step.after;
        }
    }
    Ok(document)
}

/// An operation that the generator made for this very document and that the type does not take.
fn refused(catalogue: &Catalogue<'_>, document: &Json, random: &mut Random) -> Result<Option<Json>, SupplyError> {
    let generated = catalogue.supply.generate(document, random.number())?;
    Ok(generated.filter(|operation| catalogue.after(document, operation).is_none()))
}

fn concurrent(
    catalogue: &Catalogue<'_>,
    document: &Json,
    count: usize,
    plan: &Plan,
    random: &mut Random,
) -> Result<Option<Vec<Json>>, SupplyError> {
    let mut operations = Vec::with_capacity(count);
    for _ in 0..count {
        match operation(catalogue, document, plan.parts, random)? {
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
    random: &mut Random,
) -> Result<Option<Candidate>, SupplyError> {
    let Some(mut whole) = simple(catalogue, document, random)? else {
        return Ok(None);
    };
    if !catalogue.subject.facts().compose {
        return Ok(Some(whole));
    }
    for _ in 0..random.below(parts) {
        let Some(next) = simple(catalogue, &whole.after, random)? else {
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

fn simple(catalogue: &Catalogue<'_>, document: &Json, random: &mut Random) -> Result<Option<Candidate>, SupplyError> {
    let listed = catalogue.listed(document)?;
    let generated = match listed.is_empty() || random.below(2) == 0 {
        true => catalogue.supply.generate(document, random.number())?,
        false => None,
    };
    let drawn = generated.or_else(|| random.pick(&listed).cloned());
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
    random: &mut Random,
) -> Result<Option<Case>, SupplyError> {
    let mut case = Case::new(document, Vec::new());
    let mut world = World::new(&case.document, plan.clients);
    let mut run = Run::new(catalogue.subject);
    for _ in 0..plan.clients * MOVES_PER_CLIENT {
        let client = random.below(plan.clients);
        let event = match random.below(3) {
            0 => {
                let Some(drawn) = operation(catalogue, world.document_of(client), plan.parts, random)? else {
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
