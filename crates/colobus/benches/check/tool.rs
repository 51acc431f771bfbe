//! [`Search`]: the built program, let loose on an application, as a user would.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};
use colobus_model::Report;
use tempfile::TempDir;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_colobus");

/// A search under way.
pub struct Search {
    pub child: Child,
    out: TempDir,
    arguments: String,
}

/// A search that came to its end.
pub struct Searched {
    pub report: Report,
    out: TempDir,
}

impl Search {
    /// `colobus demo` with these arguments, and two workers unless they say otherwise.
    pub fn start(arguments: &[&str]) -> anyhow::Result<Search> {
        Search::run(&["demo", "--port=0", "--no-open"], arguments)
    }

    /// `colobus check` of another application.
    pub fn of_subject(folder: &str, arguments: &[&str]) -> anyhow::Result<Search> {
        Search::run(&["check", "-c", folder], arguments)
    }

    /// The same, with these variables in the environment of the application.
    pub fn of_subject_with<const N: usize>(
        folder: &str,
        arguments: &[&str],
        environment: [(&str, &str); N],
    ) -> anyhow::Result<Search> {
        Search::run_in(&["check", "-c", folder], arguments, &environment)
    }

    /// A command with as many workers as it takes by itself.
    pub fn by_default(command: &[&str], arguments: &[&str]) -> anyhow::Result<Search> {
        Search::run_with(command, arguments, &[], None)
    }

    fn run(command: &[&str], arguments: &[&str]) -> anyhow::Result<Search> {
        Search::run_in(command, arguments, &[])
    }

    fn run_in(command: &[&str], arguments: &[&str], environment: &[(&str, &str)]) -> anyhow::Result<Search> {
        let workers = (!arguments.iter().any(|argument| argument.starts_with("--workers"))).then_some("--workers=2");
        Search::run_with(command, arguments, environment, workers)
    }

    fn run_with(
        command: &[&str],
        arguments: &[&str],
        environment: &[(&str, &str)],
        workers: Option<&str>,
    ) -> anyhow::Result<Search> {
        Search::start_program(PROGRAM, command, arguments, environment, workers)
    }

    /// A command of another build, with as many workers as this takes by itself.
    pub fn of_program(program: &str, command: &[&str], arguments: &[&str]) -> anyhow::Result<Search> {
        Search::start_program(program, command, arguments, &[], None)
    }

    fn start_program(
        program: &str,
        command: &[&str],
        arguments: &[&str],
        environment: &[(&str, &str)],
        workers: Option<&str>,
    ) -> anyhow::Result<Search> {
        let out = tempfile::tempdir()?;
        let child = Command::new(program)
            .args(command)
            .args(workers)
            .arg("--out")
            .arg(out.path())
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(File::create(out.path().join("said"))?)
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        Ok(Search { child, out, arguments: [command, arguments].concat().join(" ") })
    }

    /// What the program has said so far.
    pub fn said(&self) -> String {
        fs::read_to_string(self.out.path().join("said")).unwrap_or_default()
    }

    /// Whether a report on disk names a cause: it is written when the first is seen.
    pub fn has_told_a_cause(&self) -> bool {
        let report = fs::read_to_string(self.out.path().join("last").join("report.json")).ok();
        let report = report.and_then(|text| serde_json::from_str::<Report>(&text).ok());
        report.is_some_and(|report| !report.root_causes.is_empty())
    }

    pub fn finish(mut self) -> anyhow::Result<Searched> {
        let report = serde_json::from_value(self.end()?)?;
        Ok(Searched { report, out: self.out })
    }

    /// The report of a build whose reports may lack something.
    pub fn finish_as_json(mut self) -> anyhow::Result<serde_json::Value> {
        self.end()
    }

    fn end(&mut self) -> anyhow::Result<serde_json::Value> {
        let status = self.child.wait()?;
        // Findings are no failure of the program.
        if !matches!(status.code(), Some(0 | 1)) {
            bail!("`colobus {}` ended with {status}\n{}", self.arguments, self.said());
        }
        let path = self.out.path().join("last").join("report.json");
        let text = fs::read_to_string(&path).with_context(|| format!("there is no {}", path.display()))?;
        Ok(serde_json::from_str(&text)?)
    }
}

impl Searched {
    /// What the search wrote as it went.
    pub fn journal(&self) -> anyhow::Result<String> {
        Ok(fs::read_to_string(self.out.path().join("last").join("journal.jsonl"))?)
    }

    /// The trace of a failure, as it was seen first.
    pub fn failure_trace(&self, job: u64) -> anyhow::Result<String> {
        let path = self.out.path().join(format!("last/failures/{job}/trace.json"));
        fs::read_to_string(&path).with_context(|| format!("there is no {}", path.display()))
    }

    /// What `--log` wrote.
    pub fn log(&self) -> anyhow::Result<String> {
        Ok(fs::read_to_string(self.out.path().join("colobus.log"))?)
    }

    /// The folders of the findings.
    pub fn findings(&self) -> Vec<PathBuf> {
        let last: &Path = &self.out.path().join("last");
        self.report.findings.iter().map(|finding| last.join(finding.id.to_string())).collect()
    }
}

pub fn search(arguments: &[&str]) -> anyhow::Result<Searched> {
    Search::start(arguments)?.finish()
}
