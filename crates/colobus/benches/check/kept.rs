//! [`Kept`]: what was measured of every part, in `docs/evaluation/performance.jsonl`, each with its build and load: a run of an hour can be
//! interrupted, and parts be measured again. docs/performance.md is written from it alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

use crate::circumstances::Circumstances;
use crate::table::{Table, sections, verdicts};

#[derive(Serialize, Deserialize)]
struct Line {
    part: String,
    cores: usize,
    /// The circumstances have the load afterwards.
    load_before: String,
    measured: Table,
    #[serde(flatten)]
    circumstances: Circumstances,
}

pub struct Kept {
    path: PathBuf,
    lines: Vec<Line>,
}

impl Kept {
    pub fn open() -> anyhow::Result<Kept> {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/evaluation/performance.jsonl");
        let text = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        // A line that was not written to its end is measured again.
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Kept { path, lines })
    }

    /// Whether this build has not measured a part.
    pub fn is_missing(&self, part: &str) -> anyhow::Result<bool> {
        let build = Circumstances::now()?.build;
        Ok(!self.lines.iter().any(|line| line.part == part && line.circumstances.build == build))
    }

    /// In the place of what was measured of this part before.
    pub fn put(&mut self, part: &str, measured: Table, load_before: &str) -> anyhow::Result<()> {
        let cores = available_parallelism().map_or(1, usize::from);
        let (part, load_before) = (part.to_string(), load_before.to_string());
        self.lines.retain(|line| line.part != part);
        self.lines.push(Line { part, cores, load_before, measured, circumstances: Circumstances::now()? });
        let lines: Result<Vec<String>, _> = self.lines.iter().map(serde_json::to_string).collect();
        fs::write(&self.path, lines?.join("\n") + "\n")?;
        Ok(())
    }

    /// The page, of these parts in this order.
    pub fn markdown(&self, parts: &[&str]) -> String {
        let found = parts.iter().filter_map(|part| self.lines.iter().find(|line| line.part == *part));
        let lines: Vec<&Line> = found.collect();
        let missing: Vec<&str> =
            parts.iter().filter(|part| !lines.iter().any(|line| line.part == **part)).copied().collect();
        let builds: BTreeSet<&str> = lines.iter().map(|line| line.circumstances.build.as_str()).collect();
        let mut text = match (missing.is_empty(), builds.len()) {
            (true, 0 | 1) => "Whole run".to_string(),
            (true, count) => format!("Whole, put together from {count} builds (each part has its own below)"),
            (false, 0 | 1) => format!("Unfinished run, without {}", missing.join(", ")),
            (false, count) => format!("Unfinished, and from {count} builds: without {}", missing.join(", ")),
        };
        text += ".\n\n";
        text += &verdicts(lines.iter().map(|line| &line.measured));
        for Line { part, cores, load_before, measured, circumstances } in lines {
            let Circumstances { build, date, load } = circumstances;
            let _ = writeln!(
                text,
                "\n### {part}\n\nBuild {build}, {date}, {cores} cores, load average before {load_before}, after {load}."
            );
            text += &sections(measured);
        }
        text
    }
}
