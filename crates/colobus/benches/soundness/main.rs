//! Whether verdicts are right on servers that take their time: small applications, each with a bug and without, at several
//! speeds of a server that Colobus did not start. `make soundness`; `PARTS="chat polling"` runs these applications only, and
//! `SPEEDS="0 300"` at these speeds.

mod application;
mod table;

use std::time::Instant;

use anyhow::Context;
use application::{APPLICATIONS, Applications, Trial};
use table::Table;

/// Milliseconds that the server thinks, and up to how many more at random.
const SPEEDS: [(u64, u64); 5] = [(0, 0), (60, 0), (300, 0), (2_000, 0), (0, 300)];

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let speeds = speeds()?;
    let servers = Applications::start()?;
    let mut table = Table::default();
    for application in APPLICATIONS.iter().filter(|application| is_wanted(application.name)) {
        for (think_ms, jitter_ms) in &speeds {
            for bug in [true, false] {
                let trial = Trial { application, bug, think_ms: *think_ms, jitter_ms: *jitter_ms };
                let begun = Instant::now();
                let verdict = servers.search(&trial)?;
                table.add(&trial, &verdict, begun.elapsed());
            }
        }
    }
    table.print();
    anyhow::ensure!(table.wrong == 0, "{} verdicts are wrong", table.wrong);
    Ok(())
}

/// All applications are, unless the command line names some.
fn is_wanted(name: &str) -> bool {
    let mut named = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    named.peek().is_none() || named.any(|argument| argument == name)
}

fn speeds() -> anyhow::Result<Vec<(u64, u64)>> {
    let Ok(wanted) = std::env::var("SPEEDS") else { return Ok(SPEEDS.to_vec()) };
    let speed = |text: &str| Ok((text.parse().with_context(|| format!("SPEEDS: `{text}` is no number"))?, 0));
    let speeds: Vec<(u64, u64)> = wanted.split_whitespace().map(speed).collect::<anyhow::Result<_>>()?;
    Ok(if speeds.is_empty() { SPEEDS.to_vec() } else { speeds })
}
