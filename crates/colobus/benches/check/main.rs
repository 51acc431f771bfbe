//! What a search costs, on the built-in editor: `make bench`, or `cargo bench --package colobus`. Everything in the table
//! comes from this one run, so that load and machine are the same for both sides of every ratio.
//! `COLOBUS_BENCH=quick` goes less deep; `COLOBUS_BENCH=full` runs all of what is otherwise measured on a part.

mod extent;
mod fixed_waits;
mod gate;
mod interactions;
mod processes;
mod searches;
mod stopwatch;
mod strategies;
mod table;
mod tool;

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
    let server = DemoServer::start(DemoOptions::default())?;
    let traces = interactions::traces(&server)?;
    interactions::measure(&extent, &traces, &mut table)?;
    gate::measure(&extent, &traces, &mut table)?;
    searches::measure(&extent, &mut table)?;
    strategies::measure(&extent, &mut table)?;
    table.print();
    Ok(())
}
