//! `colobus ot list`.

use std::fmt::Write;
use std::process::ExitCode;

use colobus_ot::functions::FUNCTIONS;
use serde_json::json;

use super::output::print_json;
use crate::output::print;

#[derive(clap::Args, Debug)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: ListArgs) -> anyhow::Result<ExitCode> {
    if args.json {
        let entries: Vec<_> = FUNCTIONS
            .iter()
            .map(|entry| {
                json!({
                    "name": entry.name,
                    "source": entry.source,
                    "idea": entry.idea,
                    "tombstones": entry.function.has_tombstones(),
                    "symmetry": !entry.function.uses_sites(),
                })
            })
            .collect();
        print_json(&entries)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = String::new();
    writeln!(out, "{:10}{:27}{:47}symmetry", "name", "source", "idea")?;
    for entry in FUNCTIONS {
        let symmetry = if entry.function.uses_sites() { "unsound (looks at sites)" } else { "sound" };
        writeln!(out, "{:10}{:27}{:47}{symmetry}", entry.name, entry.source, entry.idea)?;
    }
    out +=
        "\nA function of your own: implement colobus_ot::Transformation, or give a JavaScript type with check --js.\n";
    print(&out)?;
    Ok(ExitCode::SUCCESS)
}
