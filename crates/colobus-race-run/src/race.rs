//! [`race`]: records a page, executes the recorded order once more with its accesses logged, and starts the search.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use colobus_model::{Invariant, Plan, PlannedSearch, Report, RunEvent, Viewport, matches_pattern};
use colobus_race::explore::Settings;
use colobus_race::model::Execution;
use colobus_race::recorded::{RecordedPage, UserStep};
use colobus_race::verdict::{Differences, OwnReason};
use colobus_run::{Run, RunError, RunOptions, StopSignal, Workers, key_of};
use colobus_world::{RacePage, WorldError};

use crate::search::RaceSearch;
use crate::words;

/// The page of a run as it was recorded, in its folder.
const RECORDED_PAGE_FILE: &str = "recorded-page.json";

pub struct RaceConfig {
    /// The address of the page, as which reports know it.
    pub url: String,
    /// What `--at` has to name for a finding to be run again.
    pub origin: String,
    pub viewport: Viewport,
    /// What the user does; an explorer acts if it is left out.
    pub steps: Option<Vec<UserStep>>,
    pub seed: u64,
    /// The most reversals from the recorded order; as many as there are if it is left out.
    pub bound: Option<usize>,
    /// The most orders to execute.
    pub schedules: Option<usize>,
    /// Whether executions ask the servers again, instead of using the recorded answers.
    pub live: bool,
    /// What has to be true at the end of every execution.
    pub invariants: Vec<Invariant>,
    /// Names of filters that are switched off.
    pub filters_off: Vec<String>,
    /// What the user knows to be harmless.
    pub harmless: Vec<OwnReason>,
    /// Patterns for the addresses of scripts that are not looked into.
    pub libraries: Vec<String>,
    pub options: RunOptions,
}

#[derive(Debug, thiserror::Error)]
pub enum RaceError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{} cannot be read: {problem}. Start anew without --resume", path.display())]
    RecordedPage { path: PathBuf, problem: String },
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
    /// How the page differs with rewritten code from what was recorded.
    pub not_as_recorded: Vec<String>,
}

/// Searches the orders of one page's events. Every result is on disk before it is told.
pub fn race(config: &RaceConfig, open: &OpenPage<'_>, emit: &mut dyn FnMut(RunEvent)) -> Result<Report, RaceError> {
    let begun = Instant::now();
    let workers = Workers::new(open, 1);
    let stop = &config.options.stop;
    let browser = workers.once(stop, |page| Ok(page.browser().version))?;
    let key = search_key(config, &browser)?;
    let plan = Plan {
        application: config.url.clone(),
        configuration: config.origin.clone(),
        workers: 1,
        seed: config.seed,
        search: PlannedSearch::Orders { bound: config.bound, schedules: config.schedules },
    };
    let mut run = Run::start(config.options.clone(), &key, plan, emit)?;
    emit(RunEvent::Ready { browser: browser.clone(), took: begun.elapsed() });
    let folder = run.folder().to_path_buf();
    let mut prepared = run.prepare(|_| Ok((prepare(&folder, &workers, stop), false)), emit)??;
    prepared.look_for_libraries(&config.libraries);
    if config.live {
        prepared.baseline.notes.push("--live: every execution gets the answers that its servers give then".to_string());
    }
    if prepared.baseline.ran.is_empty() {
        return Err(RaceError::Nothing(config.url.clone()));
    }
    let notes = prepared.notes.iter().chain(&prepared.not_as_recorded);
    notes.for_each(|note| emit(RunEvent::Note(note.clone())));
    let settings = config.bound.map_or_else(Settings::unbounded, Settings::within);
    let mut search = RaceSearch::new(config, browser, prepared, settings, folder);
    emit(RunEvent::Note(search.introduction()));
    let searched = search.tallies();
    Ok(run.search(&mut search, &workers, &|| searched.notes(), emit)?)
}

/// Equal keys are equal searches: one may continue the other. A new field fails to compile here until it is decided whether it
/// belongs to the key.
fn search_key(config: &RaceConfig, browser: &str) -> Result<String, RunError> {
    let RaceConfig {
        url,
        viewport,
        steps,
        seed,
        bound,
        live,
        invariants,
        filters_off,
        harmless,
        libraries,
        // Part of the address.
        origin: _,
        // How far, how long, how often and where: a run may be continued with other values.
        schedules: _,
        options: _,
    } = config;
    let judged = (invariants, filters_off, harmless, libraries);
    key_of(&("race", env!("CARGO_PKG_VERSION"), browser, url, viewport, steps, (seed, bound, live), judged))
}

impl Prepared {
    /// Says which scripts are libraries, and which patterns mean none.
    fn look_for_libraries(&mut self, patterns: &[String]) {
        let urls = || self.recorded.answers.iter().map(|answer| answer.url.as_str());
        let is_library = |url: &&str| patterns.iter().any(|pattern| matches_pattern(pattern, url));
        let libraries: BTreeSet<&str> = urls().filter(is_library).collect();
        let known = libraries.into_iter().map(|url| {
            format!("{url} is a library: what it reads and writes of the objects of other scripts is not logged")
        });
        let unused = patterns.iter().filter(|pattern| !urls().any(|url| matches_pattern(pattern, url)));
        let unused = unused.map(|pattern| format!("no script of this page matches the library {pattern}"));
        let unused: Vec<String> = unused.collect();
        self.baseline.notes.extend(known);
        self.notes.extend(unused);
    }
}

fn prepare(folder: &Path, workers: &Workers<dyn RacePage>, stop: &StopSignal) -> Result<Prepared, RaceError> {
    let path = folder.join(RECORDED_PAGE_FILE);
    let recorded: RecordedPage = if path.exists() {
        let problem = |problem: String| RaceError::RecordedPage { path: path.clone(), problem };
        let text = fs::read_to_string(&path).map_err(|error| problem(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| problem(error.to_string()))?
    } else {
        let recorded = workers.once(stop, |page| page.record())?;
        let text = serde_json::to_vec(&recorded)
            .map_err(|source| RunError::Serialize { what: "the recorded page".into(), source })?;
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
    let broken = recorded.execution.outcome.broken_invariants.iter();
    notes.extend(broken.map(|name| format!("the invariant \"{name}\" does not hold in the recorded order already")));
    let mut not_as_recorded = Vec::new();
    if baseline.order() != order {
        let missing = order.iter().filter(|name| !baseline.order().contains(name)).map(ToString::to_string);
        let missing = words::list(missing.collect());
        not_as_recorded
            .push(format!("with rewritten code the page did not do all that was recorded; missing: {missing}"));
    }
    let differences = Differences::between(&recorded.execution.outcome, &baseline.outcome);
    if !differences.harms().is_empty() {
        let what = words::summary(&differences);
        not_as_recorded.push(format!("with rewritten code the page ends in another state than without: {what}"));
    }
    baseline.notes.sort();
    baseline.notes.dedup();
    Ok(Prepared { recorded: Arc::new(recorded), baseline, notes, not_as_recorded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_changes_what_is_searched_changes_the_key() {
        let config = || RaceConfig {
            url: "http://shop/".into(),
            origin: "http://shop".into(),
            viewport: Viewport { width: 800, height: 600 },
            steps: None,
            seed: 1,
            bound: Some(2),
            schedules: None,
            live: false,
            invariants: Vec::new(),
            filters_off: Vec::new(),
            harmless: Vec::new(),
            libraries: Vec::new(),
            options: RunOptions::new(Path::new("out")),
        };
        let key = |config: &RaceConfig| search_key(config, "Chromium 1").unwrap();
        let same = RaceConfig { schedules: Some(7), ..config() };
        assert_eq!(key(&config()), key(&same));
        let others = [
            RaceConfig { url: "http://shop/form".into(), ..config() },
            RaceConfig { viewport: Viewport { width: 801, height: 600 }, ..config() },
            RaceConfig { steps: Some(Vec::new()), ..config() },
            RaceConfig { seed: 2, ..config() },
            RaceConfig { bound: None, ..config() },
            RaceConfig { live: true, ..config() },
            RaceConfig { invariants: vec![Invariant { name: "total".into(), js: "ok".into() }], ..config() },
            RaceConfig { filters_off: vec!["unload".into()], ..config() },
            RaceConfig { harmless: vec![OwnReason::default()], ..config() },
            RaceConfig { libraries: vec!["*/jquery*".into()], ..config() },
        ];
        for other in others {
            assert_ne!(key(&config()), key(&other));
        }
        assert_ne!(key(&config()), search_key(&config(), "Chromium 2").unwrap());
    }
}
