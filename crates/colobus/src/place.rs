//! Where a recording is performed: at an origin that the user named with `--at` or in a `colobus.toml`. A recording may come
//! from a stranger, so the addresses in it say nothing about where the user's sessions and secrets may go.

use std::path::Path;

use anyhow::Context;
use colobus_model::PORT;
use colobus_record::{Origin, Recording};

use crate::config::{ConfigError, Configuration};

/// The origins that the user named: those of `--at`, or that of the configuration if there are none.
pub fn named(at: &[Origin], config: &Path) -> anyhow::Result<Vec<Origin>> {
    if !at.is_empty() {
        return Ok(at.to_vec());
    }
    match Configuration::load(config) {
        Ok(configuration) => Ok(origin(&configuration.application.url).into_iter().collect()),
        Err(ConfigError::Missing(_)) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// The origin of an application, unless its port is chosen when it is started.
pub fn origin(url: &str) -> Option<Origin> {
    Origin::of(url).filter(|_| !url.contains(PORT))
}

/// The recording at these origins.
pub fn performed(recording: &Recording, path: &Path, named: &[Origin]) -> anyhow::Result<Recording> {
    recording.performed_at(named).with_context(|| format!("{} is not performed", path.display()))
}
