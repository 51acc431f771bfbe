//! What pruning leaves out of phase 1, and which causes are lost with it: searches that find something, whole and pruned.

use std::collections::BTreeSet;

use crate::applications::installed;
use crate::table::{Table, seconds};
use crate::tool::{Search, Searched};

const EDITOR: [&str; 4] = ["demo", "--port=0", "--no-open", "--bug=all"];
const EXTENT: [&str; 2] = ["--depth=2", "--repeat=1"];

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    table.section("pruning: the editor with all bugs, depth 2");
    compare(&EDITOR, table)?;
    table.section("pruning: Firepad, ten actions, depth 2");
    compare(&["check", "-c", &installed("firepad")?], table)
}

fn compare(command: &[&str], table: &mut Table) -> anyhow::Result<()> {
    let whole = Search::by_default(command, &EXTENT)?.finish()?;
    let pruned = Search::by_default(command, &[&EXTENT[..], &["--prune"]].concat())?.finish()?;
    for (name, searched) in [("whole", &whole), ("pruned", &pruned)] {
        let (counts, timing) = (&searched.report.counts, &searched.report.timing);
        let what = format!(
            "{name}: {} sequences, then {} interactions in {} orders",
            counts.sequences.judged,
            counts.interactions.ran(),
            counts.executions
        );
        table.row(what, seconds(timing.phase1_s + timing.phase2_s));
    }
    let (all, left) = (causes(&whole), causes(&pruned));
    table.row("causes, whole", all.len().to_string());
    let lost: Vec<&str> = all.difference(&left).map(String::as_str).collect();
    let which = if lost.is_empty() { String::new() } else { format!(": {}", lost.join("; ")) };
    table.row("– lost by pruning", format!("{}{which}", lost.len()));
    Ok(())
}

fn causes(searched: &Searched) -> BTreeSet<String> {
    searched.report.root_causes.iter().map(|cause| cause.name.clone()).collect()
}
