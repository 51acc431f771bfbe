//! [`reach`]: crawls a page, decides on the lines to search for, and hands them to the run loop.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use colobus_model::{Plan, PlannedSearch, Report, RunEvent};
use colobus_reach::crawl::Crawled;
use colobus_reach::page::Step;
use colobus_record::{Origin, Viewport};
use colobus_run::{Run, RunError, RunOptions, Workers, key_of};
use colobus_world::{PageStep, WorldError};

use crate::search::LineSearch;
use crate::{Answer, Searcher, Target, words};

/// The lines of a run, in its folder.
const TARGETS_FILE: &str = "targets.json";

pub struct ReachConfig {
    pub url: String,
    pub viewport: Viewport,
    /// What was asked for, as the user wrote it: lines, a file of targets, what exploring leaves.
    pub wanted: Vec<String>,
    /// The model of the page as the user has edited it.
    pub model: Option<String>,
    /// How many partial sequences of a line are extended.
    pub iterations: usize,
    /// How many runs of handlers crawling takes.
    pub crawl_runs: usize,
    /// How long the page is crawled.
    pub crawl_time: Duration,
    /// How long a line is searched for.
    pub line_time: Duration,
    /// Whether some partial sequences come before others.
    pub with_priorities: bool,
    /// Whether the search knows what events need and change.
    pub with_summaries: bool,
    /// Whether summaries are run from the start where the search backwards does not get on.
    pub with_forward: bool,
    /// Whether answers tell what the search did.
    pub explain: bool,
    pub workers: usize,
    pub options: RunOptions,
}

/// What has to be known before the first line is searched for.
pub trait Preparation {
    type Error: From<RunError>;

    /// Crawls the page, in instrumented pages.
    fn crawl(&mut self) -> Result<Crawled, Self::Error>;

    /// The lines to search for. `folder` is that of the run; `note` tells the user something. Not asked of a run that continues
    /// another.
    fn targets(
        &mut self,
        crawled: &Crawled,
        folder: &Path,
        note: &mut dyn FnMut(String),
    ) -> Result<Vec<Target>, Self::Error>;

    /// What crawling did not follow at all.
    fn limits(&self) -> Vec<String>;
}

/// The steps of the model as a user performs them, or why that is not possible.
pub type Perform<'a> = dyn Fn(&[Step]) -> Result<Vec<PageStep>, String> + Sync + 'a;

/// Opens a plain page and a solver for a worker.
pub type OpenSearcher<'a> = dyn Fn() -> Result<Box<Searcher>, WorldError> + Sync + 'a;

/// What was found, and what is known of the page.
pub struct Reached {
    pub report: Report,
    pub crawled: Crawled,
    /// How long crawling took.
    pub crawled_for: Duration,
    /// In the order of targets; lines that were not searched for have none.
    pub answers: Vec<Answer>,
    /// The folder of the run.
    pub folder: PathBuf,
}

/// Searches for lines. Every answer is on disk before it is told.
pub fn reach<P: Preparation>(
    config: &ReachConfig,
    preparation: &mut P,
    perform: &Perform<'_>,
    open: &OpenSearcher<'_>,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<Reached, P::Error> {
    let begun = Instant::now();
    let workers = Workers::new(open, config.workers);
    let browser = workers.once(&config.options.stop, |searcher| Ok(searcher.page.browser().version))?;
    let key = search_key(config, &browser)?;
    let origin = Origin::of(&config.url).map(|origin| origin.to_string()).unwrap_or_default();
    let plan = Plan {
        application: config.url.clone(),
        configuration: origin.clone(),
        workers: config.workers,
        seed: 0,
        search: PlannedSearch::Lines,
    };
    let mut run = Run::start(config.options.clone(), &key, plan, emit)?;
    emit(RunEvent::Ready { browser: browser.clone(), took: begun.elapsed() });
    let folder = run.folder().to_path_buf();
    let prepared = run.prepare(
        |emit| {
            let mut note = |note: String| emit(RunEvent::Note(note));
            Ok((prepare(config, preparation, &folder, &mut note), false))
        },
        emit,
    )?;
    let (crawled, crawled_for, targets) = prepared?;
    emit(RunEvent::Note(format!("{} in {:.1} s", words::size(&crawled), crawled_for.as_secs_f64())));
    let limits = preparation.limits();
    let mut search = LineSearch::new(config, origin, browser, &crawled, targets, limits, perform);
    let report = run.search(&mut search, &workers, &Vec::new, emit)?;
    let answers = search.into_answers();
    Ok(Reached { report, crawled, crawled_for, answers, folder })
}

type Prepared = (Crawled, Duration, Vec<Target>);

fn prepare<P: Preparation>(
    config: &ReachConfig,
    preparation: &mut P,
    folder: &Path,
    note: &mut dyn FnMut(String),
) -> Result<Prepared, P::Error> {
    let begun = Instant::now();
    let mut crawled = preparation.crawl()?;
    let took = begun.elapsed();
    if !config.with_summaries {
        for summary in &mut crawled.summaries {
            summary.condition.clear();
            summary.writes.clear();
            summary.lists.clear();
        }
    }
    let path = folder.join(TARGETS_FILE);
    let targets = match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| RunError::Read { path, source: error.into() })?,
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(RunError::Read { path, source: error }.into());
        }
        Err(_) => {
            let targets = preparation.targets(&crawled, folder, note)?;
            let text = serde_json::to_string_pretty(&targets)
                .map_err(|source| RunError::Serialize { what: TARGETS_FILE.into(), source })?;
            fs::write(&path, text).map_err(|source| RunError::Write { path, source })?;
            targets
        }
    };
    Ok((crawled, took, targets))
}

/// Equal keys are equal searches: one may continue the other. A new field fails to compile here until it is decided whether it
/// belongs to the key.
fn search_key(config: &ReachConfig, browser: &str) -> Result<String, RunError> {
    let ReachConfig {
        url,
        viewport: Viewport { width, height },
        wanted,
        model,
        iterations,
        crawl_runs,
        crawl_time,
        line_time,
        with_priorities,
        with_summaries,
        with_forward,
        // Tells more of the same search.
        explain: _,
        // The search does not depend on the number of workers.
        workers: _,
        // How long, how often and where.
        options: _,
    } = config;
    let limits = (iterations, crawl_runs, crawl_time.as_millis(), line_time.as_millis());
    let searched = (url, width, height, (wanted, model), limits, (with_priorities, with_summaries, with_forward));
    key_of(&("reach", env!("CARGO_PKG_VERSION"), browser, searched))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_changes_what_is_searched_changes_the_key() {
        let config = || ReachConfig {
            url: "http://shop/".into(),
            viewport: Viewport { width: 800, height: 600 },
            wanted: vec!["app.js:3".into()],
            model: None,
            iterations: 10,
            crawl_runs: 5,
            crawl_time: Duration::from_secs(2),
            line_time: Duration::from_secs(1),
            with_priorities: true,
            with_summaries: true,
            with_forward: true,
            explain: false,
            workers: 1,
            options: RunOptions::new(Path::new("out")),
        };
        let key = |config: &ReachConfig| search_key(config, "Chromium 1").unwrap();
        assert_eq!(key(&config()), key(&ReachConfig { workers: 8, explain: true, ..config() }));
        let others = [
            ReachConfig { url: "http://shop/form".into(), ..config() },
            ReachConfig { viewport: Viewport { width: 801, height: 600 }, ..config() },
            ReachConfig { wanted: vec!["app.js:4".into()], ..config() },
            ReachConfig { model: Some("start -> s1".into()), ..config() },
            ReachConfig { iterations: 11, ..config() },
            ReachConfig { crawl_runs: 6, ..config() },
            ReachConfig { crawl_time: Duration::from_secs(3), ..config() },
            ReachConfig { line_time: Duration::from_secs(3), ..config() },
            ReachConfig { with_priorities: false, ..config() },
            ReachConfig { with_summaries: false, ..config() },
            ReachConfig { with_forward: false, ..config() },
        ];
        for other in others {
            assert_ne!(key(&config()), key(&other));
        }
        assert_ne!(key(&config()), search_key(&config(), "Chromium 2").unwrap());
    }
}
