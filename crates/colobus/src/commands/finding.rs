//! A finding that a user names: by its folder, its trace, or its number in the newest run.

use std::path::{Path, PathBuf};

use anyhow::Context;
use colobus_model::Trace;

pub fn load(finding: &str, out: &Path) -> anyhow::Result<Trace> {
    colobus_run::load(&path(finding, out)).with_context(|| {
        format!("`{finding}` is not a finding: name its folder, such as colobus-out/last/1, or its number")
    })
}

/// A number is a finding of the newest run.
pub fn path(finding: &str, out: &Path) -> PathBuf {
    match finding.parse::<usize>() {
        Ok(number) if !Path::new(finding).exists() => out.join("last").join(number.to_string()),
        _ => PathBuf::from(finding),
    }
}
