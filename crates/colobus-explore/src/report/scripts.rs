//! [`Scripts`]: the sources of a page's scripts, kept in the folder of the run so that a run that continues another knows
//! them as well.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use colobus_run::RunError;
use colobus_world::{Script, ScriptName};
use serde::{Deserialize, Serialize};

use crate::Coverage;
use crate::coverage::lines;

const FOLDER: &str = "scripts";

#[derive(Debug)]
pub struct Scripts {
    folder: PathBuf,
    known: Mutex<BTreeMap<ScriptName, Script>>,
}

#[derive(Serialize, Deserialize)]
struct ScriptFile {
    name: ScriptName,
    line: u32,
    is_module: bool,
    source: String,
}

impl Scripts {
    /// The scripts that a run in this folder has met so far.
    pub fn in_run(run: &Path) -> Result<Scripts, RunError> {
        let folder = run.join(FOLDER);
        let mut known = BTreeMap::new();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let unreadable = |source: io::Error| RunError::Read { path: path.clone(), source };
            let bytes = fs::read(&path).map_err(unreadable)?;
            let file: ScriptFile = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.into()))?;
            let ScriptFile { name, line, is_module, source } = file;
            known.insert(name.clone(), Script { name, line, is_module, source: source.into() });
        }
        Ok(Scripts { folder, known: Mutex::new(known) })
    }

    /// Keeps those that are new. A run that continues this one chooses the same values only if it reads the same scripts.
    pub fn keep(&self, scripts: &[Script]) -> Result<(), RunError> {
        let mut known = self.lock();
        for script in scripts {
            if known.contains_key(&script.name) {
                continue;
            }
            let number = known.len();
            known.insert(script.name.clone(), script.clone());
            let Script { name, source, line, is_module } = script.clone();
            let file = ScriptFile { name, line, is_module, source: source.to_string() };
            let text = serde_json::to_string(&file)
                .map_err(|source| RunError::Serialize { what: format!("the script {number} of the page"), source })?;
            let path = self.folder.join(format!("{number}.json"));
            fs::create_dir_all(&self.folder)
                .and_then(|()| fs::write(&path, text))
                .map_err(|source| RunError::Write { path, source })?;
        }
        Ok(())
    }

    pub fn get(&self, name: &ScriptName) -> Option<Script> {
        self.lock().get(name).cloned()
    }

    pub fn all(&self) -> BTreeMap<ScriptName, Script> {
        self.lock().clone()
    }

    /// How many lines with code ran, and how many there are.
    pub fn lines(&self, covered: &Coverage) -> (usize, usize) {
        let (mut ran, mut all) = (0, 0);
        for script in self.lock().values() {
            for line in lines(&script.source, covered.of(&script.name)) {
                ran += usize::from(line.covered);
                all += 1;
            }
        }
        (ran, all)
    }

    /// File and line, from one, of a place in a script.
    pub fn line_of(&self, name: &ScriptName, at: usize) -> Option<(String, u32)> {
        let known = self.lock();
        let script = known.get(name)?;
        let mut left = at;
        for (line, text) in script.source.split('\n').enumerate() {
            let width = text.encode_utf16().count() + 1;
            if left < width {
                return Some((script.name.url.to_string(), script.line + u32::try_from(line).ok()? + 1));
            }
            left -= width;
        }
        None
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ScriptName, Script>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
