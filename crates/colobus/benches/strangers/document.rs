//! The section of docs/evaluation.md, written from the kept results alone: what was not run says so.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::Kept;

/// The section is between these two; the second is the first line of what `make soundness` writes.
const BEGIN: &str = "<!-- Written by `make strangers` -->\n";
const END: &str = "<!-- Written by `make soundness` -->\n";

pub fn write_into(page: &Path, applications: &[String], kept: &Kept) -> anyhow::Result<()> {
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let (rest, after) = text.split_once(END).map_or((text.as_str(), None), |(rest, after)| (rest, Some(after)));
    let before = rest.split(BEGIN).next().unwrap_or_default().trim_end();
    let after = after.map(|after| format!("{END}{after}")).unwrap_or_default();
    fs::write(page, format!("{before}\n\n{BEGIN}{}\n{after}", section(applications, kept)?))?;
    eprintln!("strangers: wrote {}", page.display());
    Ok(())
}

fn section(applications: &[String], kept: &Kept) -> anyhow::Result<String> {
    let dates: BTreeSet<&str> = kept.values().map(|outcome| outcome.circumstances.date.as_str()).collect();
    let mut text = format!(
        "## Strangers: applications that are not text editors\n\n\
         `make strangers` searches the applications of `subjects/small` that are not text editors, each with a bug as people make it and\n\
         repaired: with nothing but the address (`colobus check URL`, as a new user does), and with the ten or twenty lines of their `colobus.toml`.\n\
         In a cell: what was said of the bug; what was said of the repaired twin. **Bold** is wrong. Of the canvas of `whiteboard` pixels are all there is,\n\
         and pixels were compared. Measured on {}.\n\n\
         | application | address alone | with configuration | the first finding, with configuration |\n| --- | --- | --- | --- |\n",
        dates.into_iter().collect::<Vec<_>>().join(", "),
    );
    for application in applications {
        let about = kept.get(&format!("{application} configured bug")).map_or("", |outcome| outcome.about.as_str());
        let [alone, configured] = ["alone", "configured"].map(|way| cell(application, way, kept));
        writeln!(text, "| {application} | {alone} | {configured} | {} |", about.replace('|', "\\|"))?;
    }
    let count = |way: &str, version: &str, verdict: &str| {
        let names = applications.iter().map(|application| format!("{application} {way} {version}"));
        names.filter_map(|name| kept.get(&name)).filter(|outcome| outcome.verdict == verdict).count()
    };
    let of = applications.len();
    writeln!(
        text,
        "\nBugs found: {} of {of} with the address alone, {} of {of} with configuration. False findings on repaired twins: {} and {}.",
        count("alone", "bug", "found"),
        count("configured", "bug", "found"),
        count("alone", "repaired", "false"),
        count("configured", "repaired", "false"),
    )?;
    let unsaid: Vec<String> = kept
        .iter()
        .filter(|(_, outcome)| outcome.verdict == "not run")
        .map(|(name, outcome)| format!("- {name}: {}\n", outcome.about))
        .collect();
    if !unsaid.is_empty() {
        write!(text, "\nCould not be searched (exit code 2):\n\n{}", unsaid.concat())?;
    }
    Ok(text)
}

fn cell(application: &str, way: &str, kept: &Kept) -> String {
    let verdict = |version: &str, right: &str| match kept.get(&format!("{application} {way} {version}")) {
        None => "not run".to_string(),
        Some(outcome) if outcome.verdict == right => right.to_string(),
        Some(outcome) if outcome.verdict == "not run" => "**exit 2**".to_string(),
        Some(outcome) => format!("**{}**", outcome.verdict),
    };
    format!("{}; {}", verdict("bug", "found"), verdict("repaired", "clean"))
}
