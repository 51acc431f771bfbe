//! [`LineFile`]: a file that only grows, one JSON value a line. Whatever kills the process, at most the line being
//! written is lost, and the next one to open the file goes on behind it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::RunError;

pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Opens or creates the file, and hands over the values that it holds already, one after the other. A torn last line is cut off; any
    /// other line that cannot be read is an error.
    pub fn open<T: DeserializeOwned>(path: &Path, mut take: impl FnMut(T)) -> Result<LineFile, RunError> {
        let mut file =
            OpenOptions::new().create(true).read(true).append(true).open(path).map_err(RunError::write(path))?;
        let mut reader = BufReader::new(file.try_clone().map_err(RunError::read(path))?);
        let (mut line, mut complete) = (Vec::new(), 0);
        for number in 1.. {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(RunError::read(path))?;
            if line.pop_if(|last| *last == b'\n').is_some() {
                let damaged = |source| RunError::Damaged { path: path.to_path_buf(), line: number, source };
                if !line.is_empty() {
                    take(serde_json::from_slice(&line).map_err(damaged)?);
                }
                complete += length as u64;
                continue;
            }
            match serde_json::from_slice(&line) {
                // Only the end of the line is missing.
                Ok(value) => {
                    take(value);
                    file.write_all(b"\n").map_err(RunError::write(path))?;
                }
                Err(_) => file.set_len(complete).map_err(RunError::write(path))?,
            }
            break;
        }
        Ok(LineFile { path: path.to_path_buf(), file })
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
    use std::fs;

    fn opened(content: &str) -> (Result<Vec<Vec<u32>>, String>, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        fs::write(&path, content).unwrap();
        let mut values: Vec<Vec<u32>> = Vec::new();
        let opened = LineFile::open(&path, |value| values.push(value)).and_then(|mut file| {
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
