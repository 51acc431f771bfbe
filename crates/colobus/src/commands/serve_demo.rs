//! `colobus serve-demo`: serves the built-in editor until the process is ended.

use std::collections::BTreeSet;
use std::process::ExitCode;

use colobus_demo::{Bug, DemoOptions, DemoServer};

use crate::args::ServeDemoArgs;
use crate::output::print;

pub fn run(args: &ServeDemoArgs) -> anyhow::Result<ExitCode> {
    let bugs = parse_bugs(&args.bugs)?;
    let names: Vec<&str> = bugs.iter().map(|bug| bug.name()).collect();
    let server = DemoServer::start(DemoOptions { port: args.port, bugs, ..DemoOptions::default() })?;
    let seeded = if names.is_empty() { "no bugs".to_string() } else { names.join(", ") };
    print(&format!("{}?doc=welcome ({seeded})\n", server.url()))?;
    server.wait();
    Ok(ExitCode::SUCCESS)
}

/// The bugs with these names; `all` is every one.
pub fn parse_bugs(names: &[String]) -> anyhow::Result<BTreeSet<Bug>> {
    let mut bugs = BTreeSet::new();
    for name in names {
        if name == "all" {
            bugs.extend(Bug::combined());
        } else {
            bugs.insert(name.parse::<Bug>()?);
        }
    }
    Ok(bugs)
}
