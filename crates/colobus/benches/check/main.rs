//! What a search costs: `make bench`, or `cargo bench --package colobus --bench check`. Everything in the table comes from this one run, so
//! that load and machine are the same for both sides of every ratio, and is written into docs/performance.md.
//! `-- gate strategies` measures these parts only, and writes nothing; so does `COLOBUS_BENCH=quick`, which goes less
//! deep; `COLOBUS_BENCH=full` runs all of what is otherwise measured on a part.

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
    if is_wanted("demo") {
        whole::demo(&mut table)?;
    }
    if is_wanted("costs") {
        costs::measure(&mut table)?;
    }
    if is_wanted("logging") {
        logging::measure(&mut table)?;
    }
    if is_wanted("firepad") {
        firepad::measure(&extent, &mut table)?;
    }
    if is_wanted("rates") {
        rates::measure(&extent, &mut table)?;
    }
    if is_wanted("growth") {
        growth::measure(&extent, &mut table)?;
    }
    if is_wanted("searches") {
        searches::measure(&extent, &mut table)?;
    }
    if is_wanted("truths") {
        first_truths::measure(&mut table)?;
    }
    if is_wanted("strategies") {
        strategies::measure(&extent, &mut table)?;
    }
    if is_wanted("precise") {
        precise::measure(&mut table)?;
    }
    if is_wanted("paper") {
        whole::firepad(&mut table)?;
    }
    // A quarter of an hour of searches: only if it is asked for.
    if is_named("grouping") {
        grouping::measure(&mut table)?;
    }
    let text = table.markdown();
    println!("\n{text}");
    if is_wanted_whole() && extent.is_documented {
        anyhow::ensure!(table.unmeasured().is_empty(), "no part has measured: {}", table.unmeasured().join("; "));
        document::write(&text)?;
    }
    Ok(())
}

/// All parts are, unless the command line names some.
fn is_wanted(part: &str) -> bool {
    is_named(part) || is_wanted_whole()
}

fn is_wanted_whole() -> bool {
    std::env::args().skip(1).all(|argument| argument.starts_with('-'))
}

fn is_named(part: &str) -> bool {
    std::env::args().skip(1).any(|argument| argument == part)
}
