//! [`ReportError`]: why the files of a report could not be written or read.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(
        "the disk is full: {} could not be written; free some space, the journal beside it still has all findings",
        .path.display()
    )]
    DiskFull { path: PathBuf },
    #[error("{} could not be written: {source}; check that the folder exists and is yours, or choose another with --out", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} could not be read: {source}; it should be the folder of a run, with a report.json inside", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not a report: {reason}; run the check again with this version of colobus", .path.display())]
    Malformed { path: PathBuf, reason: String },
    #[error("the report of {} cannot be written as JSON: {source}; please report this, the journal there has all findings", .folder.display())]
    Serialize { folder: PathBuf, source: serde_json::Error },
}

impl ReportError {
    pub(crate) fn writing(path: &Path, source: io::Error) -> ReportError {
        let path = path.to_path_buf();
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => ReportError::DiskFull { path },
            _ => ReportError::Write { path, source },
        }
    }

    pub(crate) fn reading(path: &Path, source: io::Error) -> ReportError {
        ReportError::Read { path: path.to_path_buf(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_called_by_its_name() {
        for kind in [ErrorKind::StorageFull, ErrorKind::QuotaExceeded] {
            let error = ReportError::writing(Path::new("out/report.json"), io::Error::from(kind));
            assert!(error.to_string().starts_with("the disk is full: out/report.json"), "{error}");
        }
        let error = ReportError::writing(Path::new("out/a"), io::Error::from(ErrorKind::PermissionDenied));
        assert!(error.to_string().starts_with("out/a could not be written: permission denied"), "{error}");
    }
}
