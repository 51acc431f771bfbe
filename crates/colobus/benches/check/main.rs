//! What a search costs: `make bench`, or `cargo bench --package colobus --bench check`. Everything in the table comes from this one run, so
//! that load and machine are the same for both sides of every ratio. `-- performance` (`make performance`) measures what
//! docs/performance.md has, and writes it there; `-- gate strategies` measures these parts only; `COLOBUS_BENCH=quick` goes less
//! deep and writes nothing; `COLOBUS_BENCH=full` runs all of what is otherwise measured on a part.

mod aims;
mod applications;
mod costs;
mod document;
mod extent;
mod firepad;
mod first_truths;
mod fixed_waits;
mod gate;
mod grouping;
mod growth;
mod interactions;
mod logging;
mod precise;
mod processes;
mod pruning;
mod rates;
mod searches;
mod stopwatch;
mod strategies;
mod table;
mod tool;
mod whole;

use colobus_demo::{DemoOptions, DemoServer};
use extent::Extent;
use table::Table;

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let extent = Extent::from_environment()?;
    let mut table = Table::new(&extent);
    if is_wanted("interactions") || is_wanted("gate") {
        let server = DemoServer::start(DemoOptions::default())?;
        let traces = interactions::traces(&server)?;
        if is_wanted("interactions") {
            interactions::measure(&extent, &traces, &mut table)?;
        }
        if is_wanted("gate") {
            gate::measure(&extent, &traces, &mut table)?;
        }
    }
    for part in PARTS.iter().filter(|part| is_wanted(part.name) || (part.is_documented && is_named(DOCUMENTED))) {
        (part.measure)(&extent, &mut table)?;
        if is_named(DOCUMENTED) && extent.is_documented {
            // After every part: a run that ends early has written what it knows.
            document::write(&table.markdown())?;
        }
    }
    if is_named("grouping") {
        grouping::measure(&mut table)?;
    }
    println!("\n{}", table.markdown());
    Ok(())
}

/// Measures what docs/performance.md has, and writes it there.
const DOCUMENTED: &str = "performance";

struct Part {
    name: &'static str,
    is_documented: bool,
    measure: fn(&Extent, &mut Table) -> anyhow::Result<()>,
}

const PARTS: [Part; 12] = [
    Part { name: "firepad", is_documented: true, measure: firepad::measure },
    Part { name: "demo", is_documented: true, measure: |_, table| whole::demo(table) },
    Part { name: "costs", is_documented: true, measure: |_, table| costs::measure(table) },
    Part { name: "rates", is_documented: true, measure: rates::measure },
    Part { name: "paper", is_documented: true, measure: |_, table| whole::firepad(table) },
    Part { name: "growth", is_documented: true, measure: growth::measure },
    Part { name: "truths", is_documented: true, measure: |_, table| first_truths::measure(table) },
    Part { name: "strategies", is_documented: true, measure: strategies::measure },
    Part { name: "logging", is_documented: true, measure: |_, table| logging::measure(table) },
    Part { name: "pruning", is_documented: true, measure: |_, table| pruning::measure(table) },
    Part { name: "searches", is_documented: false, measure: searches::measure },
    Part { name: "precise", is_documented: false, measure: |_, table| precise::measure(table) },
];

/// All parts are, unless the command line names some. Grouping takes a quarter of an hour: only if it is asked for.
fn is_wanted(part: &str) -> bool {
    let is_documented = ["interactions", "gate"].contains(&part) && is_named(DOCUMENTED);
    is_named(part) || is_documented || std::env::args().skip(1).all(|argument| argument.starts_with('-'))
}

fn is_named(part: &str) -> bool {
    std::env::args().skip(1).any(|argument| argument == part)
}
