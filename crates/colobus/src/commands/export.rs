//! `colobus export`: writes a finding as a test that runs without Colobus.

use std::fs;
use std::process::ExitCode;

use anyhow::Context;

use super::finding;
use crate::args::ExportArgs;
use crate::output::{print, tell};

pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let trace = finding::load(&args.finding, &args.out)?;
    let exported = colobus_export::export(&trace, args.to);
    for warning in &exported.warnings {
        tell(&format!("warning: {warning}"));
    }
    match &args.output {
        None => print(&exported.text)?,
        Some(path) => {
            fs::write(path, &exported.text).with_context(|| format!("cannot write {}", path.display()))?;
            print(&format!("wrote {}\n", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
