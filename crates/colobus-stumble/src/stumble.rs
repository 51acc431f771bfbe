//! [`stumble`]: performs a recorded session without a mistake, plans every mistake in it, and hands them to the run loop: one
//! finding for each thing that the application does wrong, with the shortest script that still does it.

use colobus_model::{Invariant, Plan, PlannedSearch, Png, Report, Reset, RunEvent};
use colobus_record::Recording;
use colobus_run::{Run, RunError, RunOptions, StopSignal, Workers, key_of};
use colobus_world::{SessionRun, Stage, WorldError};

use crate::search::MistakeSearch;
use crate::{Baseline, Mistake, Task, mistakes};

/// Of what a run keeps of a failure; a run that kept something else is not continued.
const EVIDENCE_VERSION: u32 = 2;

/// How often the session is performed without a mistake: noise that does not come every time is noise as well.
const DRY_RUNS: usize = 2;

pub struct StumbleConfig<'a> {
    pub recording: &'a Recording,
    /// How reports call it.
    pub name: String,
    /// Where it is performed; a replay of a finding needs it.
    pub origin: String,
    /// How long a user waits who comes too late.
    pub delay_ms: u64,
    /// What the stage judges every page by.
    pub invariants: Vec<Invariant>,
    /// What the stage does before every session.
    pub reset: Option<Reset>,
    pub options: RunOptions,
}

#[derive(Debug, thiserror::Error)]
pub enum StumbleError {
    #[error(
        "the session cannot be replayed as it was recorded, so that no mistake can be told from it: line {line}: {why}"
    )]
    Unplayable { line: usize, why: String },
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Opens a stage for the search.
pub type OpenStage<'a> = dyn Fn() -> Result<Box<dyn Stage>, WorldError> + Sync + 'a;

/// The session without a mistake, and what can go wrong in it.
pub(crate) struct DryRuns {
    pub baseline: Baseline,
    pub usual: Option<Png>,
    pub tree: Task,
    pub mistakes: Vec<Mistake>,
    /// How often it was performed.
    pub times: usize,
}

/// Makes every mistake, one after the other. Every result is on disk before it is told.
pub fn stumble(
    config: &StumbleConfig<'_>,
    open: &OpenStage<'_>,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<Report, StumbleError> {
    let begun = std::time::Instant::now();
    let workers = Workers::new(open, 1);
    let stop = &config.options.stop;
    let browser = workers.once(stop, |stage| Ok(stage.browser().version))?;
    let key = search_key(config, &browser)?;
    let plan = Plan {
        application: config.name.clone(),
        configuration: config.origin.clone(),
        workers: 1,
        seed: 0,
        search: PlannedSearch::Mistakes,
    };
    let mut run = Run::start(config.options.clone(), &key, plan, emit)?;
    emit(RunEvent::Ready { browser: browser.clone(), took: begun.elapsed() });
    let dry_runs = run.prepare(|_| Ok((run_dry(config, &workers, stop), false)), emit)??;
    emit(RunEvent::Note(format!("{} mistakes can be made in the session", dry_runs.mistakes.len())));
    let mut search =
        MistakeSearch::new(config.recording, config.name.clone(), config.origin.clone(), browser, dry_runs);
    Ok(run.search(&mut search, &workers, &Vec::new, emit)?)
}

/// Equal keys are equal searches: one may continue the other. A new field fails to compile here until it is decided whether it
/// belongs to the key.
fn search_key(config: &StumbleConfig<'_>, browser: &str) -> Result<String, RunError> {
    let StumbleConfig {
        recording,
        delay_ms,
        invariants,
        reset,
        // How reports call things; where it is performed stands in the recording.
        name: _,
        origin: _,
        // How long, how often and where.
        options: _,
    } = config;
    key_of(&(
        "stumble",
        env!("CARGO_PKG_VERSION"),
        EVIDENCE_VERSION,
        browser,
        recording.to_string(),
        delay_ms,
        invariants,
        reset,
    ))
}

fn run_dry(
    config: &StumbleConfig<'_>,
    workers: &Workers<dyn Stage>,
    stop: &StopSignal,
) -> Result<DryRuns, StumbleError> {
    let recording = config.recording;
    let mut runs: Vec<SessionRun> = Vec::new();
    for _ in 0..DRY_RUNS {
        let run = workers.once(stop, |stage| stage.dry_run(recording))?;
        if let Some(why) = run.stopped {
            return Err(StumbleError::Unplayable { line: run.snapshots.len() + 1, why });
        }
        runs.push(run);
    }
    let baseline = Baseline::new(&runs);
    let tree = Task::infer(recording, &baseline.snapshots);
    let mistakes = mistakes(recording, &tree, &baseline.snapshots, config.delay_ms);
    let usual = runs.into_iter().next().and_then(|first| first.screenshot);
    Ok(DryRuns { baseline, usual, tree, mistakes, times: DRY_RUNS })
}
