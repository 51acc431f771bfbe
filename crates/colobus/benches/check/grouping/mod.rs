//! How well causes agree with the seeded bugs. A failure belongs to the bugs each of which makes the same interaction fail alone: the
//! editor is searched with all bugs together, with every pair, and with each of them by itself. Applications with one bug each
//! should have one cause.

mod agreement;
mod failures;

use std::collections::{BTreeMap, BTreeSet};

use colobus_demo::Bug;

use crate::table::Table;
use crate::tool::{Search, search};
use agreement::Agreement;
use failures::{Failed, SIGNALS, failures};

const SUBJECTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../subjects");
/// Applications that no rule was made for.
const SMALL: [&str; 8] =
    ["booking", "chat", "counter", "line", "settings", "todo-events", "todo-optimistic", "todo-polling"];

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    for depth in [1, 2] {
        let alone = each_alone(depth)?;
        let things: Vec<(Failed, String)> = alone
            .iter()
            .flat_map(|(bug, failed)| failed.values().map(|failed| (failed.clone(), bug.name().to_string())))
            .collect();
        compare(table, &format!("each bug of the editor by itself, depth {depth}: the bug"), &things);
        let all: Vec<Bug> = Bug::combined().into_iter().collect();
        let things = together(&all, depth, &alone)?;
        compare(table, &format!("all nine bugs at once, depth {depth}: the bugs that suffice"), &things);
        if depth == 1 {
            let mut things = Vec::new();
            for (at, one) in all.iter().enumerate() {
                for other in &all[at + 1..] {
                    things.extend(together(&[*one, *other], depth, &alone)?);
                }
            }
            compare(table, "every pair of bugs at once, depth 1: the bugs that suffice", &things);
        }
    }
    table.section("applications with one bug: causes");
    let firepad = format!("{SUBJECTS}/firepad");
    let firepad = Search::of_subject(&firepad, &["--set=large", "--depth=2", "--repeat=1"])?.finish()?;
    causes(table, "Firepad, large, k = 2", &failures(&firepad)?);
    for application in SMALL {
        let folder = format!("{SUBJECTS}/small/{application}");
        let searched = Search::of_subject_with(&folder, &["--repeat=1"], [("BUG", "1")])?.finish()?;
        causes(table, application, &failures(&searched)?);
    }
    Ok(())
}

/// Failures of the editor with one bug, by interaction.
type Alone = BTreeMap<Bug, BTreeMap<String, Failed>>;

fn each_alone(depth: usize) -> anyhow::Result<Alone> {
    let mut alone = Alone::new();
    for bug in Bug::combined() {
        let failed = searched(&[bug], depth)?;
        alone.insert(bug, failed.into_iter().map(|failed| (failed.interaction.clone(), failed)).collect());
    }
    Ok(alone)
}

/// Failures of the editor with these bugs, each with those of them that suffice. One that none of them makes fail alone needs several:
/// its class is all of them.
fn together(bugs: &[Bug], depth: usize, alone: &Alone) -> anyhow::Result<Vec<(Failed, String)>> {
    let class = |failed: &Failed| {
        let suffices = |bug: &&Bug| alone.get(bug).is_some_and(|failures| failures.contains_key(&failed.interaction));
        let sufficient: BTreeSet<&str> = bugs.iter().filter(suffices).map(|bug| bug.name()).collect();
        if sufficient.is_empty() {
            "only together".to_string()
        } else {
            sufficient.into_iter().collect::<Vec<_>>().join(" ")
        }
    };
    Ok(searched(bugs, depth)?.into_iter().map(|failed| (failed.clone(), class(&failed))).collect())
}

fn searched(bugs: &[Bug], depth: usize) -> anyhow::Result<Vec<Failed>> {
    let seeded: Vec<String> = bugs.iter().map(|bug| format!("--bug={}", bug.name())).collect();
    let depth = format!("--depth={depth}");
    let arguments: Vec<&str> =
        seeded.iter().map(String::as_str).chain([depth.as_str(), "--repeat=1", "--allow-unknown=100%"]).collect();
    failures(&search(&arguments)?)
}

fn compare(table: &mut Table, title: &str, things: &[(Failed, String)]) {
    table.section(&format!("{title} ({} failures)", things.len()));
    for (signal, group) in SIGNALS {
        let agreement = Agreement::of(things.iter().map(|(failed, class)| (group(failed), class.clone())));
        let measured = format!(
            "{} groups of {}, purity {:.2}, completeness {:.2}, index {:.2}",
            agreement.groups(),
            agreement.classes(),
            agreement.purity(),
            agreement.completeness(),
            agreement.index()
        );
        table.row_with_aim(signal, measured, if signal.contains("**") { "index 0.90, purity 0.95" } else { "" });
    }
}

fn causes(table: &mut Table, application: &str, failed: &[Failed]) {
    let names: BTreeSet<&str> = failed.iter().map(|failed| failed.cause.as_str()).collect();
    let measured = format!("{} in {} failures", names.len(), failed.len());
    table.row_with_aim(format!("{application}: {}", names.into_iter().collect::<Vec<_>>().join("; ")), measured, "1");
}
