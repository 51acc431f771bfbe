//! [`Search`]: the built program on an application, as a user would run it, in a folder of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;
use colobus_model::Report;
use colobus_process::ProcessId;
use serde_json::Value;
use tempfile::TempDir;

use crate::family;
use crate::programs;

/// A search that takes longer hangs.
pub const LIMIT: Duration = Duration::from_secs(600);
/// How often its processes are looked at: often enough to see those that live shortly, and seldom enough to leave the processor to them.
const LOOK: Duration = Duration::from_millis(100);

pub struct Search {
    pub folder: TempDir,
    arguments: Vec<String>,
}

/// A search under way.
pub struct Running {
    pub child: Child,
    pub begun: Instant,
    /// All processes of it that were ever seen.
    pub seen: BTreeSet<ProcessId>,
}

impl Search {
    pub fn new(configuration: &str, arguments: &[&str]) -> anyhow::Result<Search> {
        let folder = TempDir::new()?;
        fs::write(folder.path().join("colobus.toml"), configuration)?;
        Ok(Search { folder, arguments: arguments.iter().map(ToString::to_string).collect() })
    }

    /// The shared counter of the tests, with or without its flaw.
    pub fn of_counter(flaw: &str, arguments: &[&str]) -> anyhow::Result<Search> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counter");
        let text = fs::read_to_string(folder.join("colobus.toml"))?;
        let mut configuration: toml::Table = text.parse()?;
        let app = configuration.get_mut("app").and_then(|app| app.as_table_mut()).context("there is no [app]")?;
        app.insert("directory".into(), folder.to_string_lossy().into_owned().into());
        app.insert("start".into(), format!("node server.mjs {{port}} {flaw}").trim_end().into());
        Search::new(&configuration.to_string(), arguments)
    }

    pub fn start(&self, further: &[&str]) -> anyhow::Result<Running> {
        let file = |name: &str| fs::OpenOptions::new().create(true).append(true).open(self.folder.path().join(name));
        let program = programs::colobus()?;
        let child = Command::new(program)
            .arg("check")
            .args(&self.arguments)
            .args(further)
            .current_dir(self.folder.path())
            .env("TMPDIR", self.folder.path())
            .stdin(Stdio::null())
            .stdout(file("stdout.txt")?)
            .stderr(file("stderr.txt")?)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        Ok(Running { child, begun: Instant::now(), seen: BTreeSet::new() })
    }

    pub fn report(&self) -> Option<Report> {
        let text = fs::read_to_string(self.folder.path().join("colobus-out/last/report.json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// What it said on standard error.
    pub fn said(&self) -> String {
        fs::read_to_string(self.folder.path().join("stderr.txt")).unwrap_or_default()
    }

    /// Jobs that the journal has more than once although the first result was certain.
    pub fn doubled(&self) -> usize {
        let journal = self.folder.path().join("colobus-out/last/journal.jsonl");
        let mut certain: BTreeMap<u64, usize> = BTreeMap::new();
        for line in fs::read_to_string(journal).unwrap_or_default().lines() {
            let Ok(entry) = serde_json::from_str::<Value>(line) else { continue };
            let ran = &entry["result"];
            let failed = ran["ending"].get("failed").is_some() && !ran["cause"].is_null();
            if let (Some(job), true) = (ran["job"].as_u64(), failed || ran["ending"] == "passed") {
                *certain.entry(job).or_default() += 1;
            }
        }
        certain.values().map(|times| times - 1).sum()
    }
}

impl Running {
    /// Looks at its processes until `when` has passed since the start, or it ends.
    pub fn until(&mut self, when: Duration) -> anyhow::Result<Option<ExitStatus>> {
        loop {
            self.seen.extend(family::family(self.child.id()));
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            let left = when.saturating_sub(self.begun.elapsed());
            if left.is_zero() {
                return Ok(None);
            }
            sleep(LOOK.min(left));
        }
    }

    /// Waits for the end; `None` if it hangs, and then it is killed.
    pub fn end(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let status = self.until(self.begun.elapsed() + LIMIT)?;
        if status.is_none() {
            self.child.kill()?;
            self.child.wait()?;
        }
        Ok(status)
    }
}
