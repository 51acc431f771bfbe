//! `colobus merge`: joins the results of the shards of one search.

use std::process::ExitCode;

use anyhow::bail;
use colobus_report::{Merged, merge_folders};

use crate::args::MergeArgs;
use crate::output::print;
use crate::verdict;

pub fn run(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let Merged { report, missing } = merge_folders(&args.folders, &args.output)?;
    let (findings, causes) = (report.counts.findings, report.counts.root_causes);
    let folder = args.output.display();
    print(&format!("{findings} findings with {causes} root causes from {} parts: {folder}\n", args.folders.len()))?;
    if let Some(reason) = &report.stopped {
        print(&format!("not complete: {reason}\n"))?;
    }
    match missing {
        // A missing part may hold findings: half a search must not pass for a clean one.
        Some(missing) if !report.has_confirmed_finding() => {
            bail!("nothing was found in the parts that are there, but {missing}\n  run it, and merge again")
        }
        _ => verdict::exit_code(&report),
    }
}
