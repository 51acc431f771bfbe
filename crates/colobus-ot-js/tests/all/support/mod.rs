//! How the tests name fixtures and packages, and check them.

use std::path::{Path, PathBuf};

use colobus_ot_js::modules::{self, Module};
use colobus_ot_js::{CheckError, Limits, Operations, Plan, Report, Source, Verdict, check};

pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

pub fn module(path: &Path) -> Module {
    modules::entry(path, Path::new("/")).unwrap_or_else(|error| panic!("{error}"))
}

/// A fixture with the description that fits the whole family.
pub fn inserts(name: &str) -> Source {
    described(name, "good/inserts-description.js")
}

pub fn described(name: &str, description: &str) -> Source {
    source(module(&fixture(name)), Operations::Generator(module(&fixture(description))))
}

pub fn source(module: Module, operations: Operations) -> Source {
    let limits = Limits { steps: 100_000, mebibytes: 16 };
    Source { module, wanted: None, operations, size: 2, exclude: Vec::new(), limits }
}

/// An installed npm package with its built-in description.
pub fn package(name: &str) -> Source {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    let path = folder.join("node_modules").join(name);
    assert!(path.is_dir(), "the npm package {name} is not installed: run `make test`");
    let mut source = source(module(&path), Operations::Fitting);
    source.limits = Limits::default();
    source
}

pub const SMALL: Plan = Plan { cases: 300, random: 20, seed: 1, clients: 3, parts: 3 };

pub fn run(source: &Source, laws: &[&str]) -> Result<Report, CheckError> {
    run_with(source, laws, &SMALL)
}

pub fn run_with(source: &Source, laws: &[&str], plan: &Plan) -> Result<Report, CheckError> {
    let laws: Vec<String> = laws.iter().map(|law| (*law).to_owned()).collect();
    check(source, plan, &laws, 1)
}

pub fn verdict(report: &Report, law: &str) -> Verdict {
    let found = report.laws.iter().find(|one| one.law == law);
    found.unwrap_or_else(|| panic!("{law} was not checked")).verdict
}
