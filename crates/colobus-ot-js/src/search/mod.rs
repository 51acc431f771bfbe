//! The search for a violation of one law: every small case in order of size, then random ones, then shrinking.

mod candidates;
mod chance;
mod exhaustive;
mod random;
mod shrink;
mod simpler;
#[cfg(test)]
mod tests;

use crate::case::Case;
use crate::laws::{Claim, Law, Outcome, Run, Violation};
use crate::report::{Counterexample, Found, LawReport, Verdict};
use crate::subject::{Subject, Supply, SupplyError};

pub use candidates::Catalogue;
use chance::for_case;

/// How far to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Most cases of the exhaustive part, smallest first, per law.
    pub cases: u64,
    /// Random cases per law.
    pub random: u64,
    pub seed: u64,
    /// Clients around the server.
    pub clients: usize,
    /// Operations that a random operation is composed of, at most.
    pub parts: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { cases: 5_000, random: 500, seed: 1, clients: 3, parts: 3 }
    }
}

/// Searches for a violation of `law`; the first in order of size is the one reported.
pub fn check_law(
    catalogue: &Catalogue<'_>,
    law: &'static dyn Law,
    claim: Claim,
    plan: &Plan,
) -> Result<LawReport, SupplyError> {
    let mut report = LawReport::new(law, claim);
    if claim == Claim::Absent {
        return Ok(report);
    }
    let subject = catalogue.subject;
    let mut run = Run::new(subject);
    let mut hit = None;
    report.complete = exhaustive::each_case(catalogue, law, plan, &mut |case| {
        report.cases += 1;
        hit = violation(&mut run, law, &case)?.map(|violation| (case, violation));
        Ok(hit.is_none())
    })?;
    let mut found = Found::Exhaustive;
    if hit.is_none() {
        found = Found::Random;
        for index in 0..plan.random {
            report.random_drawn += 1;
            let mut chance = for_case(plan.seed, law.id(), index);
            let Some(case) = random::case(catalogue, law, plan, &mut chance)? else {
                continue;
            };
            report.random_cases += 1;
            hit = violation(&mut run, law, &case)?.map(|violation| (case, violation));
            if hit.is_some() {
                break;
            }
        }
    }
    report.calls = run.calls;
    report.verdict = match &hit {
        Some(_) => Verdict::Violated,
        None if report.cases + report.random_cases == 0 => Verdict::Unknown,
        None => Verdict::Holds,
    };
    if let Some((case, violation)) = hit {
        let shrunk = shrink::shrink(catalogue, law, case.clone(), &violation);
        report.calls += shrunk.calls;
        report.counterexample = Some(explain(subject, law, &case, shrunk.case, found)?);
    }
    Ok(report)
}

/// Evaluates a law on one case directly, as given.
pub fn check_case(
    subject: &dyn Subject,
    supply: &dyn Supply,
    law: &'static dyn Law,
    case: &Case,
) -> Result<(Outcome, Counterexample), SupplyError> {
    let mut run = Run::validated(subject, supply).recorded();
    let outcome = run.judge(law, case)?;
    let violation = match &outcome {
        Outcome::Violated(violation) => Some(violation.clone()),
        _ => None,
    };
    let steps = run.into_steps();
    let counterexample = Counterexample {
        law: law.id().to_owned(),
        case: case.clone(),
        found: Found::Given,
        original: None,
        violation,
        steps,
    };
    Ok((outcome, counterexample))
}

fn violation(run: &mut Run<'_>, law: &dyn Law, case: &Case) -> Result<Option<Violation>, SupplyError> {
    match run.judge(law, case)? {
        Outcome::Violated(violation) => Ok(Some(violation)),
        Outcome::Holds | Outcome::Inapplicable(_) => Ok(None),
    }
}

/// Runs the smallest case once more, noting every step.
fn explain(
    subject: &dyn Subject,
    law: &'static dyn Law,
    original: &Case,
    case: Case,
    found: Found,
) -> Result<Counterexample, SupplyError> {
    let mut run = Run::new(subject).recorded();
    let violation = violation(&mut run, law, &case)?;
    Ok(Counterexample {
        law: law.id().to_owned(),
        original: (*original != case).then(|| original.clone()),
        case,
        found,
        violation,
        steps: run.into_steps(),
    })
}
