//! [`Failed`]: an interaction that failed in a search, and what could be said to group it.

use std::collections::BTreeMap;

use anyhow::Context;
use colobus_model::Trace;
use serde_json::Value;

use crate::tool::Searched;

/// The group of a failure.
type Group = fn(&Failed) -> String;

/// What could tell failures of different bugs apart.
pub const SIGNALS: [(&str, Group); 5] = [
    ("names of the actions", |failed| failed.actions.clone()),
    ("the first check that fails, and its kind", |failed| failed.check.clone()),
    ("condition alone", |failed| failed.cause.split(": ").next().unwrap_or_default().to_string()),
    ("signature alone", |failed| failed.cause.split_once(": ").map_or("", |(_, signature)| signature).to_string()),
    ("**cause: condition and signature**", |failed| failed.cause.clone()),
];

#[derive(Clone)]
pub struct Failed {
    /// Prefix and concurrent actions: the same in searches with other bugs.
    pub interaction: String,
    pub actions: String,
    pub check: String,
    pub cause: String,
}

/// Every failure of a search of which it told the cause.
pub fn failures(searched: &Searched) -> anyhow::Result<Vec<Failed>> {
    let journal = searched.journal()?;
    let lines = journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let results: BTreeMap<u64, Value> =
        lines.filter_map(|line| Some((line["result"]["job"].as_u64()?, line["result"].clone()))).collect();
    let mut failures = Vec::new();
    for (job, result) in results {
        let (Some(cause), failed) = (result["cause"]["name"].as_str(), &result["ending"]["failed"]) else { continue };
        let text = searched.failure_trace(job)?;
        let trace: Trace = serde_json::from_str(&text).with_context(|| format!("the trace of failure {job}"))?;
        let names = |actions: &[colobus_model::Action]| {
            actions.iter().map(|action| action.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let (prefix, actions) = (names(&trace.interaction.prefix), names(&trace.interaction.concurrent));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        failures.push(Failed {
            interaction: format!("{prefix} / {actions}"),
            actions,
            check: format!("{} {}", text(&failed["check"]), text(&failed["difference"]["kind"])),
            cause: cause.to_string(),
        });
    }
    Ok(failures)
}
