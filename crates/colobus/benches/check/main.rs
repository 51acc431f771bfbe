//! What a search costs: `make bench`, or `cargo bench --package colobus --bench check`. Everything in the table comes from this one run, so
//! that load and machine are the same for both sides of every ratio. `-- performance` (`make performance`) measures what
//! docs/performance.md has, and writes it there; it goes on where it was interrupted. `-- performance gate costs` measures these parts
//! again and replaces them there; `-- gate strategies` measures and prints these parts only; `COLOBUS_BENCH=quick` goes less
//! deep and writes nothing; `COLOBUS_BENCH=full` runs all of what is otherwise measured on a part. `-- same` compares the causes that
//! an older build finds (`COLOBUS_BEFORE=path`) with those of this one.

mod aims;
mod applications;
#[path = "../small/circumstances.rs"]
mod circumstances;
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
mod kept;
mod logging;
mod precise;
mod processes;
mod pruning;
mod rates;
mod same;
mod searches;
mod stopwatch;
mod strategies;
mod table;
mod tool;
mod whole;

use anyhow::ensure;
use colobus_demo::{DemoOptions, DemoServer};
use extent::Extent;
use kept::Kept;
use table::Table;

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let extent = Extent::from_environment()?;
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_known = |name: &String| name == DOCUMENTED || PARTS.iter().any(|part| part.name == name);
    ensure!(named.iter().all(is_known), "the parts are {DOCUMENTED}, {}", PARTS.map(|part| part.name).join(", "));
    if named.iter().any(|name| name == DOCUMENTED) && extent.is_documented {
        return write(&extent, &named);
    }
    let is_wanted = |part: &Part| match named.as_slice() {
        [] => !part.only_if_named,
        names => names.iter().any(|name| name == part.name || (name == DOCUMENTED && part.is_documented)),
    };
    let mut table = Table::new();
    let begun = table::load();
    for part in PARTS.iter().filter(|part| is_wanted(part)) {
        (part.measure)(&extent, &mut table)?;
    }
    println!("\n{}, load average before {begun}, after {}.\n\n{}", extent.name, table::load(), table.markdown());
    Ok(())
}

/// Measures parts of docs/performance.md: those that are named, or all that were not measured with this build yet. After every part
/// the page is written from what is kept: a run that ends early loses one part.
fn write(extent: &Extent, named: &[String]) -> anyhow::Result<()> {
    let mut kept = Kept::open()?;
    let names: Vec<&str> = PARTS.iter().filter(|part| part.is_documented).map(|part| part.name).collect();
    let is_due = |kept: &Kept, part: &Part| match named {
        [_] => kept.is_missing(part.name),
        names => Ok(names.iter().any(|name| name == part.name)),
    };
    for part in PARTS.iter().filter(|part| part.is_documented) {
        if is_due(&kept, part)? {
            let (mut table, load) = (Table::new(), table::load());
            (part.measure)(extent, &mut table)?;
            kept.put(part.name, table, &load)?;
        }
        document::write(&kept.markdown(&names))?;
    }
    println!("\n{}", kept.markdown(&names));
    Ok(())
}

/// Measures what docs/performance.md has, and writes it there.
const DOCUMENTED: &str = "performance";

struct Part {
    name: &'static str,
    is_documented: bool,
    only_if_named: bool,
    measure: fn(&Extent, &mut Table) -> anyhow::Result<()>,
}

impl Part {
    const fn documented(name: &'static str, measure: fn(&Extent, &mut Table) -> anyhow::Result<()>) -> Part {
        Part { name, is_documented: true, only_if_named: false, measure }
    }

    const fn printed(name: &'static str, measure: fn(&Extent, &mut Table) -> anyhow::Result<()>) -> Part {
        Part { name, is_documented: false, only_if_named: false, measure }
    }

    /// Takes long, or needs something besides.
    const fn if_named(name: &'static str, measure: fn(&Extent, &mut Table) -> anyhow::Result<()>) -> Part {
        Part { name, is_documented: false, only_if_named: true, measure }
    }
}

const PARTS: [Part; 16] = [
    Part::documented("interactions", |extent, table| {
        let server = DemoServer::start(DemoOptions::default())?;
        interactions::measure(extent, &interactions::traces(&server)?, table)
    }),
    Part::documented("gate", |extent, table| {
        let server = DemoServer::start(DemoOptions::default())?;
        gate::measure(extent, &interactions::traces(&server)?, table)
    }),
    Part::documented("firepad", firepad::measure),
    Part::documented("demo", |_, table| whole::demo(table)),
    Part::documented("costs", |_, table| costs::measure(table)),
    Part::documented("rates", rates::measure),
    Part::documented("paper", |_, table| whole::firepad(table)),
    Part::documented("growth", growth::measure),
    Part::documented("truths", |_, table| first_truths::measure(table)),
    Part::documented("strategies", strategies::measure),
    Part::documented("logging", |_, table| logging::measure(table)),
    Part::documented("pruning", |_, table| pruning::measure(table)),
    Part::printed("searches", searches::measure),
    Part::printed("precise", |_, table| precise::measure(table)),
    Part::if_named("grouping", |_, table| grouping::measure(table)),
    Part::if_named("same", |_, table| same::measure(table)),
];
