//! `colobus merge`: joins the results of the shards of one search.

use std::process::ExitCode;

use anyhow::bail;
use colobus_model::Report;
use colobus_report::{Merged, merge_folders};

use crate::accepted::{self, Accepted};
use crate::args::MergeArgs;
use crate::output::print;
use crate::verdict;

pub fn run(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let mut problem = None;
    let mark = |report: &mut Report| {
        // Without the file, what the shards accepted is known: they had it.
        let path = accepted::file(&report.configuration);
        match Accepted::load(&path) {
            Ok(accepted) if path.exists() => accepted.mark(report),
            Ok(_) => {}
            Err(error) => problem = Some(error),
        }
    };
    let Merged { report, missing } = merge_folders(&args.folders, &args.output, mark)?;
    if let Some(problem) = problem {
        return Err(problem);
    }
    let (findings, causes) = (report.counts.findings, report.counts.root_causes);
    let folder = args.output.display();
    print(&format!("{findings} findings with {causes} root causes from {} parts: {folder}\n", args.folders.len()))?;
    let known = report.root_causes.iter().filter(|cause| cause.accepted.is_some()).count();
    if known > 0 {
        print(&format!("{known} of the causes are accepted\n"))?;
    }
    for gone in &report.gone {
        print(&format!("accepted, and did not come back: {} ({})\n", gone.name, gone.why))?;
    }
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
