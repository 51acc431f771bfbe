//! [`Experiment`]: one search of Firepad with the built program. [`Measured`]: what came out, and where its files are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};
use colobus_model::Report;

use crate::paper::{self, Published};

pub struct Experiment {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    /// What the paper has for the same actions and depth.
    pub published: Option<&'static Published>,
    /// Whether a trial run includes it.
    pub is_short: bool,
}

pub struct Measured {
    pub experiment: &'static Experiment,
    pub report: Report,
    pub folder: PathBuf,
    /// From start to end, everything included.
    pub wall_s: f64,
}

const NATURAL: &str = "--strategy=natural";

/// In this order: later ones of the same set and depth find phase 1 on disk.
pub static EXPERIMENTS: [Experiment; 8] = [
    Experiment {
        name: "small, k = 3",
        arguments: &["--set=small", "--depth=3", NATURAL],
        published: Some(&paper::SMALL_3),
        is_short: true,
    },
    Experiment {
        name: "large, k = 1",
        arguments: &["--set=large", "--depth=1", NATURAL],
        published: Some(&paper::LARGE_1),
        is_short: true,
    },
    Experiment {
        name: "large, k = 2",
        arguments: &["--set=large", "--depth=2", NATURAL],
        published: Some(&paper::LARGE_2),
        is_short: true,
    },
    Experiment {
        name: "large, k = 3",
        arguments: &["--set=large", "--depth=3", NATURAL],
        published: Some(&paper::LARGE_3),
        is_short: false,
    },
    Experiment {
        name: "15 actions, k = 3",
        arguments: &["--set=fifteen", "--depth=3", NATURAL],
        published: Some(&paper::FIFTEEN_3),
        is_short: false,
    },
    Experiment {
        name: "large, k = 2, a few chosen orders",
        arguments: &["--set=large", "--depth=2"],
        published: None,
        is_short: true,
    },
    Experiment {
        name: "large, k = 2, up to 64 further orders",
        arguments: &["--set=large", "--depth=2", "--schedules=64"],
        published: None,
        is_short: false,
    },
    Experiment {
        name: "large, k = 3, a few chosen orders",
        arguments: &["--set=large", "--depth=3"],
        published: None,
        is_short: false,
    },
];

impl Experiment {
    pub fn run(&'static self, subject: &Path, out: &Path) -> anyhow::Result<Measured> {
        let begun = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_colobus"))
            .args(["check", "--workers=2", "--repeat=10", "--reporter=json", "--config"])
            .arg(subject)
            .arg("--out")
            .arg(out)
            .args(self.arguments)
            .stdin(Stdio::null())
            .output()
            .context("cannot start colobus")?;
        let wall_s = begun.elapsed().as_secs_f64();
        // Findings are no failure of the program.
        if !matches!(output.status.code(), Some(0 | 1)) {
            bail!("{}: {}\n{}", self.name, output.status, String::from_utf8_lossy(&output.stderr));
        }
        let report = serde_json::from_slice(&output.stdout).context("the program printed no report")?;
        let folder = out.join("last").canonicalize()?;
        Ok(Measured { experiment: self, report, folder, wall_s })
    }
}
