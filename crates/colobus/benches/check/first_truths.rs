//! How early a search knows what it finds: the share of all causes after parts of the executions, with all bugs of the editor.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde_json::Value;

use crate::table::Table;
use crate::tool::search;

const SEARCH: [&str; 3] = ["--bug=all", "--depth=2", "--repeat=1"];
const PARTS: [(f64, &str, &str); 3] = [(0.05, "a twentieth", ""), (0.25, "a quarter", "90 %"), (0.5, "half", "")];

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    table.section("the editor with all bugs, depth 2: causes known after a part of the executions");
    let searched = search(&SEARCH)?;
    let jobs = Jobs::read(&searched.journal()?);
    ensure!(!jobs.first_seen.is_empty(), "the seeded bugs were not found: there is nothing to know");
    for (part, name, aim) in PARTS {
        let known = jobs.first_seen.values().filter(|at| **at as f64 <= part * jobs.executions as f64).count();
        let share = format!("{:.0} %", 100.0 * known as f64 / jobs.first_seen.len() as f64);
        let of = format!("{known} of {} causes after {name} of {} executions", jobs.first_seen.len(), jobs.executions);
        table.row_with_aim(of, share, aim);
    }
    Ok(())
}

/// What a journal says of its jobs, in their order: that of one worker.
#[derive(Default)]
struct Jobs {
    executions: usize,
    /// After how many executions each cause was known.
    first_seen: BTreeMap<String, usize>,
}

impl Jobs {
    fn read(journal: &str) -> Jobs {
        let lines = journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let by_number: BTreeMap<u64, Value> =
            lines.filter_map(|line| Some((line["result"]["job"].as_u64()?, line["result"].clone()))).collect();
        let mut jobs = Jobs::default();
        for ran in by_number.values() {
            jobs.executions += ran["took_ms"].as_array().map_or(0, Vec::len);
            if let Some(cause) = ran["cause"]["name"].as_str() {
                jobs.first_seen.entry(cause.to_string()).or_insert(jobs.executions);
            }
        }
        jobs
    }
}
