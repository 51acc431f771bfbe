//! `colobus ot list`.

use std::process::ExitCode;

use colobus_ot::functions::FUNCTIONS;
use serde_json::json;

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
        println!("{}", serde_json::to_string_pretty(&entries)?);
        return Ok(ExitCode::SUCCESS);
    }
    println!("{:10}{:27}{:47}symmetry", "name", "source", "idea");
    for entry in FUNCTIONS {
        let symmetry = if entry.function.uses_sites() { "unsound (looks at sites)" } else { "sound" };
        println!("{:10}{:27}{:47}{symmetry}", entry.name, entry.source, entry.idea);
    }
    println!(
        "\nA function of your own: implement colobus_ot::Transformation, or give a JavaScript type with check --js."
    );
    Ok(ExitCode::SUCCESS)
}
