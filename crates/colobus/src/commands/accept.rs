//! `colobus accept`: a cause of the newest run is known; searches fail on others only.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, bail};
use colobus_model::{AcceptedCause, Report};

use crate::accepted::{Accepted, file};
use crate::args::AcceptArgs;
use crate::output::print;

pub fn run(args: &AcceptArgs) -> anyhow::Result<ExitCode> {
    let path = args.out.join("last").join("report.json");
    let shown = path.display();
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {shown}: `colobus check` writes it"))?;
    let report: Report = serde_json::from_str(&text).with_context(|| format!("{shown} is not a report"))?;
    let Some(cause) = report.root_causes.iter().find(|cause| cause.id == args.cause) else {
        bail!("the newest run has no cause {}: its report, {shown}, has {}", args.cause, report.root_causes.len());
    };
    if cause.name.is_empty() {
        bail!("{shown} was written by an earlier version, which has no names for causes: search again");
    }
    let path = file(&report.configuration);
    let mut accepted = Accepted::load(&path)?;
    accepted.add(AcceptedCause { name: cause.name.clone(), why: args.why.clone() });
    accepted.save(&path)?;
    print(&format!("accepted: {}\n  wrote {}: commit it with the configuration\n", cause.name, path.display()))?;
    Ok(ExitCode::SUCCESS)
}
