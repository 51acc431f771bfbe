//! Printing to standard output, where the reader may go away at any time (`colobus schema | head`).

use std::io::{self, Write};

use anyhow::Context;

pub fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}
