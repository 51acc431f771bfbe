//! What settling has learned of the application, on disk: `settling.json` in the folder of a run, and beside every trace. Read by the
//! run that continues it and by `replay`, so that neither begins with less patience than the run that found something.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use colobus_model::LearnedSettling;
use colobus_world::WorldFactory;

const FILE: &str = "settling.json";

/// The file in the folder of a run, kept up to date.
pub(crate) struct LearnedFile {
    folder: PathBuf,
    kept: Mutex<LearnedSettling>,
}

impl LearnedFile {
    /// Gives the factory what an interrupted run has learned, if this one continues it.
    pub fn recall(folder: &Path, factory: &dyn WorldFactory) -> LearnedFile {
        let earlier = load_learned(folder);
        factory.recall(earlier.clone());
        LearnedFile { folder: folder.to_path_buf(), kept: Mutex::new(earlier) }
    }

    /// Writes it if there is anything new.
    pub fn keep(&self, learned: LearnedSettling) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if *kept != learned {
            save_learned(&self.folder, &learned);
            *kept = learned;
        }
    }
}

/// A file that cannot be written costs time and nothing else: the next run learns it again.
pub(crate) fn save_learned(folder: &Path, learned: &LearnedSettling) {
    if let Ok(text) = serde_json::to_string_pretty(learned) {
        let _ = fs::write(folder.join(FILE), text);
    }
}

/// What was learned before a trace was written, from its folder or file, or by the run in this folder. Defaults if the file is missing.
pub fn load_learned(path: &Path) -> LearnedSettling {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let text = fs::read_to_string(folder.join(FILE)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}
