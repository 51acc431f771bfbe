//! `colobus serve-demo`: serves the built-in editor until the process is ended.

use std::collections::BTreeSet;
use std::process::ExitCode;

use colobus_demo::{Bug, DemoOptions, DemoServer};

use crate::args::ServeDemoArgs;
use crate::output::print;

pub fn run(args: &ServeDemoArgs) -> anyhow::Result<ExitCode> {
    if args.end_with_parent {
        end_with_parent();
    }
    let bugs = parse_bugs(&args.bugs)?;
    let names: Vec<&str> = bugs.iter().map(|bug| bug.name()).collect();
    let server = DemoServer::start(DemoOptions { port: args.port, bugs, ..DemoOptions::default() })?;
    let seeded = if names.is_empty() { "no bugs".to_string() } else { names.join(", ") };
    print(&format!("{}?doc=welcome ({seeded})\n", server.url()))?;
    server.wait();
    Ok(ExitCode::SUCCESS)
}

/// How the bugs of the tour are called together.
pub const TOUR: &str = "tour";

/// A search that is killed cannot stop what it started; a server left behind would keep its port from the next search.
fn end_with_parent() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // Where that is not possible, the server stays until the user ends it.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
    }
}

/// The bugs with these names; `all` is every one that goes with the others, `tour` one of each kind.
pub fn parse_bugs(names: &[String]) -> anyhow::Result<BTreeSet<Bug>> {
    let mut bugs = BTreeSet::new();
    for name in names {
        if name == "all" {
            bugs.extend(Bug::combined());
        } else if name == TOUR {
            bugs.extend(Bug::TOUR);
        } else {
            bugs.insert(name.parse::<Bug>()?);
        }
    }
    Ok(bugs)
}
