//! `colobus ot tp`.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Context;
use colobus_ot::functions::Entry;
use colobus_ot::properties::tp::{Law, LawCount};
use colobus_ot::render;
use colobus_ot::scenario::Replay;
use serde_json::{Value, json};

use super::flags::SearchFlags;
use super::output::{OutputFlags, print_json};
use super::{function, js};
use crate::output::print;

#[derive(clap::Args, Debug)]
pub struct TpArgs {
    /// The transformation function; see `colobus ot list`
    #[arg(required_unless_present = "js")]
    function: Option<String>,

    /// Number of positions, from 0 on
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=32))]
    positions: u8,

    /// Number of different characters
    #[arg(long, value_name = "N", default_value_t = 2)]
    alphabet: usize,

    /// Operations executed before the ones in question, so that parameters are those that can be reached
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=2))]
    context: u8,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    search: SearchFlags,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    js: js::JsOptions,
}

pub fn run(args: TpArgs) -> anyhow::Result<ExitCode> {
    if args.js.js.is_some() {
        return js::run(&args.js, args.json);
    }
    let entry = function(args.function.as_deref().context("name a function")?)?;
    let mut counts = Vec::new();
    for context in 0..=usize::from(args.context) {
        for law in Law::ALL {
            let options = args.search.resolve();
            counts.push(entry.function.count_law(law, args.positions, args.alphabet, context, &options)?);
        }
    }
    let replays = counts.iter().map(|count| replay(entry, count)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(first) = replays.iter().flatten().next() {
        args.output.write(first)?;
    }
    match args.json {
        true => print_json(&as_json(&args, entry, &counts, &replays))?,
        false => print(&as_text(entry, &counts, &replays)?)?,
    }
    let violated = counts.iter().any(|count| count.violations > 0);
    Ok(ExitCode::from(u8::from(violated)))
}

fn replay(entry: &Entry, count: &LawCount) -> anyhow::Result<Option<Replay>> {
    let Some(witness) = &count.witness else { return Ok(None) };
    let scenario = entry.function.scenario(&witness.scenario, entry.name);
    Ok(Some(entry.function.replay(&scenario).context("the violation found cannot be replayed")?))
}

fn names(law: Law) -> (&'static str, &'static str) {
    match law {
        Law::Tp1 => ("TP1", "effect"),
        Law::Tp2Effect => ("TP2", "effect"),
        Law::Tp2Form => ("TP2", "form"),
    }
}

fn as_text(entry: &Entry, counts: &[LawCount], replays: &[Option<Replay>]) -> anyhow::Result<String> {
    let mut out = String::new();
    writeln!(out, "{}\n\n{:5}{:8}{:24}{:>12}{:>12}", entry.name, "law", "by", "parameters", "cases", "violations")?;
    for count in counts {
        let (law, by) = names(count.law);
        let parameters = match count.context {
            0 => "fresh".to_owned(),
            1 => "after 1 operation".to_owned(),
            more => format!("after {more} operations"),
        };
        writeln!(out, "{law:5}{by:8}{parameters:24}{:>12}{:>12}", count.cases, count.violations)?;
    }
    for law in Law::ALL {
        let first = counts.iter().zip(replays).find_map(|(c, replay)| replay.as_ref().filter(|_| c.law == law));
        if let Some(replay) = first {
            let (name, by) = names(law);
            writeln!(out, "\nSmallest violation of {name} by {by}, on the two paths that two listening sites take:\n")?;
            out += &render::text(replay);
        }
    }
    Ok(out)
}

fn as_json(args: &TpArgs, entry: &Entry, counts: &[LawCount], replays: &[Option<Replay>]) -> Value {
    let laws: Vec<_> = counts
        .iter()
        .zip(replays)
        .map(|(count, replay)| {
            let (law, by) = names(count.law);
            json!({
                "law": law,
                "by": by,
                "context": count.context,
                "cases": count.cases,
                "violations": count.violations,
                "witness": replay,
            })
        })
        .collect();
    let violated = counts.iter().any(|count| count.violations > 0);
    let verdict = if violated { "violated" } else { "holds" };
    json!({
        "verdict": verdict,
        "function": entry.name,
        "positions": args.positions,
        "alphabet": args.alphabet,
        "laws": laws,
    })
}
