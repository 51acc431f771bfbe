//! What several users did, in the place of a configuration's actions, and the order in which they did it.

use std::path::Path;

use anyhow::{Context, bail};
use colobus_record::steps::together;
use colobus_run::Around;

use crate::commands::read_recording;
use crate::config::{Configuration, Search};
use crate::output::tell;

/// Reads the recording; from then on the configuration has its actions, one for each user, and the size of its windows.
pub fn around(configuration: &mut Configuration, path: &Path) -> anyhow::Result<Around> {
    let source = path.display().to_string();
    let Some(recording) = read_recording(path)? else {
        bail!(
            "{source} is not a recording\n  `colobus record URL --clients 2 -o {source}` makes one of what two users do"
        );
    };
    let title = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let told = together(&recording, &title).with_context(|| format!("nothing can be searched around {source}"))?;
    told.warnings.iter().for_each(|warning| tell(&format!("warning: {source}: {warning}")));
    configuration.application.viewport = recording.viewport;
    configuration.search =
        Search { depth: 1, clients: told.actions.len(), same: false, rounds: 1, ..Search::default() };
    configuration.actions = told.actions;
    Ok(Around::new(source, told.taken))
}
