//! `colobus merge`: joins the results of the shards of one search.

use std::process::ExitCode;

use colobus_report::merge_folders;

use crate::FOUND_SOMETHING;
use crate::args::MergeArgs;
use crate::output::print;

pub fn run(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let report = merge_folders(&args.folders, &args.output)?;
    let (findings, causes) = (report.counts.findings, report.counts.root_causes);
    let folder = args.output.display();
    print(&format!("{findings} findings with {causes} root causes from {} parts: {folder}\n", args.folders.len()))?;
    if let Some(reason) = &report.stopped {
        print(&format!("not complete: {reason}\n"))?;
    }
    Ok(ExitCode::from(if findings > 0 { FOUND_SOMETHING } else { 0 }))
}
