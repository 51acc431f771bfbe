//! [`run`]: the built program on one setting, as a user would run it, and what came out of it.

use std::fmt;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context;
use colobus_model::Report;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::busy_loops::BusyLoops;
use crate::circumstances::Circumstances;
use crate::server::Server;
use crate::setting::{Machine, Setting, StartedBy, Version, folder};

const PROGRAM: &str = env!("CARGO_BIN_EXE_colobus");

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Outcome {
    pub exit_code: Option<i32>,
    /// Numbers are missing where only the verdict was kept: those of some early runs were copied from the page.
    pub interactions: Option<usize>,
    pub findings: Option<usize>,
    /// Of the finding that came back least often: how often, and of how many.
    pub came_back: Option<(usize, usize)>,
    pub interaction_ms: Option<f64>,
    pub seconds: Option<f64>,
    pub right: bool,
    #[serde(flatten)]
    pub circumstances: Circumstances,
}

impl Outcome {
    /// A cell of the table, as far as this version goes.
    pub fn verdict(&self, version: Version) -> String {
        let text = match (version, self.exit_code, self.came_back) {
            (Version::Bug, Some(1), Some((times, of))) => format!("found, {times} of {of}"),
            (Version::Bug, Some(0), _) => "missed".to_string(),
            (Version::Repaired, Some(0), _) => "clean".to_string(),
            (Version::Repaired, Some(1), _) => "false finding".to_string(),
            _ => "unknown".to_string(),
        };
        if self.right { text } else { format!("**{text}**") }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.right { "right" } else { "WRONG" };
        write!(f, "{verdict}: exit code {}, ", self.exit_code.map_or("none".to_string(), |code| code.to_string()))?;
        if let (Some(findings), Some(interactions)) = (self.findings, self.interactions) {
            write!(f, "{findings} findings in {interactions} interactions")?;
        }
        if let Some((times, of)) = self.came_back {
            write!(f, ", came back {times} of {of}")?;
        }
        if let (Some(milliseconds), Some(seconds)) = (self.interaction_ms, self.seconds) {
            write!(f, ", {milliseconds:.0} ms an interaction, {seconds:.0} s")?;
        }
        Ok(())
    }
}

/// A copy of the built program: what is built meanwhile does not change what is measured.
pub struct Program(TempDir);

impl Program {
    pub fn copy() -> anyhow::Result<Program> {
        let folder = tempfile::tempdir()?;
        fs::copy(PROGRAM, folder.path().join("colobus")).with_context(|| format!("cannot copy {PROGRAM}"))?;
        Ok(Program(folder))
    }

    fn command(&self) -> Command {
        Command::new(self.0.path().join("colobus"))
    }
}

pub fn run(program: &Program, setting: &Setting) -> anyhow::Result<Outcome> {
    let _busy = match setting.machine {
        Machine::Busy => Some(BusyLoops::start()?),
        Machine::Idle => None,
    };
    let running = match setting.started_by {
        StartedBy::SomebodyElse => Some(Server::start(&folder().join(&setting.application), &setting.environment())?),
        StartedBy::Colobus => None,
    };
    let out = tempfile::tempdir()?;
    let configuration = out.path().join("colobus.toml");
    fs::write(&configuration, configured(setting, running.as_ref())?)?;

    let begin = Instant::now();
    let output = program
        .command()
        .args(["check", "--reporter=json", "--config"])
        .arg(&configuration)
        .arg(format!("--workers={}", setting.workers))
        .arg("--out")
        .arg(out.path().join("out"))
        .envs(setting.environment())
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {PROGRAM}"))?;
    let seconds = begin.elapsed().as_secs_f64();
    let exit_code = output.status.code();
    // A search that could not run is a wrong verdict, and the other settings are still worth trying.
    let Ok(report) = serde_json::from_slice::<Report>(&output.stdout) else {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        return Ok(Outcome { exit_code, seconds: Some(seconds), ..noted()? });
    };

    let came_back = least_often(report.findings.iter().map(|finding| (finding.reproduced, finding.attempts)));
    let right = match setting.version {
        Version::Bug => exit_code == Some(1) && came_back.is_some_and(|(times, of)| times == of),
        Version::Repaired => exit_code == Some(0),
    };
    if !right {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        for finding in &report.findings {
            eprintln!("soundness:   {}: {}: {}", finding.case(), finding.check, finding.difference.summary);
        }
        for doubt in
            report.doubts.iter().chain(&report.notes).chain(report.unknown.iter().map(|unknown| &unknown.reason))
        {
            eprintln!("soundness:   {doubt}");
        }
    }
    Ok(Outcome {
        exit_code,
        interactions: Some(report.counts.interactions.judged),
        findings: Some(report.findings.len()),
        came_back,
        interaction_ms: Some(report.timing.interaction_ms_median),
        seconds: Some(seconds),
        right,
        ..noted()?
    })
}

/// Of how often findings came back, and of how many times: the smallest share, and of equal ones that which was tried most.
fn least_often(findings: impl Iterator<Item = (usize, usize)>) -> Option<(usize, usize)> {
    findings.min_by(|(times, of), (other_times, other_of)| {
        (times * other_of).cmp(&(other_times * of)).then(other_of.cmp(of))
    })
}

/// The application's own configuration, at the server that runs already and with the wait that is tried.
fn configured(setting: &Setting, running: Option<&Server>) -> anyhow::Result<String> {
    let folder = folder().join(&setting.application);
    let path = folder.join("colobus.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut configuration: toml::Table = text.parse()?;
    let app = configuration.get_mut("app").and_then(|app| app.as_table_mut()).context("there is no [app]")?;
    match running {
        Some(server) => {
            app.remove("start");
            let url = app.get("url").and_then(|url| url.as_str()).context("there is no url")?;
            app.insert("url".into(), url.replace("{port}", &server.port.to_string()).into());
        }
        None => {
            app.insert("directory".into(), folder.to_string_lossy().into_owned().into());
        }
    }
    let mut wait = |key: &str, milliseconds: i64| -> anyhow::Result<()> {
        let settle = configuration.entry("settle").or_insert_with(|| toml::Table::new().into());
        settle.as_table_mut().context("[settle] is not a table")?.insert(key.into(), milliseconds.into());
        Ok(())
    };
    if let Some((key, milliseconds)) = setting.wait.configured() {
        wait(key, milliseconds)?;
    }
    if let Some(limit) = setting.server.limit_ms() {
        wait("limit_ms", limit)?;
    }
    Ok(configuration.to_string())
}

fn noted() -> anyhow::Result<Outcome> {
    Ok(Outcome { circumstances: Circumstances::now()?, ..Outcome::default() })
}
