//! [`LineFile`]: a file that only grows, one JSON value a line. Whatever kills the process, at most the line being
//! written is lost, and the next one to open the file goes on behind it.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::RunError;

pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Opens or creates the file, and returns the values it already holds.
    pub fn open<T: DeserializeOwned>(path: &Path) -> Result<(LineFile, Vec<T>), RunError> {
        let bytes = if path.exists() { fs::read(path).map_err(RunError::read(path))? } else { Vec::new() };
        let values = read_values(&bytes);
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(RunError::write(path))?;
        if bytes.last().is_some_and(|last| *last != b'\n') {
            file.write_all(b"\n").map_err(RunError::write(path))?;
        }
        Ok((LineFile { path: path.to_path_buf(), file }, values))
    }

    pub fn append<T: Serialize>(&mut self, value: &T) -> Result<(), RunError> {
        let what = || format!("a line of {}", self.path.display());
        let mut line = serde_json::to_vec(value).map_err(|source| RunError::Serialize { what: what(), source })?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(RunError::write(&self.path))
    }
}

/// The values of a file, without changing it. Lines that cannot be read, such as a torn one, are passed over.
pub(crate) fn read_values<T: DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}
