//! The search against a type written in Rust: exact counts, smallest first, shrinking that really runs.

use serde_json::json;

use super::{Catalogue, Plan, check_law};
use crate::case::Case;
use crate::failure::Failure;
use crate::json::Json;
use crate::laws::{Claim, law};
use crate::report::{Found, LawReport, Verdict};
use crate::subject::{Facts, Side, Subject, Supply, SupplyError};

/// A counter whose operations add; `forgets_from` makes transform lose additions of at least that much.
struct Counter {
    facts: Facts,
    forgets_from: i64,
}

impl Counter {
    fn new(forgets_from: i64) -> Counter {
        Counter { facts: Facts { compose: true, ..Facts::default() }, forgets_from }
    }
}

fn number(json: &Json) -> Result<i64, Failure> {
    let not_a_number = || Failure::Threw { message: format!("{json} is not a number") };
    json.value().and_then(|value| value.as_i64()).ok_or_else(not_a_number)
}

impl Subject for Counter {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn apply(&self, document: &Json, operation: &Json) -> Result<Json, Failure> {
        Ok(json!(number(document)? + number(operation)?).into())
    }

    fn transform(&self, operation: &Json, _other: &Json, side: Side) -> Result<Json, Failure> {
        let amount = number(operation)?;
        let forgotten = side == Side::Right && amount >= self.forgets_from;
        Ok(json!(if forgotten { 0 } else { amount }).into())
    }

    fn compose(&self, first: &Json, second: &Json) -> Result<Json, Failure> {
        Ok(json!(number(first)? + number(second)?).into())
    }

    fn normalize(&self, operation: &Json) -> Result<Json, Failure> {
        Ok(operation.clone())
    }
}

/// Documents 0 and 10; operations 1, 2 and 30.
struct Additions;

impl Supply for Additions {
    fn documents(&self) -> Result<Vec<Json>, SupplyError> {
        Ok(vec![json!(10).into(), json!(0).into()])
    }

    fn operations(&self, _document: &Json) -> Result<Vec<Json>, SupplyError> {
        Ok([30, 1, 2].map(|amount| json!(amount).into()).to_vec())
    }

    fn promises(&self) -> bool {
        true
    }

    fn generate(&self, _document: &Json, _seed: u64) -> Result<Option<Json>, SupplyError> {
        Ok(None)
    }

    fn valid(&self, _document: &Json, operation: &Json) -> Result<Option<bool>, SupplyError> {
        Ok(Some(number(operation).is_ok_and(|amount| amount > 0)))
    }
}

const PLAN: Plan = Plan { cases: 1_000, random: 50, seed: 7, clients: 3, parts: 3 };

fn report(subject: &Counter, id: &str, plan: &Plan) -> LawReport {
    let catalogue = Catalogue::new(subject, &Additions).unwrap();
    check_law(&catalogue, law(id).unwrap(), Claim::Claimed, plan).unwrap()
}

#[test]
fn every_case_is_visited_once() {
    let sound = Counter::new(i64::MAX);
    for (id, cases) in
        [("apply", 6), ("tp1", 18), ("tp2", 54), ("compose", 18), ("composed-tp1", 54), ("convergence", 54)]
    {
        let report = report(&sound, id, &PLAN);
        assert_eq!((report.cases, report.complete, report.random_cases), (cases, true, 50), "{id}");
        assert_eq!(report.verdict, Verdict::Holds, "{id}");
    }
}

#[test]
fn a_limit_leaves_the_largest_cases_out() {
    let plan = Plan { cases: 10, random: 0, ..PLAN };
    let report = report(&Counter::new(i64::MAX), "tp1", &plan);
    assert_eq!((report.cases, report.complete), (10, false));
}

#[test]
fn the_first_violation_is_the_smallest() {
    let report = report(&Counter::new(2), "tp1", &PLAN);
    let found = report.counterexample.unwrap();
    assert_eq!((report.verdict, found.found), (Verdict::Violated, Found::Exhaustive));
    assert_eq!(found.case, Case::new(json!(0).into(), vec![json!(1).into(), json!(2).into()]));
    assert_eq!(found.original, None);
}

#[test]
fn random_findings_shrink_to_a_minimum() {
    // Only compositions reach 40, so the exhaustive part finds nothing.
    let report = report(&Counter::new(40), "tp1", &PLAN);
    let found = report.counterexample.unwrap();
    assert_eq!((report.cases, found.found), (18, Found::Random));
    assert_eq!(found.case, Case::new(json!(0).into(), vec![json!(1).into(), json!(40).into()]));
}

#[test]
fn clients_that_do_not_matter_are_dropped() {
    let report = report(&Counter::new(2), "convergence", &PLAN);
    let found = report.counterexample.unwrap();
    assert_eq!(found.case.operations.len(), 2);
    assert_eq!(found.case.clients(), 2);
}

#[test]
fn nothing_to_try_is_no_verdict() {
    let report = report(&Counter::new(2), "tp1", &Plan { cases: 0, random: 0, ..PLAN });
    assert_eq!(report.verdict, Verdict::Unknown);
}
