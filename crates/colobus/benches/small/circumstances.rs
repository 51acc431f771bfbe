//! [`Circumstances`]: when, with which build and beside how much other work something was measured.

use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use anyhow::Context;

#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub struct Circumstances {
    /// The commit; like the others empty if it was not noted.
    #[serde(default)]
    pub build: String,
    #[serde(default)]
    pub date: String,
    /// The load average of the last minute.
    #[serde(default)]
    pub load: String,
}

impl Circumstances {
    pub fn now() -> anyhow::Result<Circumstances> {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        Ok(Circumstances {
            build: build()?,
            date: said("date", &["-u", "+%Y-%m-%d"])?,
            load: load.split(' ').next().unwrap_or_default().to_string(),
        })
    }
}

/// The commit when this was first asked: what is committed later was not measured.
fn build() -> anyhow::Result<String> {
    static BUILD: OnceLock<String> = OnceLock::new();
    if let Some(build) = BUILD.get() {
        return Ok(build.clone());
    }
    let commit = said("git", &["rev-parse", "--short", "HEAD"])?;
    // Results are files of the repository, too.
    let changed = said("git", &["status", "--porcelain", "--", "../../crates", "../../page"])?;
    let build = if changed.is_empty() { commit } else { format!("{commit} and changes") };
    Ok(BUILD.get_or_init(|| build).clone())
}

fn said(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program).args(arguments).output().with_context(|| format!("cannot start {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}
