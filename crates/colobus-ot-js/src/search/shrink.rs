//! Shrinking: greedy steps to smaller cases, each one really run, until none of the smaller ones is violated alike.

use super::candidates::Catalogue;
use super::simpler::simpler;
use crate::case::{Case, Move};
use crate::json::Json;
use crate::laws::{Law, Outcome, Run, Shape, Violation, operation_count};

/// Cases that shrinking may run. Fewer where each takes the engine to its limits.
const TRIES: u64 = 20_000;
const SLOW_TRIES: u64 = 40;

/// A smaller document may be tried with this many combinations of its own operations.
const COMBINATIONS: usize = 4_000;

pub struct Shrunk {
    pub case: Case,
    pub calls: u64,
}

pub fn shrink(catalogue: &Catalogue<'_>, law: &dyn Law, case: Case, violation: &Violation) -> Shrunk {
    let slow = matches!(violation, Violation::Failed { failure, .. } if failure.spoils_the_engine());
    let mut shrinker = Shrinker {
        catalogue,
        law,
        violation,
        run: Run::validated(catalogue.subject, catalogue.supply),
        tries: if slow { SLOW_TRIES } else { TRIES },
        best: case,
    };
    // Each round starts again from what the last one reached.
    while shrinker.fewer_events() || shrinker.simpler_values() || shrinker.smaller_document() {}
    Shrunk { calls: shrinker.run.calls, case: shrinker.best }
}

struct Shrinker<'a> {
    catalogue: &'a Catalogue<'a>,
    law: &'a dyn Law,
    violation: &'a Violation,
    run: Run<'a>,
    tries: u64,
    best: Case,
}

impl Shrinker<'_> {
    /// Runs a case; keeps it if it is smaller and violated in the same way.
    fn accept(&mut self, case: Case) -> bool {
        if self.tries == 0 || !case.is_smaller_than(&self.best) {
            return false;
        }
        self.tries -= 1;
        // A description that stumbles over a simplified document has not called it valid.
        match self.run.judge(self.law, &case) {
            Ok(Outcome::Violated(found)) if found.is_like(self.violation) => {
                self.best = case;
                true
            }
            _ => false,
        }
    }

    fn accept_any(&mut self, cases: impl IntoIterator<Item = Case>) -> bool {
        cases.into_iter().any(|case| self.accept(case))
    }

    /// Leaves out operations and events, where the law takes any number of them.
    fn fewer_events(&mut self) -> bool {
        if operation_count(self.law.shape()).is_some() {
            return false;
        }
        let best = self.best.clone();
        let fewer_operations = (0..best.operations.len()).map(|index| without_operation(&best, index));
        let fewer_moves =
            (0..best.schedule.len()).filter(|index| !matches!(best.schedule[*index], Move::Edit { .. })).map(|index| {
                let mut case = best.clone();
                case.schedule.remove(index);
                case
            });
        self.accept_any(fewer_operations.chain(fewer_moves))
    }

    /// Simplifies the document or one operation, where the supply can tell whether the result still makes sense.
    fn simpler_values(&mut self) -> bool {
        let first = self.best.operations.first();
        let can_tell = match first {
            // What the operation must fit is the very question.
            _ if self.law.is_about_refusal() => false,
            Some(operation) => {
                let valid = self.catalogue.supply.valid(&self.best.document, operation);
                valid.is_ok_and(|told| told.is_some())
            }
            None => false,
        };
        if !can_tell {
            return false;
        }
        let best = self.best.clone();
        let documents = variants(&best.document).into_iter().map(|document| {
            let mut case = best.clone();
            case.document = document;
            case
        });
        if self.accept_any(documents) {
            return true;
        }
        for index in 0..best.operations.len() {
            let cases = variants(&best.operations[index]).into_iter().map(|operation| {
                let mut case = best.clone();
                case.operations[index] = operation;
                case
            });
            if self.accept_any(cases) {
                return true;
            }
        }
        false
    }

    /// Takes a simpler document with operations of its own: positions and paths move together.
    fn smaller_document(&mut self) -> bool {
        let count = match self.law.shape() {
            Shape::Concurrent(count) => count,
            Shape::Clients if self.best.operations.len() == self.best.schedule.len() => self.best.operations.len(),
            _ => return false,
        };
        let mut documents = variants(&self.best.document);
        documents.push(self.best.document.clone());
        for document in documents {
            let listed = if self.law.is_about_refusal() {
                self.catalogue.offered(&document)
            } else {
                self.catalogue.operations(&document)
            };
            let Ok(listed) = listed else {
                continue;
            };
            if listed.len().saturating_pow(count as u32) > COMBINATIONS {
                continue;
            }
            let mut tuples = vec![Vec::new()];
            for _ in 0..count {
                tuples = tuples
                    .into_iter()
                    .flat_map(|tuple: Vec<Json>| {
                        listed.iter().map(move |one| [tuple.clone(), vec![one.operation.clone()]].concat())
                    })
                    .collect();
            }
            let schedule = self.best.schedule.clone();
            let cases = tuples.into_iter().map(|operations| Case {
                document: document.clone(),
                operations,
                schedule: schedule.clone(),
            });
            if self.accept_any(cases) {
                return true;
            }
        }
        false
    }
}

fn variants(json: &Json) -> Vec<Json> {
    json.value().map_or_else(Vec::new, |value| simpler(&value).into_iter().map(Json::from).collect())
}

/// Leaves an operation out, and clients that have nothing left to do.
fn without_operation(case: &Case, gone: usize) -> Case {
    let mut operations = case.operations.clone();
    operations.remove(gone);
    let kept: Vec<Move> = case
        .schedule
        .iter()
        .filter_map(|event| match *event {
            Move::Edit { operation, .. } if operation == gone => None,
            Move::Edit { client, operation } if operation > gone => {
                Some(Move::Edit { client, operation: operation - 1 })
            }
            other => Some(other),
        })
        .collect();
    let mut clients: Vec<usize> = kept.iter().map(|event| event.client()).collect();
    clients.sort_unstable();
    clients.dedup();
    let schedule = kept
        .into_iter()
        .map(|event| event.with_client(clients.partition_point(|client| *client < event.client())))
        .collect();
    Case { document: case.document.clone(), operations, schedule }
}
