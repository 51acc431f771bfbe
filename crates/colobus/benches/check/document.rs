//! Writes what one run has measured into docs/performance.md.

use std::fs;

use anyhow::Context;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/performance.md");
const BEGIN: &str = "<!-- Written by `make performance` -->\n";
const END: &str = "<!-- End of what `make performance` writes -->\n";

pub fn write(content: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(PAGE)?;
    let place = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = place.with_context(|| format!("{PAGE} has no place for it: {BEGIN}"))?;
    fs::write(PAGE, format!("{before}{BEGIN}{content}{END}{after}"))?;
    Ok(())
}
