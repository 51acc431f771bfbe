//! How early a search knows what it finds: the share of all causes after parts of the executions, in the editor with all its bugs and
//! in Firepad.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde_json::Value;

use crate::aims::Aim;
use crate::applications::installed;
use crate::table::Table;
use crate::tool::{Search, Searched};

const EDITOR: [&str; 3] = ["--bug=all", "--depth=2", "--repeat=1"];
const FIREPAD: [&str; 2] = ["--depth=3", "--repeat=1"];
const A_QUARTER: f64 = 0.25;
const PARTS: [(f64, &str); 3] = [(0.05, "a twentieth"), (A_QUARTER, "a quarter"), (0.5, "half")];

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    table.section("the editor with all bugs, depth 2: causes known after a part of the executions");
    tabulate(&Search::start(&EDITOR)?.finish()?, Aim::EditorFirstTruths, table)?;
    table.section("Firepad, ten actions, depth 3: causes known after a part of the executions");
    let firepad = Search::by_default(&["check", "-c", &installed("firepad")?], &FIREPAD)?;
    tabulate(&firepad.finish()?, Aim::FirepadFirstTruths, table)
}

fn tabulate(searched: &Searched, aim: Aim, table: &mut Table) -> anyhow::Result<()> {
    let jobs = Jobs::read(&searched.journal()?);
    ensure!(!jobs.first_seen.is_empty(), "no cause was found: there is nothing to know");
    for (part, name) in PARTS {
        let known = jobs.first_seen.values().filter(|at| **at as f64 <= part * jobs.executions as f64).count();
        let share = known as f64 / jobs.first_seen.len() as f64;
        let of = format!("{known} of {} causes after {name} of {} executions", jobs.first_seen.len(), jobs.executions);
        table.row(of, format!("{:.0} %", 100.0 * share));
        if part == A_QUARTER {
            table.aim(aim, share);
        }
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
