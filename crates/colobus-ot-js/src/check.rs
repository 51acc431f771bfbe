//! The whole check of a library: every law, on as many threads as wanted, with the same report whatever their number.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::error::CheckError;
use crate::laws::{Claim, LAWS, Law, Shape, law, operation_count};
use crate::library::{Library, Source};
use crate::report::{LawReport, Report, Verdict};
use crate::search::{Catalogue, Plan, check_law};
use crate::subject::{Facts, Subject};

/// Checks the laws named, or all that concern the type. Named laws count as claimed.
pub fn check(source: &Source, plan: &Plan, named: &[String], threads: usize) -> Result<Report, CheckError> {
    let start = Instant::now();
    let library = Library::load(source)?;
    let laws = select(named, library.facts())?;
    let next_law = AtomicUsize::new(0);
    // An engine cannot leave its thread, so each thread loads the library itself.
    let work = || -> Result<Vec<(usize, LawReport)>, CheckError> {
        let library = Library::load(source)?;
        let catalogue = Catalogue::new(&library, library.supply())?;
        let mut done = Vec::new();
        loop {
            let index = next_law.fetch_add(1, Ordering::Relaxed);
            let Some(&(law, claim)) = laws.get(index) else {
                return Ok(done);
            };
            done.push((index, check_law(&catalogue, law, claim, plan)?));
        }
    };
    let mut reports = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.clamp(1, laws.len().max(1))).map(|_| scope.spawn(work)).collect();
        let mut reports = Vec::new();
        for worker in workers {
            reports.extend(worker.join().map_err(|_| CheckError::Thread)??);
        }
        Ok::<_, CheckError>(reports)
    })?;
    reports.sort_by_key(|(index, _)| *index);
    let reports = reports.into_iter().map(|(_, report)| report).collect();
    Ok(summary(&library, plan, &laws, reports, start))
}

type Selected = (&'static dyn Law, Claim);

fn select(named: &[String], facts: &Facts) -> Result<Vec<Selected>, CheckError> {
    if named.is_empty() {
        return Ok(LAWS.iter().map(|law| (*law, law.claim(facts))).collect());
    }
    named
        .iter()
        .map(|name| {
            let law = law(name).ok_or_else(|| CheckError::UnknownLaw { name: name.clone(), known: law_names() })?;
            match law.claim(facts) {
                Claim::Absent => Err(CheckError::AbsentLaw(name.clone())),
                _ => Ok((law, Claim::Claimed)),
            }
        })
        .collect()
}

pub fn law_names() -> String {
    LAWS.iter().map(|law| law.id()).collect::<Vec<_>>().join(", ")
}

fn summary(library: &Library, plan: &Plan, laws: &[Selected], reports: Vec<LawReport>, start: Instant) -> Report {
    let claimed = || reports.iter().filter(|report| report.claimed && report.applicable);
    let verdict = if claimed().any(|report| report.verdict == Verdict::Violated) {
        Verdict::Violated
    } else if claimed().all(|report| report.verdict == Verdict::Holds) {
        Verdict::Holds
    } else {
        Verdict::Unknown
    };
    let counterexample =
        claimed().filter_map(|report| report.counterexample.clone()).min_by_key(|found| found.case.size());
    let ops = laws.iter().map(|(law, _)| operations_of(law.shape(), plan)).max().unwrap_or(0);
    Report {
        verdict,
        model: "library",
        r#type: library.name(),
        description: library.description().to_owned(),
        seed: plan.seed,
        sites: plan.clients,
        ops,
        explored: reports.iter().map(|report| report.cases + report.random_cases).sum(),
        computed: reports.iter().map(|report| report.cases + report.random_drawn).sum(),
        orders: None,
        traces: None,
        evaluations: reports.iter().map(|report| report.calls).sum(),
        seconds: start.elapsed().as_secs_f64(),
        counterexample,
        laws: reports,
    }
}

fn operations_of(shape: Shape, plan: &Plan) -> usize {
    operation_count(shape).unwrap_or(plan.clients)
}
