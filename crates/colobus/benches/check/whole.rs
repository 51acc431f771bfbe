//! Whole searches, as users start them: the demo, and those of the Simian paper, from the start to the end of phase 2.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::aims::Aim;
use crate::applications::installed;
use crate::table::{Table, minutes, seconds};
use crate::tool::Search;

/// The order of messages in which nothing is held: what the paper searched.
const NATURAL: &str = "--strategy=natural";
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

pub fn demo(table: &mut Table) -> anyhow::Result<()> {
    table.section("`colobus demo`, after the build");
    let begun = Instant::now();
    let mut search = Search::by_default(&["demo", "--port=0", "--no-open"], &[])?;
    let mut first = None;
    while search.child.try_wait()?.is_none() {
        if first.is_none() && search.has_told_a_cause() {
            first = Some(begun.elapsed().as_secs_f64());
        }
        sleep(BETWEEN_LOOKS);
    }
    let took = begun.elapsed().as_secs_f64();
    let report = search.finish()?.report;
    let (counts, timing) = (&report.counts, &report.timing);
    table.row(format!("phase 1, {} sequences", counts.sequences.judged), seconds(timing.phase1_s));
    table.row(
        format!("phase 2, {} interactions in {} orders", counts.interactions.ran(), counts.executions),
        seconds(timing.phase2_s),
    );
    table.row(format!("reduction and repetition of {} causes", counts.root_causes), seconds(timing.reduce_s));
    table.aim(Aim::Demo, took);
    if let Some(first) = first {
        table.aim(Aim::DemoFirstFinding, first);
    }
    Ok(())
}

pub fn firepad(table: &mut Table) -> anyhow::Result<()> {
    let searches = [("large", "ten actions", Aim::FirepadLarge), ("fifteen", "15 actions", Aim::FirepadFifteen)];
    for (set, name, aim) in searches {
        table.section(&format!("Firepad, {name}, depth 3, messages as they come, workers as by default"));
        let set = format!("--set={set}");
        let search = Search::by_default(&["check", "-c", &installed("firepad")?], &[&set, "--depth=3", NATURAL])?;
        let report = search.finish()?.report;
        let (counts, timing) = (&report.counts, &report.timing);
        table.row(format!("phase 1, {} sequences", counts.sequences.judged), minutes(timing.phase1_s));
        table.row(format!("phase 2, {} interactions", counts.interactions.ran()), minutes(timing.phase2_s));
        table.aim(aim, timing.phase1_s + timing.phase2_s);
    }
    Ok(())
}
