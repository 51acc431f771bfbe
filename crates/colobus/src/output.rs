//! Printing, where the reader may go away at any time (`colobus schema | head`, `colobus check 2>&1 | head`), and where texts of
//! pages, recordings and traces are part of what is printed: no character of theirs does anything to the terminal.

use std::io::{self, Write};

use anyhow::Context;
use colobus_model::foreign::shown;

pub fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().lock().write_all(shown(text).as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Says something beside the results, on standard error. A reader that is gone is no error.
pub fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", shown(line));
}
