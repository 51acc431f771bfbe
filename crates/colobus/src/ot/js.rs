//! `colobus ot check --js`: flags for checking a JavaScript library, and the way from them to colobus-ot-js.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use colobus_ot_js::modules::{self, Module};
use colobus_ot_js::{Limits, OperationList, Operations, Plan, Report, Source, Verdict, check, check_given};

use super::output::print_json;
use crate::output;

#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "JavaScript libraries")]
pub struct JsOptions {
    /// Check the operation type in this JavaScript file or npm package
    #[arg(long, value_name = "PATH")]
    pub js: Option<PathBuf>,

    /// The export that holds the type, if there are several (a dotted path such as `types.text`)
    #[arg(long = "type", value_name = "NAME", requires = "js")]
    pub wanted: Option<String>,

    /// The built-in description of operations to use, if the type's name does not tell
    #[arg(long, value_name = "NAME", requires = "js", conflicts_with_all = ["operations", "generator"])]
    pub description: Option<String>,

    /// A JSON file with `documents` and `operations` to try on them
    #[arg(long, value_name = "FILE", requires = "js", conflicts_with = "generator")]
    pub operations: Option<PathBuf>,

    /// A JavaScript module that describes the operations: documents, operations, generate
    #[arg(long, value_name = "FILE", requires = "js")]
    pub generator: Option<PathBuf>,

    /// Laws to check, each of which then counts (default: all, of which those that the type claims count)
    #[arg(long, value_name = "LAW,..", requires = "js", value_delimiter = ',')]
    pub laws: Vec<String>,

    /// Kinds of operations to leave out, for instance one that is known to fail
    #[arg(long, value_name = "KIND,..", requires = "js", value_delimiter = ',')]
    pub exclude: Vec<String>,

    /// Size of the largest documents to start from
    #[arg(long, value_name = "N", requires = "js", default_value_t = 3)]
    pub size: usize,

    /// Most cases to try exhaustively per law, smallest first
    #[arg(long, value_name = "N", requires = "js", default_value_t = Plan::default().cases)]
    pub cases: u64,

    /// Random cases per law, after the exhaustive ones
    #[arg(long, value_name = "N", requires = "js", default_value_t = Plan::default().random)]
    pub random: u64,

    /// Seed of the random cases
    #[arg(long, value_name = "N", requires = "js", default_value_t = Plan::default().seed)]
    pub seed: u64,

    /// Clients around the server in the convergence law
    #[arg(long, value_name = "N", requires = "js", default_value_t = Plan::default().clients,
          value_parser = clients)]
    pub clients: usize,

    /// Steps (function calls and loop turns) after which a call counts as endless
    #[arg(long, value_name = "N", requires = "js", default_value_t = Limits::default().steps)]
    pub call_steps: u64,

    /// Memory that the library may use, in MiB
    #[arg(long, value_name = "MIB", requires = "js", default_value_t = Limits::default().mebibytes)]
    pub call_memory: usize,

    /// Run the counterexample in this file (one of --json's) instead of searching
    #[arg(long, value_name = "FILE", requires = "js", conflicts_with = "laws")]
    pub counterexample: Option<PathBuf>,
}

fn clients(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 2..=8) => Ok(count),
        _ => Err("two to eight clients, please".to_owned()),
    }
}

/// Checks the library and prints the report: 0 every claimed law held, 1 one is violated, 2 nothing could be said.
pub fn run(options: &JsOptions, json: bool) -> anyhow::Result<ExitCode> {
    let source = source(options)?;
    let report = match &options.counterexample {
        Some(path) => check_given(&source, path)?,
        None => {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            check(&source, &plan(options), &options.laws, threads)?
        }
    };
    print(&report, json)?;
    Ok(match report.verdict {
        Verdict::Holds => ExitCode::SUCCESS,
        Verdict::Violated => ExitCode::from(1),
        Verdict::Unknown => ExitCode::from(2),
    })
}

fn print(report: &Report, json: bool) -> anyhow::Result<()> {
    if json { print_json(report) } else { output::print(&report.to_string()) }
}

fn plan(options: &JsOptions) -> Plan {
    Plan {
        cases: options.cases,
        random: options.random,
        seed: options.seed,
        clients: options.clients,
        ..Plan::default()
    }
}

fn source(options: &JsOptions) -> anyhow::Result<Source> {
    let library = options.js.as_deref().context("name the library to check with --js PATH")?;
    let operations = match (&options.operations, &options.generator, &options.description) {
        (Some(list), _, _) => Operations::List(OperationList::read(list)?),
        (_, Some(generator), _) => Operations::Generator(module(generator)?),
        (_, _, Some(name)) => Operations::Named(name.clone()),
        _ => Operations::Fitting,
    };
    Ok(Source {
        module: module(library)?,
        wanted: options.wanted.clone(),
        operations,
        size: options.size,
        exclude: options.exclude.clone(),
        limits: Limits { steps: options.call_steps, mebibytes: options.call_memory },
    })
}

fn module(named: &Path) -> anyhow::Result<Module> {
    let here = std::env::current_dir().context("the current folder cannot be found")?;
    Ok(modules::entry(named, &here)?)
}
