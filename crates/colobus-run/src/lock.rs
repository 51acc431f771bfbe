//! [`Lock`]: a run's folder belongs to one process at a time. The system releases it when the process ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::RunError;

/// Held as long as it lives.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub fn take(folder: &Path) -> Result<Lock, RunError> {
        let path = folder.join("lock");
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(RunError::write(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(RunError::Locked { folder: folder.to_path_buf() }),
            Err(TryLockError::Error(source)) => Err(RunError::Write { path, source }),
        }
    }
}
