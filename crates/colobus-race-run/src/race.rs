//! [`race`]: records a page, executes the recorded order once more with its accesses logged, and starts the search.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use colobus_model::{Plan, PlannedSearch, Report, RunEvent};
use colobus_race::explore::Settings;
use colobus_race::model::Execution;
use colobus_race::recorded::RecordedPage;
use colobus_race::verdict::Differences;
use colobus_run::{Run, RunError, RunOptions, StopSignal, Workers, key_of};
use colobus_world::{RacePage, WorldError};

use crate::search::RaceSearch;
use crate::words;

/// The recording of a run, in its folder.
const RECORDING_FILE: &str = "recording.json";

pub struct RaceConfig {
    /// How reports call the page.
    pub name: String,
    /// What `--at` has to name for a finding to be run again.
    pub origin: String,
    /// What makes this search that one: address, seed, steps of the user.
    pub key: String,
    pub seed: u64,
    /// The most reversals from the recorded order; as many as there are if it is left out.
    pub bound: Option<usize>,
    /// The most orders to execute.
    pub schedules: Option<usize>,
    pub options: RunOptions,
}

#[derive(Debug, thiserror::Error)]
pub enum RaceError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{} cannot be read: {problem}. Start anew without --resume", path.display())]
    Recording { path: PathBuf, problem: String },
    #[error("nothing happened on the page: no event ran. Does {0} answer with a document?")]
    Nothing(String),
}

/// Opens a browser for the search.
pub type OpenPage<'a> = dyn Fn() -> Result<Box<dyn RacePage>, WorldError> + Sync + 'a;

/// The recorded page, and its recorded order with accesses.
pub(crate) struct Prepared {
    pub recorded: Arc<RecordedPage>,
    pub baseline: Execution,
    pub notes: Vec<String>,
}

/// Searches the orders of one page's events. Every result is on disk before it is told.
pub fn race(config: &RaceConfig, open: &OpenPage<'_>, emit: &mut dyn FnMut(RunEvent)) -> Result<Report, RaceError> {
    let begun = Instant::now();
    let workers = Workers::new(open, 1);
    let stop = &config.options.stop;
    let browser = workers.once(stop, |page| Ok(page.browser()))?;
    let version = env!("CARGO_PKG_VERSION");
    let key = key_of(&("race", version, &browser, &config.key, config.bound))?;
    let plan = Plan {
        application: config.name.clone(),
        configuration: config.origin.clone(),
        workers: 1,
        seed: config.seed,
        search: PlannedSearch::Orders { bound: config.bound, schedules: config.schedules },
    };
    let mut run = Run::start(config.options.clone(), &key, plan, emit)?;
    emit(RunEvent::Ready { browser: browser.clone(), took: begun.elapsed() });
    let folder = run.folder().to_path_buf();
    let prepared = run.prepare(|_| Ok((prepare(&folder, &workers, stop), false)), emit)??;
    if prepared.baseline.ran.is_empty() {
        return Err(RaceError::Nothing(config.name.clone()));
    }
    prepared.notes.iter().for_each(|note| emit(RunEvent::Note(note.clone())));
    let settings = config.bound.map_or_else(Settings::unbounded, Settings::within);
    let mut search = RaceSearch::new(config, browser, prepared, settings, folder);
    emit(RunEvent::Note(search.introduction()));
    let searched = search.tallies();
    Ok(run.search(&mut search, &workers, &|| searched.notes(), emit)?)
}

fn prepare(folder: &Path, workers: &Workers<dyn RacePage>, stop: &StopSignal) -> Result<Prepared, RaceError> {
    let path = folder.join(RECORDING_FILE);
    let recorded: RecordedPage = if path.exists() {
        let problem = |problem: String| RaceError::Recording { path: path.clone(), problem };
        let text = fs::read_to_string(&path).map_err(|error| problem(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| problem(error.to_string()))?
    } else {
        let recorded = workers.once(stop, |page| page.record())?;
        let text = serde_json::to_vec(&recorded)
            .map_err(|source| RunError::Serialize { what: "the recording".into(), source })?;
        fs::write(&path, text).map_err(|source| RunError::Write { path: path.clone(), source })?;
        recorded
    };
    let order = recorded.execution.order();
    let mut baseline = workers.once(stop, |page| page.run(&recorded, &order))?;
    let mut notes: Vec<String> = recorded.execution.notes.clone();
    if !recorded.is_settled {
        let end = recorded.end();
        notes.push(format!("the page never comes to rest: what it repeats was recorded for {end} ms"));
    }
    if baseline.order() != order {
        let missing = order.iter().filter(|name| !baseline.order().contains(name)).map(ToString::to_string);
        let missing = words::list(missing.collect());
        notes.push(format!("with rewritten code the page did not do all that was recorded; missing: {missing}"));
    }
    let differences = Differences::between(&recorded.execution.outcome, &baseline.outcome);
    if !differences.harms().is_empty() {
        let what = words::summary(&differences);
        notes.push(format!("with rewritten code the page ends in another state than without: {what}"));
    }
    baseline.notes.sort();
    baseline.notes.dedup();
    Ok(Prepared { recorded: Arc::new(recorded), baseline, notes })
}
