//! [`RunError`]: why a run could not go on. What an application does wrong is never one of these.

use std::io;
use std::path::{Path, PathBuf};

use colobus_compare::CompareError;
use colobus_model::{ScheduleError, TraceError};
use colobus_world::WorldError;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    World(#[from] WorldError),
    #[error("cannot write {}: {source}{}", path.display(), advice(source))]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {source}", path.display())]
    Trace { path: PathBuf, source: TraceError },
    #[error(
        "the run in {} is still going on: wait for its end, or stop it, before it can be continued with --resume\n  \
         without --resume a new run begins beside it",
        folder.display()
    )]
    Locked { folder: PathBuf },
    #[error("{}: `judged_by` is empty, so that no check compares the clients: take the trace as it was found", .0.display())]
    NotJudged(PathBuf),
    #[error("the schedule does not fit the interaction: {0}")]
    Schedule(#[from] ScheduleError),
    #[error("cannot write {what} as JSON: {source}; please report this")]
    Serialize { what: String, source: serde_json::Error },
    #[error(
        "the search is too large to plan: {actions} actions up to depth {depth} are {} sequences, from which up to {} interactions follow\n  \
         choose a smaller depth, or fewer actions with --set or --action",
        saturated(*sequences),
        saturated(*interactions)
    )]
    TooLarge { actions: usize, depth: usize, sequences: usize, interactions: usize },
    #[error("{}: what job {job} told the search cannot be read: {source}\n  start a new run without --resume", journal.display())]
    Feedback { journal: PathBuf, job: usize, source: serde_json::Error },
    #[error(
        "line {line} of {} is damaged: {source}\n  only the last line may be torn, which a killed run leaves; start a new run without --resume",
        path.display()
    )]
    Damaged { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("{}: what was learned about settling cannot be read: {source}", path.display())]
    Learned { path: PathBuf, source: serde_json::Error },
    #[error("what the browser showed cannot be compared: {0}")]
    Compare(#[from] CompareError),
}

impl RunError {
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> RunError + use<> {
        let path = path.to_path_buf();
        move |source| RunError::Write { path, source }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> RunError + use<> {
        let path = path.to_path_buf();
        move |source| RunError::Read { path, source }
    }
}

/// A count that may have ended at the largest number.
fn saturated(count: usize) -> String {
    if count == usize::MAX { format!("more than {count}") } else { count.to_string() }
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull => "; free some space and continue with `colobus check --resume`",
        io::ErrorKind::PermissionDenied => "; choose another folder with --out",
        _ => "",
    }
}
