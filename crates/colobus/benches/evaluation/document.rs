//! The page: the paper's columns beside ours, what orders add, and a picture of every root cause.

use std::fmt::Write as _;
use std::path::Path;

use colobus_model::{Finding, Report};

use crate::experiment::Measured;
use crate::machine::{Machine, load};
use crate::picture::side_by_side;

pub fn write(machine: &Machine, results: &[Measured], docs: &Path) -> anyhow::Result<String> {
    let mut page = String::from(
        "# The experiment of the Simian paper, repeated\n\n\
         After this page you know what Colobus finds in Firepad beside the tool of the paper, in one page beside R4, and on servers that take their time.\n\n",
    );
    introduction(&mut page, machine, results)?;
    beside_the_paper(&mut page, results)?;
    orders(&mut page, results)?;
    root_causes(&mut page, results, docs)?;
    page.push_str(
        "\n## Limits\n\nThe paper's machine, browser and 15 actions are not ours, so that times and counts of different rows cannot be \
         compared one by one. One server and one editor stand for all of\nthe first three sections. Every section says what was not run.\n",
    );
    Ok(page)
}

fn introduction(page: &mut String, machine: &Machine, results: &[Measured]) -> anyhow::Result<()> {
    let browser = results.first().map_or("", |measured| measured.report.browser.as_str());
    writeln!(
        page,
        "`make evaluation` measures everything up to the races in one page again and writes it; the sections behind that have targets of their own. It searches Firepad 1.4.0 (CodeMirror 5.18.2,\n\
         Firebase client 3.3.0, firebase-server 1.1.0; `subjects/firepad`) with the small and the large set of actions of the paper. The paper does not list the actions of its set of 15: those here are ours.\n\n\
         Measured on {}: {} cores ({}), {} GB of memory, {browser}, Node {}, colobus {}, two workers; load average {} before\n\
         and {} after. The paper's figures are those of its authors, on their machine and with their browser.\n",
        machine.date,
        machine.cores,
        machine.processor,
        machine.memory_gb,
        machine.node,
        env!("CARGO_PKG_VERSION"),
        machine.load_before,
        load(),
    )?;
    Ok(())
}

fn beside_the_paper(page: &mut String, results: &[Measured]) -> anyhow::Result<()> {
    page.push_str(
        "## Natural order\n\nEvery conflict once, with messages in the order in which they come. In each cell: the paper, then \
         Colobus.\nInconsistencies are counted before reduction, as in the paper.\n\n\
         By the judgement of a reader, not by a count, what the paper found has one cause: a selection that arrives between \
         two steps of\nthe other user's action stays on the screen. Here users act without pauses, and nothing comes between their steps unless an order is chosen so that \
         it does. The\nnext table does that.\n\n\
         | actions | sequences | source states | equivalence classes | potential conflicts | without phase 1 | \
         inconsistencies | phase 1 | phase 2 |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for Measured { experiment, report, .. } in results {
        let Some(published) = experiment.published else { continue };
        let counts = &report.counts;
        let pair =
            |paper: Option<usize>, ours: usize| format!("{} / {ours}", paper.map_or("–".into(), |n| n.to_string()));
        let (phase1, phase2) = (published.phase1.unwrap_or("–"), published.phase2.unwrap_or("–"));
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} | {phase1} / {} | {phase2} / {} |",
            experiment.name,
            counts.sequences.judged,
            counts.source_states,
            pair(published.equivalence_classes, counts.equivalence_classes),
            pair(published.potential_conflicts, counts.potential_conflicts),
            counts.naive,
            pair(published.inconsistencies, counts.failures),
            duration(report.timing.phase1_s),
            duration(report.timing.phase2_s),
        )?;
    }
    Ok(())
}

fn orders(page: &mut String, results: &[Measured]) -> anyhow::Result<()> {
    page.push_str(
        "\n## What chosen orders add\n\n| search | interactions | executions | failing interactions | findings | that come back \
         ten times of ten | median interaction | phase 2 | all |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for Measured { experiment, report, wall_s, .. } in results {
        let steady = report.findings.iter().filter(|finding| finding.reproduced == finding.attempts).count();
        let counts = &report.counts;
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {steady} | {:.0} ms | {} | {} |",
            experiment.name,
            counts.interactions.ran(),
            counts.executions,
            counts.failures,
            counts.findings,
            report.timing.interaction_ms_median,
            duration(report.timing.phase2_s),
            duration(*wall_s),
        )?;
    }
    page.push_str("\n\"All\" is the time from start to end, with reduction and ten repetitions of every finding.\n");
    Ok(())
}

/// Every root cause once, from the search that found it first.
fn root_causes(page: &mut String, results: &[Measured], docs: &Path) -> anyhow::Result<()> {
    page.push_str("\n## Findings by root cause\n\nClient A is on the left, client B on the right.\n");
    let mut shown = Vec::new();
    for measured in results {
        for cause in &measured.report.root_causes {
            let key = cause.name.clone();
            let Some(finding) = shortest(&measured.report, &cause.findings) else { continue };
            if shown.contains(&key) {
                continue;
            }
            shown.push(key);
            let picture = format!("evaluation/{}.png", shown.len());
            side_by_side(&measured.folder.join(finding.id.to_string()), &docs.join(&picture))?;
            let prefix = if finding.interaction().unwrap().prefix.is_empty() {
                "nothing".into()
            } else {
                finding.interaction().unwrap().prefix.join(", ")
            };
            writeln!(
                page,
                "\n{}. **{}** after {prefix} ({}, {}; came back {} times of {}; first found by: {})\n\n   ![]({picture})",
                shown.len(),
                finding.interaction().unwrap().concurrent.join(" ‖ "),
                finding.check,
                finding.difference.kind,
                finding.reproduced,
                finding.attempts,
                measured.experiment.name,
            )?;
        }
    }
    Ok(())
}

fn shortest<'a>(report: &'a Report, ids: &[usize]) -> Option<&'a Finding> {
    let first = ids.first()?;
    report.findings.iter().find(|finding| finding.id == *first)
}

fn duration(seconds: f64) -> String {
    match seconds.round() as u64 {
        short if short < 60 => format!("{short} s"),
        long => format!("{} min {} s", long / 60, long % 60),
    }
}
