//! What settling has learned of the application, on disk: `settling.json` in the folder of a run, and beside every trace. Read by the
//! run that continues it and by `replay`, so that neither begins with less patience than the run that found something.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use colobus_model::{LearnedSettling, RunEvent};
use colobus_world::WorldFactory;

use crate::RunError;

const FILE: &str = "settling.json";

/// The file in the folder of a run, kept up to date.
pub(crate) struct LearnedFile {
    folder: PathBuf,
    kept: Mutex<LearnedSettling>,
}

impl LearnedFile {
    /// Gives the factory what an interrupted run has learned, if this one continues it. A file that cannot be read becomes a note.
    pub fn recall(folder: &Path, factory: &dyn WorldFactory, emit: &mut dyn FnMut(RunEvent)) -> LearnedFile {
        let earlier = load_learned(folder).unwrap_or_else(|error| {
            emit(RunEvent::Note(format!("{error}; this run learns it anew")));
            LearnedSettling::default()
        });
        factory.recall(earlier.clone());
        LearnedFile { folder: folder.to_path_buf(), kept: Mutex::new(earlier) }
    }

    /// Writes it if there is anything new. If that fails, a run that continues this one learns it anew.
    pub fn keep(&self, learned: LearnedSettling) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if *kept != learned {
            if let Err(error) = save_learned(&self.folder, &learned) {
                tracing::warn!("{error}");
            }
            *kept = learned;
        }
    }
}

pub(crate) fn save_learned(folder: &Path, learned: &LearnedSettling) -> Result<(), RunError> {
    let path = folder.join(FILE);
    let what = || path.display().to_string();
    let text = serde_json::to_string_pretty(learned).map_err(|source| RunError::Serialize { what: what(), source })?;
    fs::write(&path, text).map_err(RunError::write(&path))
}

/// What was learned before a trace was written, from its folder or file, or by the run in this folder. Defaults if the file is missing.
pub fn load_learned(path: &Path) -> Result<LearnedSettling, RunError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let path = folder.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|source| RunError::Learned { path, source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(LearnedSettling::default()),
        Err(error) => Err(RunError::read(&path)(error)),
    }
}
