//! `colobus schema`: the JSON Schema of `colobus.toml`, for editors that complete and check it.

use std::process::ExitCode;

use crate::config;
use crate::output::print;

pub fn run() -> anyhow::Result<ExitCode> {
    let schema = serde_json::to_string_pretty(&config::schema())?;
    print(&format!("{schema}\n"))?;
    Ok(ExitCode::SUCCESS)
}
