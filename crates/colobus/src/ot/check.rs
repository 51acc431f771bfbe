//! `colobus ot check`.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use colobus_ot::functions::Entry;
use colobus_ot::properties::intention::Anomaly;
use colobus_ot::properties::order_of_events::order_of_events;
use colobus_ot::scenario::Replay;
use colobus_ot::{Model, Network, Outcome, Setting, Verdict, render, smallest_violation};
use serde_json::{Value, json};

use super::flags::{SearchFlags, SettingFlags};
use super::output::{OutputFlags, print_json, print_replay, replay_file};
use super::{function, js, progress};
use crate::output::print;

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// The transformation function; see `colobus ot list`
    #[arg(required_unless_present_any = ["js", "scenario"])]
    function: Option<String>,

    #[command(flatten)]
    setting: SettingFlags,

    /// How to enumerate executions
    #[arg(long, value_enum, default_value = "fast")]
    model: ModelFlag,

    /// Check more properties, each with a verdict of its own (they do not change the exit code)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PROPERTY,..")]
    also: Vec<Property>,

    /// Execute this scenario directly instead of searching
    #[arg(long, value_name = "FILE", conflicts_with = "js")]
    scenario: Option<PathBuf>,

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

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum ModelFlag {
    Fast,
    Symbolic,
    Concrete,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Property {
    /// Everything below
    All,
    /// Every unfinished execution can go on
    Deadlock,
    /// No site executes an effect before its cause
    Causality,
    /// No inserted character disappears that no user deleted
    LostInsert,
    /// No other character disappears that no user deleted
    Bystander,
    /// No user's word ends up inside another's
    Interleaving,
}

pub fn run(args: CheckArgs) -> anyhow::Result<ExitCode> {
    if args.js.js.is_some() {
        return js::run(&args.js, args.json);
    }
    if let Some(path) = &args.scenario {
        let (_, replay) = replay_file(path, args.function.as_deref())?;
        args.output.write(&replay)?;
        print_replay(&replay, args.json)?;
        return Ok(ExitCode::from(u8::from(!replay.converges)));
    }
    let entry = function(args.function.as_deref().context("name a function")?)?;
    let setting = args.setting.resolve()?;
    let orders = progress::agreed_orders(entry, &setting, &args.search)?;
    let model = match args.model {
        ModelFlag::Fast => Model::Fast,
        ModelFlag::Symbolic => Model::Symbolic,
        ModelFlag::Concrete => Model::Concrete,
    };
    ensure!(
        model == Model::Fast || setting.network == Network::Peers,
        "a server-ordered setting is checked with the fast model only; leave --model out"
    );
    let unit = if model == Model::Fast { "evaluations" } else { "states" };
    let started = Instant::now();
    let outcome = progress::watched(args.search.progress, unit, args.search.resolve(), |options| {
        entry.function.check(&setting, model, options)
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let replay = explained(entry, &outcome, &args.search)?;
    let also = also(entry, &setting, &args)?;
    if let Some(replay) = &replay {
        args.output.write(replay)?;
    }
    match args.json {
        true => print_json(&as_json(entry, &setting, &outcome, seconds, &replay, &also))?,
        false => print(&as_text(entry, &setting, &outcome, orders, seconds, &replay, &also)?)?,
    }
    Ok(match outcome.verdict {
        Verdict::Holds => ExitCode::SUCCESS,
        Verdict::Violated => ExitCode::from(1),
        Verdict::Unknown => ExitCode::from(2),
    })
}

/// The smallest violation, executed directly.
pub fn explained(entry: &Entry, outcome: &Outcome, search: &SearchFlags) -> anyhow::Result<Option<Replay>> {
    let Some(found) = &outcome.counterexample else { return Ok(None) };
    let smallest = smallest_violation(entry.function, found, &search.resolve())?;
    let scenario = entry.function.scenario(&smallest, entry.name);
    let replay = entry.function.replay(&scenario).context("the violation found cannot be replayed")?;
    Ok(Some(replay))
}

/// The verdict on one more property, with what to say about it.
struct Also {
    name: &'static str,
    verdict: Verdict,
    note: String,
}

fn also(entry: &Entry, setting: &Setting, args: &CheckArgs) -> anyhow::Result<Vec<Also>> {
    let wants = |property: Property| args.also.iter().any(|&wanted| wanted == property || wanted == Property::All);
    let mut found = Vec::new();
    if wants(Property::Deadlock) || wants(Property::Causality) {
        let events = order_of_events(setting, args.search.limit);
        let note = format!("{} states", events.states);
        let both = [
            (Property::Deadlock, "no deadlock", events.no_deadlock),
            (Property::Causality, "causality preserved", events.causality),
        ];
        let wanted = both.into_iter().filter(|(property, ..)| wants(*property));
        found.extend(wanted.map(|(_, name, verdict)| Also { name, verdict, note: note.clone() }));
    }
    let anomalies = [
        (Property::LostInsert, "no insert lost", Anomaly::InsertLost),
        (Property::Bystander, "no bystander deleted", Anomaly::BystanderDeleted),
        (Property::Interleaving, "no words interleaved", Anomaly::WordsInterleaved),
    ];
    for (_, name, anomaly) in anomalies.into_iter().filter(|(property, ..)| wants(*property)) {
        if !anomaly.is_possible(setting) {
            let note = "needs two sites with two operations each, such as --ops 2,2".into();
            found.push(Also { name, verdict: Verdict::Unknown, note });
            continue;
        }
        let report = entry.function.find_anomaly(setting, anomaly, &args.search.resolve())?;
        let note = match report.witness {
            None => format!("{} evaluations", report.evaluations),
            Some(witness) => {
                let scenario = entry.function.scenario(&witness, entry.name);
                let written = scenario.operations.iter().map(|o| format!("{} = {}", o.name, o.action));
                format!("{} on \"{}\"", written.collect::<Vec<_>>().join(", "), scenario.text)
            }
        };
        found.push(Also { name, verdict: report.verdict, note });
    }
    Ok(found)
}

fn as_json(
    entry: &Entry,
    setting: &Setting,
    outcome: &Outcome,
    seconds: f64,
    replay: &Option<Replay>,
    also: &[Also],
) -> Value {
    let properties: serde_json::Map<String, Value> =
        also.iter().map(|a| (a.name.to_owned(), json!({ "verdict": a.verdict, "note": a.note }))).collect();
    json!({
        "verdict": outcome.verdict,
        "function": entry.name,
        "model": outcome.model,
        "sites": setting.sites(),
        "ops": setting.total(),
        "ops_per_site": setting.operations,
        "positions": [setting.positions.start(), setting.positions.end()],
        "alphabet": setting.alphabet,
        "server": setting.network == Network::Server,
        "explored": outcome.explored,
        "computed": outcome.computed,
        "orders": outcome.orders,
        "traces": outcome.traces,
        "transformations": outcome.transformations,
        "evaluations": outcome.evaluations,
        "memory_bytes": outcome.memory,
        "seconds": seconds,
        "properties": properties,
        "counterexample": replay,
    })
}

fn as_text(
    entry: &Entry,
    setting: &Setting,
    outcome: &Outcome,
    orders: u64,
    seconds: f64,
    replay: &Option<Replay>,
    also: &[Also],
) -> anyhow::Result<String> {
    let mut out = String::new();
    let dealt = setting.operations.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let (low, high) = (setting.positions.start(), setting.positions.end());
    let network = if setting.network == Network::Server { " and a server" } else { "" };
    let sites = setting.sites();
    writeln!(
        out,
        "{}: {sites} sites{network}, {dealt} operations, positions {low} to {high}, {} characters",
        entry.name, setting.alphabet
    )?;
    match outcome.verdict {
        Verdict::Holds => writeln!(out, "convergence holds within these bounds")?,
        Verdict::Violated => writeln!(out, "convergence is VIOLATED")?,
        Verdict::Unknown if outcome.model == Model::Fast => {
            writeln!(out, "unknown: no violation in {} of {orders} orders", outcome.explored)?;
        }
        Verdict::Unknown => writeln!(out, "unknown: no violation in the first {} states", outcome.explored)?,
    }
    let counts = match outcome.model {
        Model::Fast => format!(
            "{} causal orders, {} traces, {} transformations",
            outcome.orders, outcome.traces, outcome.transformations
        ),
        Model::Symbolic | Model::Concrete => {
            format!("{} states explored, {} computed", outcome.explored, outcome.computed)
        }
    };
    let rate = outcome.evaluations as f64 / seconds.max(1e-6) / 1e6;
    let memory = outcome.memory.div_ceil(1 << 20);
    writeln!(
        out,
        "{counts}; {} evaluations in {seconds:.2} s ({rate:.1} million per second), {memory} MiB",
        outcome.evaluations
    )?;
    for Also { name, verdict, note } in also {
        let verdict = match verdict {
            Verdict::Holds => "holds",
            Verdict::Violated => "VIOLATED",
            Verdict::Unknown => "unknown",
        };
        writeln!(out, "{name}: {verdict} ({note})")?;
    }
    if let Some(replay) = replay {
        writeln!(out, "\nThe smallest scenario:\n")?;
        out += &render::text(replay);
    }
    Ok(out)
}
