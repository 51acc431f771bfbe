//! A counterexample given back: checked by running it, with no search involved.

use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use crate::error::CheckError;
use crate::laws::{Outcome, law, operation_count};
use crate::library::{Library, Source};
use crate::report::{GivenCase, LawReport, Report, Verdict};
use crate::search::check_case;
use crate::subject::Subject;

/// Runs the case in a file: a counterexample, or a report that holds one.
pub fn check_given(source: &Source, path: &Path) -> Result<Report, CheckError> {
    let start = Instant::now();
    let given = read(path)?;
    let unknown = || CheckError::UnknownLaw { name: given.law.clone(), known: crate::law_names() };
    let law = law(&given.law).ok_or_else(unknown)?;
    if let Some(count) = operation_count(law.shape())
        && given.case.operations.len() != count
    {
        let problem = format!("the law {} is about {count} operations", given.law);
        return Err(CheckError::BadCase { path: path.display().to_string(), problem });
    }
    let library = Library::load(source)?;
    let (outcome, counterexample) = check_case(&library, library.supply(), law, &given.case)?;
    let verdict = match outcome {
        Outcome::Holds => Verdict::Holds,
        Outcome::Violated(_) => Verdict::Violated,
        Outcome::Inapplicable(reason) => {
            return Err(CheckError::Inapplicable { path: path.display().to_string(), reason });
        }
    };
    let calls = counterexample.steps.len() as u64;
    let mut report = LawReport::new(law, law.claim(library.facts()));
    report.claimed = true;
    report.verdict = verdict;
    report.cases = 1;
    report.calls = calls;
    report.counterexample = Some(counterexample.clone());
    Ok(Report {
        verdict,
        model: "library",
        r#type: library.name(),
        description: library.description().to_owned(),
        seed: 0,
        sites: given.case.clients(),
        ops: given.case.operations.len(),
        explored: 1,
        computed: 1,
        orders: None,
        traces: None,
        evaluations: calls,
        seconds: start.elapsed().as_secs_f64(),
        counterexample: Some(counterexample),
        laws: vec![report],
    })
}

fn read(path: &Path) -> Result<GivenCase, CheckError> {
    let shown = || path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| CheckError::Unreadable { path: shown(), message: error.to_string() })?;
    let bad = |problem: String| CheckError::BadCase { path: shown(), problem };
    let value: Value = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    let case = match value.get("counterexample") {
        Some(Value::Null) => return Err(bad("the report has no counterexample".to_owned())),
        Some(inner) => inner.clone(),
        None => value,
    };
    serde_json::from_value(case).map_err(|error| bad(error.to_string()))
}
