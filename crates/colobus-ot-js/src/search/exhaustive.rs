//! Every case of a law's shape, by ascending size, without holding them all.

use std::rc::Rc;

use super::Plan;
use super::candidates::{Candidate, Catalogue};
use crate::case::Case;
use crate::json::Json;
use crate::laws::{Law, Shape};
use crate::subject::SupplyError;

type Visit<'v> = dyn FnMut(Case) -> Result<bool, SupplyError> + 'v;

/// Visits cases until `visit` says stop or the plan's number is reached; true if there are no others.
pub fn each_case(
    catalogue: &Catalogue<'_>,
    law: &dyn Law,
    plan: &Plan,
    visit: &mut Visit<'_>,
) -> Result<bool, SupplyError> {
    let (shape, offered) = (law.shape(), law.is_about_refusal());
    let slots = slots(shape, plan.clients);
    let mut left = plan.cases;
    for size in 0_usize.. {
        let mut larger_exist = false;
        for document in &catalogue.documents {
            let Some(text) = size.checked_sub(document.size()) else {
                larger_exist = true;
                break;
            };
            let mut tuple = Tuple { catalogue, document, slots: &slots, offered, chosen: Vec::new(), larger_exist };
            let go_on = tuple.fill(text, &mut |operations| {
                if left == 0 {
                    return Ok(false);
                }
                left -= 1;
                let document = document.clone();
                visit(match shape {
                    Shape::Clients => Case::all_at_once(document, operations),
                    _ => Case::new(document, operations),
                })
            })?;
            larger_exist = tuple.larger_exist;
            if !go_on {
                return Ok(false);
            }
        }
        if !larger_exist {
            break;
        }
    }
    Ok(true)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    OnDocument,
    AfterFirst,
}

fn slots(shape: Shape, clients: usize) -> Vec<Slot> {
    match shape {
        Shape::Concurrent(count) => vec![Slot::OnDocument; count],
        Shape::Clients => vec![Slot::OnDocument; clients],
        Shape::Sequence { beside } => {
            let mut slots = vec![Slot::OnDocument, Slot::AfterFirst];
            slots.extend(vec![Slot::OnDocument; beside]);
            slots
        }
    }
}

struct Tuple<'a> {
    catalogue: &'a Catalogue<'a>,
    document: &'a Json,
    slots: &'a [Slot],
    /// Whether operations that the type refuses take part.
    offered: bool,
    chosen: Vec<Candidate>,
    /// Whether some operation was too long for the size in hand.
    larger_exist: bool,
}

impl Tuple<'_> {
    /// All ways to fill the remaining slots with exactly `text` characters; false to stop.
    fn fill(
        &mut self,
        text: usize,
        emit: &mut dyn FnMut(Vec<Json>) -> Result<bool, SupplyError>,
    ) -> Result<bool, SupplyError> {
        let Some(slot) = self.slots.get(self.chosen.len()) else {
            let operations = self.chosen.iter().map(|one| one.operation.clone()).collect();
            return if text == 0 { emit(operations) } else { Ok(true) };
        };
        let list: Rc<Vec<Candidate>> = match slot {
            Slot::OnDocument if self.offered => self.catalogue.offered(self.document)?,
            Slot::OnDocument => self.catalogue.operations(self.document)?,
            Slot::AfterFirst => self.catalogue.operations(&self.chosen[0].after)?,
        };
        let is_last = self.chosen.len() + 1 == self.slots.len();
        let from = if is_last { list.partition_point(|one| one.operation.size() < text) } else { 0 };
        for candidate in &list[from..] {
            let Some(rest) = text.checked_sub(candidate.operation.size()) else {
                self.larger_exist = true;
                break;
            };
            self.chosen.push(candidate.clone());
            let go_on = self.fill(rest, emit)?;
            self.chosen.pop();
            if !go_on {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
