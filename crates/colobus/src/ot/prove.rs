//! `colobus ot prove`.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use colobus_ot::functions::{Entry, FUNCTIONS};
use colobus_ot::properties::tp::{Law, LawCount};
use colobus_ot::scenario::Replay;
use colobus_ot::{Options, render};
use colobus_ot_prove::functions::{prove, prove_inside};
use colobus_ot_prove::{Parameters, Proof, counterexample};
use colobus_solver::Process;
use serde_json::{Value, json};

use super::function;
use super::output::print_json;
use crate::output::print;

/// Positions of the bounded check that stands beside a proof.
const POSITIONS: u8 = 3;

#[derive(clap::Args, Debug)]
pub struct ProveArgs {
    /// The transformation function; see `colobus ot list`. Without it: all of them, as a table
    function: Option<String>,

    /// Seconds the solver may take for one question
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    time: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// One law with one kind of parameters.
struct Row {
    law: Law,
    parameters: Parameters,
    proof: Proof,
    /// What the bounded checker counts, where it knows these parameters.
    bounded: Option<LawCount>,
    /// The counterexample, executed by the concrete function.
    confirmed: Option<Replay>,
}

impl Row {
    /// Whether users can run into a counterexample: it was executed, or has the parameters that users give.
    fn is_violated(&self) -> bool {
        self.parameters != Parameters::Any && matches!(self.proof, Proof::Broken { .. })
    }
}

pub fn run(args: ProveArgs) -> anyhow::Result<ExitCode> {
    let mut solver = Process::find(Duration::from_secs(args.time))?;
    let entries: Vec<&Entry> = match &args.function {
        Some(name) => vec![function(name)?],
        None => FUNCTIONS.iter().collect(),
    };
    let mut proofs = Vec::new();
    for entry in entries {
        proofs.push((entry, rows(entry, &mut solver)?));
    }
    match (&proofs[..], args.json) {
        (proofs, true) => print_json(&proofs.iter().map(|(entry, rows)| as_json(entry, rows)).collect::<Vec<_>>())?,
        ([(entry, rows)], _) => print(&as_text(entry, rows)?)?,
        (all, _) => print(&as_table(all)?)?,
    }
    let rows = || proofs.iter().flat_map(|(_, rows)| rows);
    let unknown = rows().any(|row| matches!(row.proof, Proof::Unknown(_)));
    let violated = rows().any(Row::is_violated);
    Ok(ExitCode::from(if unknown { 2 } else { u8::from(violated) }))
}

fn rows(entry: &Entry, solver: &mut Process) -> anyhow::Result<Vec<Row>> {
    let missing = || format!("`{}` has no form that a solver understands yet", entry.name);
    let inside = prove_inside(entry.name, solver).with_context(missing)??;
    anyhow::ensure!(
        matches!(inside, Proof::Proved { .. }),
        "`{}` moves operations out of the text, so laws about texts without end say nothing about it: {inside:?}",
        entry.name
    );
    let mut rows = Vec::new();
    for law in Law::ALL {
        for parameters in Parameters::ALL {
            let proof = prove(entry.name, law, parameters, solver).with_context(missing)??;
            rows.push(row(entry, law, parameters, proof)?);
        }
    }
    Ok(rows)
}

fn row(entry: &Entry, law: Law, parameters: Parameters, proof: Proof) -> anyhow::Result<Row> {
    let count = |context| entry.function.count_law(law, POSITIONS, 2, context, &Options::default());
    let bounded = match parameters {
        Parameters::Fresh => Some(count(0)?),
        Parameters::AfterOne => Some(count(1)?),
        Parameters::Any => None,
    };
    let confirmed = match &proof {
        Proof::Broken { case, model } if parameters != Parameters::Any => {
            let scenario = counterexample::scenario(entry.name, law, case, model);
            let replay = scenario.and_then(|scenario| counterexample::confirm(entry.function, law, &scenario));
            Some(replay.with_context(|| format!("executing the counterexample does not confirm it: {model}"))?)
        }
        _ => None,
    };
    Ok(Row { law, parameters, proof, bounded, confirmed })
}

fn law_name(law: Law) -> &'static str {
    match law {
        Law::Tp1 => "TP1",
        Law::Tp2Effect => "TP2 by effect",
        Law::Tp2Form => "TP2 by form",
    }
}

fn parameters_name(parameters: Parameters) -> &'static str {
    match parameters {
        Parameters::Fresh => "fresh",
        Parameters::AfterOne => "after 1 operation",
        Parameters::Any => "any",
    }
}

fn verdict(proof: &Proof) -> &'static str {
    match proof {
        Proof::Proved { .. } => "proved",
        Proof::Broken { .. } => "broken",
        Proof::Unknown(_) => "unknown",
    }
}

fn as_text(entry: &Entry, rows: &[Row]) -> anyhow::Result<String> {
    let mut out = String::new();
    writeln!(out, "{}, for all positions, characters, sites and texts\n", entry.name)?;
    writeln!(
        out,
        "{:15}{:19}{:10}bounded check ({POSITIONS} positions, 2 characters)",
        "law", "parameters", "verdict"
    )?;
    for row in rows {
        let bounded = match &row.bounded {
            Some(count) => format!("{} of {} broken", count.violations, count.cases),
            None => "-".to_owned(),
        };
        let (law, parameters) = (law_name(row.law), parameters_name(row.parameters));
        writeln!(out, "{law:15}{parameters:19}{:10}{bounded}", verdict(&row.proof))?;
        if let Proof::Unknown(reason) = &row.proof {
            writeln!(out, "  {reason}")?;
        }
    }
    for law in Law::ALL {
        let found = rows.iter().find_map(|row| row.confirmed.as_ref().filter(|_| row.law == law));
        if let Some(replay) = found {
            writeln!(out, "\nCounterexample to {}, on the two paths that two listening sites take:\n", law_name(law))?;
            out += &render::text(replay);
        }
    }
    Ok(out)
}

fn as_table(proofs: &[(&Entry, Vec<Row>)]) -> anyhow::Result<String> {
    let mut out = String::new();
    writeln!(out, "For all positions, characters, sites and texts: parameters fresh / after 1 operation / any\n")?;
    let [first, second, third] = Law::ALL.map(law_name);
    writeln!(out, "{:10}{first:27}{second:27}{third}", "name")?;
    for (entry, rows) in proofs {
        let laws = Law::ALL.map(|law| {
            let verdicts = rows.iter().filter(|row| row.law == law).map(|row| verdict(&row.proof));
            verdicts.collect::<Vec<_>>().join(" / ")
        });
        writeln!(out, "{:10}{:27}{:27}{}", entry.name, laws[0], laws[1], laws[2])?;
    }
    out += "\n`colobus ot prove NAME` shows counterexamples, and what the bounded checker counts.\n";
    Ok(out)
}

fn as_json(entry: &Entry, rows: &[Row]) -> Value {
    let laws: Vec<_> = rows
        .iter()
        .map(|row| {
            let reason = if let Proof::Unknown(reason) = &row.proof { Some(reason) } else { None };
            json!({
                "law": law_name(row.law),
                "parameters": parameters_name(row.parameters),
                "verdict": verdict(&row.proof),
                "reason": reason,
                "bounded": row.bounded.as_ref().map(|count| json!({
                    "positions": POSITIONS,
                    "cases": count.cases,
                    "violations": count.violations,
                })),
                "counterexample": row.confirmed,
            })
        })
        .collect();
    json!({ "function": entry.name, "laws": laws })
}
