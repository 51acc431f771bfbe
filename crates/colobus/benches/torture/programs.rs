//! The executables that are tortured: the tool, and tests of crates. Copied when the run begins, so that a build meanwhile does
//! not change what the rest of it is about.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::outcome::Outcome;
use crate::search::LIMIT;

const LOOK: Duration = Duration::from_millis(100);
const CARGO: Option<&str> = option_env!("CARGO");

/// A test of a crate that reads how much it has to do, and from which seed, from its environment.
#[derive(Clone, Copy)]
pub struct CrateTest {
    pub package: &'static str,
    /// Of the executable: `all`, or the name of the library or program.
    pub target: &'static str,
    pub name: &'static str,
}

fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| TempDir::new().expect("a folder for copies can be made")).path()
}

fn copied(from: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let to = folder().join(name);
    fs::copy(from, &to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(to)
}

/// The tool.
pub fn colobus() -> anyhow::Result<&'static Path> {
    static COPY: OnceLock<PathBuf> = OnceLock::new();
    if let Some(copy) = COPY.get() {
        return Ok(copy);
    }
    let copy = copied(Path::new(env!("CARGO_BIN_EXE_colobus")), "colobus")?;
    Ok(COPY.get_or_init(|| copy))
}

/// Executables of tests by package and target, with the folder that they are run in.
pub struct CrateTests(BTreeMap<(String, String), (PathBuf, PathBuf)>);

impl CrateTests {
    /// Builds the tests of these packages, unless they are built.
    pub fn build(tests: &[CrateTest]) -> anyhow::Result<CrateTests> {
        let mut packages: Vec<&str> = tests.iter().map(|test| test.package).collect();
        packages.dedup();
        let mut built = BTreeMap::new();
        for package in packages {
            let output = Command::new(CARGO.unwrap_or("cargo"))
                .args(["test", "--quiet", "--no-run", "--message-format=json", "--tests"])
                .args(["--package", package])
                .stderr(Stdio::inherit())
                .output()?;
            ensure!(output.status.success(), "the tests of {package} cannot be built");
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
                let (target, manifest) = (message["target"]["name"].as_str(), message["manifest_path"].as_str());
                let is_test = message["profile"]["test"] == true;
                let (Some(from), Some(target), Some(manifest), true) =
                    (message["executable"].as_str(), target, manifest, is_test)
                else {
                    continue;
                };
                let copy = copied(Path::new(from), &format!("{package}-{target}"))?;
                let folder = Path::new(manifest).parent().context("a manifest is in a folder")?.to_path_buf();
                built.insert((package.to_string(), target.to_string()), (copy, folder));
            }
        }
        Ok(CrateTests(built))
    }

    /// Runs one of them with this environment: wrong if it fails, hung if it does not end.
    pub fn run(&self, test: CrateTest, environment: &[(&str, String)]) -> anyhow::Result<Outcome> {
        let CrateTest { package, target, name } = test;
        let built = self.0.get(&(package.to_string(), target.to_string()));
        let (program, folder) = built.with_context(|| format!("{package} has no tests called {target}"))?;
        let mut child = Command::new(program)
            .args(["--quiet", "--exact", name])
            .current_dir(folder)
            .env("CARGO_MANIFEST_DIR", folder)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::piped())
            .spawn()?;
        let mut outcome = Outcome::default();
        let begun = Instant::now();
        while child.try_wait()?.is_none() {
            if begun.elapsed() > LIMIT {
                child.kill()?;
                outcome.hung = 1;
            }
            sleep(LOOK);
        }
        let output = child.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        // A name that no test has is filtered away, and nothing would run.
        ensure!(outcome.hung > 0 || said.contains("running 1 test"), "{package} has no test {name}: {said}");
        if outcome.hung == 0 && !output.status.success() {
            eprintln!("{said}");
            outcome.wrong = 1;
        }
        Ok(outcome)
    }
}
