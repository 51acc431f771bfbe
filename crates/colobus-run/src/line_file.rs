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
    /// Opens or creates the file, and returns the values it already holds. A torn last line is cut off; any other line that cannot be
    /// read is an error.
    pub fn open<T: DeserializeOwned>(path: &Path) -> Result<(LineFile, Vec<T>), RunError> {
        let bytes = if path.exists() { fs::read(path).map_err(RunError::read(path))? } else { Vec::new() };
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(RunError::write(path))?;
        let (complete, last) = bytes.split_at(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
        let mut values = Vec::new();
        for (index, line) in complete.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            let damaged = |source| RunError::Damaged { path: path.to_path_buf(), line: index + 1, source };
            values.push(serde_json::from_slice(line).map_err(damaged)?);
        }
        match serde_json::from_slice(last) {
            // Only the end of the line is missing.
            Ok(value) => {
                values.push(value);
                file.write_all(b"\n").map_err(RunError::write(path))?;
            }
            Err(_) => file.set_len(complete.len() as u64).map_err(RunError::write(path))?,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(content: &str) -> (Result<Vec<Vec<u32>>, String>, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        fs::write(&path, content).unwrap();
        let opened = LineFile::open::<Vec<u32>>(&path).and_then(|(mut file, values)| {
            file.append(&[7])?;
            Ok(values)
        });
        (opened.map_err(|error| error.to_string()), fs::read_to_string(&path).unwrap())
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_any_other_damage_is_an_error() {
        assert_eq!(opened("[1]\n[2]\n"), (Ok(vec![vec![1], vec![2]]), "[1]\n[2]\n[7]\n".to_string()));
        assert_eq!(opened("[1]\n[2"), (Ok(vec![vec![1]]), "[1]\n[7]\n".to_string()));
        assert_eq!(opened("[1]\n[2]"), (Ok(vec![vec![1], vec![2]]), "[1]\n[2]\n[7]\n".to_string()));
        assert_eq!(opened("[1"), (Ok(vec![]), "[7]\n".to_string()));
        for damaged in ["[1]\n[2\n[3]\n", "[1]\n{}\n"] {
            let (error, after) = opened(damaged);
            let error = error.unwrap_err();
            assert!(error.contains("line 2 of") && error.contains("start a new run without --resume"), "{error}");
            assert_eq!(after, damaged, "the file is as it was");
        }
    }
}
