//! `colobus ot paper`: the two tables of Boucheneb and Imine, theirs beside ours.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use colobus_ot::paper::{Property, Row, TABLE_1, figure_6, mended_suleiman_row, table_2};
use colobus_ot::properties::order_of_events::order_of_events;
use colobus_ot::scenario::{Replay, Scenario};
use colobus_ot::{Model, Options, Setting, Verdict};
use serde_json::json;

use super::function;
use super::output::print_json;
use crate::output::print;

#[derive(clap::Args, Debug)]
pub struct PaperArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What we found for a row of the first table.
struct Ours {
    value: bool,
    explored: u64,
    computed: u64,
    seconds: f64,
}

pub fn run(args: PaperArgs) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let rows = TABLE_1.iter().map(|row| Ok((row, ours(row)?))).collect::<anyhow::Result<Vec<_>>>()?;
    let seconds = started.elapsed().as_secs_f64();
    let scenarios = table_2().into_iter().map(replayed).collect::<anyhow::Result<Vec<_>>>()?;
    let mended = replayed(mended_suleiman_row())?;
    let figure = replayed(figure_6())?;
    if args.json {
        let table_1: Vec<_> = rows
            .iter()
            .map(|(row, ours)| {
                json!({
                    "function": row.function, "sites": 3, "ops": row.operations, "property": name(row.property),
                    "paper": { "value": row.value, "explored": row.symbolic.0, "computed": row.symbolic.1 },
                    "ours": { "value": ours.value, "explored": ours.explored, "computed": ours.computed },
                })
            })
            .collect();
        let table_2: Vec<_> = scenarios.iter().map(|r| json!({ "diverges": !r.converges, "replay": r })).collect();
        let object = json!({
            "table_1": table_1, "table_2": table_2, "seconds": seconds,
            "mended_suleiman_row": { "diverges": !mended.converges, "replay": mended },
            "figure_6": { "diverges": !figure.converges, "replay": figure },
        });
        print_json(&object)?;
    } else {
        print(&(table_1_text(&rows, seconds)? + &table_2_text(&scenarios, &mended, &figure)?))?;
    }
    let same_values = rows.iter().all(|(row, ours)| row.value == ours.value);
    Ok(if same_values { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn ours(row: &Row) -> anyhow::Result<Ours> {
    let started = Instant::now();
    let setting = Setting::spread(3, row.operations)?;
    let (value, explored, computed) = match row.property {
        Property::Divergence => {
            let checked = function(row.function)?.function.check(&setting, Model::Symbolic, &Options::default())?;
            (checked.verdict == Verdict::Violated, checked.explored, checked.computed)
        }
        Property::NoDeadlock => {
            let events = order_of_events(&setting, None);
            (events.no_deadlock == Verdict::Holds, events.states, events.states)
        }
    };
    Ok(Ours { value, explored, computed, seconds: started.elapsed().as_secs_f64() })
}

fn replayed(scenario: Scenario) -> anyhow::Result<Replay> {
    let entry = function(&scenario.function)?;
    entry.function.replay(&scenario).context("a printed scenario cannot be executed")
}

fn name(property: Property) -> &'static str {
    match property {
        Property::Divergence => "φ1 (sites can differ)",
        Property::NoDeadlock => "φ2 (no deadlock)",
    }
}

fn table_1_text(rows: &[(&Row, Ours)], seconds: f64) -> anyhow::Result<String> {
    let mut out = String::new();
    writeln!(out, "Table 1, symbolic model: value and explored/computed states, theirs and ours\n")?;
    for (row, ours) in rows {
        let theirs = format!("{} {}/{}", row.value, row.symbolic.0, row.symbolic.1);
        let found = format!("{} {}/{}", ours.value, ours.explored, ours.computed);
        let same = if theirs == found { "same" } else { "states differ" };
        let same = if row.value == ours.value { same } else { "VALUE DIFFERS" };
        writeln!(
            out,
            "{:9}3/{}  {:22} {theirs:18} {found:18} {:>5.0} ms  {same}",
            row.function,
            row.operations,
            name(row.property),
            ours.seconds * 1e3
        )?;
    }
    writeln!(
        out,
        "\n{seconds:.2} s in total. Ellis' printed states appear when an insert keeps its place at the position of a"
    )?;
    writeln!(out, "deletion; those of Ressel and Sun do not appear with the published cases.\n")?;
    Ok(out)
}

fn table_2_text(scenarios: &[Replay], mended: &Replay, figure: &Replay) -> anyhow::Result<String> {
    let mut out = String::new();
    writeln!(out, "Table 2, the printed counterexamples executed (on the text \"abcd\")\n")?;
    for replay in scenarios {
        writeln!(out, "{}", line(&replay.scenario.function, replay))?;
    }
    writeln!(
        out,
        "\nAs printed, the traces for suleiman agree. With the character that figure 6 has for o3 they do not:\n"
    )?;
    writeln!(out, "{}", line("suleiman", mended))?;
    writeln!(out, "{}", line("figure 6", figure))?;
    Ok(out)
}

fn line(title: &str, replay: &Replay) -> String {
    let ends: Vec<String> = replay.sites.iter().map(|site| format!("{} \"{}\"", site.site, site.text)).collect();
    let verdict = if replay.converges { "agree" } else { "differ" };
    format!("{title:10} {}: {verdict}", ends.join(", "))
}
