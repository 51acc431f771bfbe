//! The command line of Colobus: arguments and `colobus.toml` become a run, its events and its report become output.
//! Everything below this crate gets resolved values and returns typed errors; only here they become text and exit codes.

mod accepted;
mod args;
mod commands;
mod config;
mod crash;
mod default_workers;
mod discover;
mod encryption;
mod learned_server;
mod logging;
mod mock;
mod ot;
mod output;
mod place;
mod reach;
mod recorded;
mod run_config;
mod session;
mod sessions_left;
mod stepping;
mod stop;
mod trust;
mod verdict;

use std::process::ExitCode;

use clap::Parser;
use output::tell;

/// What `main` returns besides success.
pub const FOUND_SOMETHING: u8 = 1;
pub const COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    let result = crash::guard(|| {
        if let Some((level, path)) = cli.command.log() {
            logging::start(level, &path)?;
        }
        commands::run(cli.command)
    });
    sessions_left::wait();
    match result {
        Some(Ok(code)) => code,
        Some(Err(error)) => {
            print_error(&error);
            ExitCode::from(COULD_NOT_RUN)
        }
        None => ExitCode::from(COULD_NOT_RUN),
    }
}

/// The error and, each on a line of its own, what caused it; but for causes that the line before has told already.
fn print_error(error: &anyhow::Error) {
    tell(&format!("error: {error}"));
    let mut told = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !told.contains(&cause) {
            tell(&format!("  because: {cause}"));
            told = cause;
        }
    }
}
