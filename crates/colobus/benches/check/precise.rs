//! `--precise` against the coarse relation: how many orders are left of each interaction, how long they take, and whether what was found is
//! found again. On the editor without bugs, with each of its bugs, and on small applications, with their bugs and without.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use colobus_model::Report;
use serde::Deserialize;

use crate::table::{Table, seconds};
use crate::tool::Search;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const SMALL: [&str; 4] = ["chat", "kanban", "settings", "todo-events"];
/// All orders of the editor's interactions within one reversal, of small applications within two.
const EDITOR: [&str; 7] = [
    "--correct",
    "--depth=1",
    "--bound=2",
    "--action=type a",
    "--action=type b",
    "--action=indent",
    "--action=write at the line start",
];

#[derive(Deserialize)]
struct Expectation {
    #[serde(rename = "bug")]
    bugs: Vec<Bug>,
}

#[derive(Deserialize)]
struct Bug {
    name: String,
    depth: usize,
    #[serde(default)]
    prefix: Vec<String>,
    concurrent: Vec<String>,
    #[serde(default)]
    flags: Vec<String>,
}

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    table.section("--precise: the editor without bugs, all orders within two reversals");
    compare(table, "five interactions", |further| Search::start(&[&EDITOR[..], further].concat()))?;
    table.section("--precise: small applications, all orders within two reversals");
    for name in SMALL {
        let folder = Path::new(ROOT).join("subjects/small").join(name).join("colobus.toml");
        let folder = folder.to_str().context("the repository has a strange path")?;
        for bug in [false, true] {
            let what = if bug { format!("{name}, with its bug") } else { name.to_string() };
            compare(table, &what, |further| {
                let arguments = [&["--bound=2", "--repeat=0"][..], further].concat();
                Search::of_subject_with(folder, &arguments, [("BUG", if bug { "1" } else { "0" })])
            })?;
        }
    }
    table.section("--precise: each bug of the editor, up to 32 further orders");
    let path = PathBuf::from(ROOT).join("subjects/demo/expect.toml");
    let expectation: Expectation = toml::from_str(&fs::read_to_string(path)?)?;
    let (mut same, mut found) = (0, 0);
    for bug in &expectation.bugs {
        let actions: BTreeSet<&String> = bug.prefix.iter().chain(&bug.concurrent).collect();
        let mut arguments = vec![format!("--bug={}", bug.name), format!("--depth={}", bug.depth), "--repeat=0".into()];
        arguments.extend(bug.flags.iter().filter(|flag| !flag.starts_with("--schedules")).cloned());
        arguments.push("--schedules=32".into());
        arguments.extend(actions.iter().map(|name| format!("--action={name}")));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let is_same = compare(table, &bug.name, |further| Search::start(&[&arguments[..], further].concat()))?;
        same += usize::from(is_same);
        found += 1;
    }
    table.row_with_aim("bugs with the same causes", format!("{same} of {found}"), "all");
    Ok(())
}

/// Searches without and with `--precise`; whether the causes are the same.
fn compare(table: &mut Table, what: &str, search: impl Fn(&[&str]) -> anyhow::Result<Search>) -> anyhow::Result<bool> {
    let coarse = search(&["--workers=1"])?.finish()?.report;
    let precise = search(&["--workers=1", "--precise"])?.finish()?.report;
    let causes =
        |report: &Report| -> BTreeSet<String> { report.root_causes.iter().map(|cause| cause.name.clone()).collect() };
    let is_same = causes(&coarse) == causes(&precise);
    let told = if is_same { "the same causes" } else { "OTHER CAUSES" };
    table.row(
        what,
        format!(
            "{} orders in {}, precise {} in {}; {told}: {}",
            coarse.counts.executions,
            seconds(coarse.timing.phase2_s),
            precise.counts.executions,
            seconds(precise.timing.phase2_s),
            causes(&coarse).len(),
        ),
    );
    Ok(is_same)
}
