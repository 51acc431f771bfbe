//! The folder of a run: `colobus-out/RUN/`, with `last` pointing at the newest, and below it a folder per finding with
//! its trace and screenshots.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use colobus_model::{ClientId, Png, Trace};

use crate::RunError;

pub(crate) const TRACE_FILE: &str = "trace.json";

/// A new, empty folder for a run, named after the time in UTC so that names sort by age.
pub fn create_run_folder(out: &Path) -> Result<PathBuf, RunError> {
    let now = SystemTime::now();
    for attempt in 0.. {
        let name = match attempt {
            0 => timestamp(now),
            again => format!("{}.{again}", timestamp(now)),
        };
        let folder = out.join(name);
        fs::create_dir_all(out).map_err(RunError::write(out))?;
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && attempt < 1000 => continue,
            Err(error) => return Err(RunError::Write { path: folder, source: error }),
        }
    }
    unreachable!("the loop only ends by returning")
}

/// `2026-11-15T21-45-50Z`: colons are not allowed in the names of files everywhere.
fn timestamp(moment: SystemTime) -> String {
    humantime::format_rfc3339_seconds(moment).to_string().replace(':', "-")
}

/// Makes `out/last` point at this run. Where links cannot be made, runs are still found by their names.
pub fn point_last_at(out: &Path, run: &Path) {
    let (link, Some(name)) = (out.join("last"), run.file_name()) else { return };
    if link.is_symlink() || !link.exists() {
        let _ = fs::remove_file(&link);
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(name, &link);
    }
}

/// Writes a trace and its screenshots into a folder; what an interrupted run left there is replaced.
pub(crate) fn save_trace(folder: &Path, trace: &Trace) -> Result<(), RunError> {
    fs::create_dir_all(folder).map_err(RunError::write(folder))?;
    for (observations, name) in [
        (&trace.observations, Trace::screenshot_name as fn(ClientId) -> String),
        (&trace.baseline, Trace::baseline_screenshot_name),
    ] {
        for (client, observation) in observations.iter().enumerate() {
            if let Some(Png(bytes)) = &observation.screenshot {
                let path = folder.join(name(ClientId(client)));
                fs::write(&path, bytes).map_err(RunError::write(&path))?;
            }
        }
    }
    let path = folder.join(TRACE_FILE);
    let text = trace.to_json();
    let text = text.map_err(|source| RunError::Serialize { what: format!("the trace {}", path.display()), source })?;
    fs::write(&path, text).map_err(RunError::write(&path))
}

/// Reads a trace with its screenshots, from its folder or its file.
pub(crate) fn load_trace(path: &Path) -> Result<Trace, RunError> {
    let file = if path.is_dir() { path.join(TRACE_FILE) } else { path.to_path_buf() };
    let text = fs::read_to_string(&file).map_err(RunError::read(&file))?;
    let mut trace = Trace::from_json(&text).map_err(|source| RunError::Trace { path: file.clone(), source })?;
    let folder = file.parent().unwrap_or(Path::new("."));
    for (observations, name) in [
        (&mut trace.observations, Trace::screenshot_name as fn(ClientId) -> String),
        (&mut trace.baseline, Trace::baseline_screenshot_name),
    ] {
        for (client, observation) in observations.iter_mut().enumerate() {
            let screenshot = fs::read(folder.join(name(ClientId(client))));
            observation.screenshot = screenshot.ok().map(|bytes| Png(bytes.into()));
        }
    }
    Ok(trace)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn timestamps_are_civil_dates() {
        let at = |seconds| timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00-00-00Z");
        assert_eq!(at(951_827_696), "2000-02-29T12-34-56Z");
        assert_eq!(at(1_794_779_150), "2026-11-15T21-45-50Z");
        assert_eq!(at(4_107_542_399), "2100-02-28T23-59-59Z");
    }
}
