//! [`explore`]: opens the page once to see that it works, and hands the exploration to the run loop: one finding for each
//! thing that goes wrong, with the shortest sequence that still does it.

use std::path::PathBuf;

use colobus_model::{Plan, PlannedSearch, Report, Reset, RunEvent};
use colobus_record::{Origin, Recording, Viewport};
use colobus_run::{Run, RunError, RunOptions, Workers, key_of};
use colobus_world::{ExplorablePage, PageRun, WorldError};

use crate::evidence::VERSION;
use crate::report::scripts::Scripts;
use crate::search::EventSearch;
use crate::{Exploration, Knowledge, Priority, Sequence};

/// Events after each sequence: together they take about as long as opening the page and leading it there.
pub const DEFAULT_WALK: usize = 12;

pub struct ExploreConfig<'a> {
    pub url: String,
    pub viewport: Viewport,
    pub priority: &'static dyn Priority,
    pub seed: u64,
    /// How many sequences are run at most.
    pub budget: usize,
    /// How many events follow a sequence at most, in the page as it is then.
    pub walk: usize,
    pub workers: usize,
    /// A digest of the description of the server that is answered for: another one is another search.
    pub server: Option<String>,
    /// What the page does before every sequence.
    pub reset: Option<Reset>,
    /// Gets the constants that the page's scripts compare with, before anything is explored.
    pub constants: &'a (dyn Fn(Vec<String>) + Sync),
    /// What is performed first: what users did, or what `colobus reach` found.
    pub seeds: Vec<Recording>,
    pub options: RunOptions,
}

/// Opens a page for a worker.
pub type OpenPage<'a> = dyn Fn() -> Result<Box<dyn ExplorablePage>, WorldError> + Sync + 'a;

/// What was found, and what is known of the page.
pub struct Explored {
    pub report: Report,
    pub knowledge: Knowledge,
    pub scripts: Scripts,
    /// The folder of the run.
    pub folder: PathBuf,
}

/// Explores a page. Every result is on disk before it is told.
pub fn explore(
    config: &ExploreConfig<'_>,
    open: &OpenPage<'_>,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<Explored, RunError> {
    let begun = std::time::Instant::now();
    let workers = Workers::new(open, config.workers);
    let stop = &config.options.stop;
    let browser = workers.once(stop, |page| Ok(page.browser().version))?;
    let key = search_key(config, &browser)?;
    let origin = Origin::of(&config.url).map(|origin| origin.to_string()).unwrap_or_default();
    let plan = Plan {
        application: config.url.clone(),
        configuration: origin.clone(),
        workers: config.workers,
        seed: config.seed,
        search: PlannedSearch::Events { budget: config.budget },
    };
    let mut run = Run::start(config.options.clone(), &key, plan, emit)?;
    emit(RunEvent::Ready { browser: browser.clone(), took: begun.elapsed() });
    let folder = run.folder().to_path_buf();
    let scripts = Scripts::in_run(&folder)?;
    let mut exploration = Exploration::new(config.priority, config.seed, config.budget, config.walk);
    exploration.begin_with(config.seeds.iter().map(Sequence::recorded));
    run.prepare(
        |_| {
            let visit = workers.once(stop, |page| page.run(&PageRun::default()))?;
            if let Some(why) = visit.stopped.filter(|_| visit.rested) {
                return Err(WorldError::CannotRun(format!("{} cannot be opened: {why}", config.url)).into());
            }
            scripts.keep(&visit.scripts)?;
            visit.scripts.iter().for_each(|script| exploration.read(script));
            Ok(((), false))
        },
        emit,
    )?;
    (config.constants)(exploration.constants());
    let mut search = EventSearch {
        exploration,
        url: config.url.clone(),
        origin,
        viewport: config.viewport,
        browser,
        seed: config.seed,
        scripts: &scripts,
    };
    let report = run.search(&mut search, &workers, &Vec::new, emit)?;
    let knowledge = search.exploration.knowledge;
    Ok(Explored { report, knowledge, scripts, folder })
}

/// Equal keys are equal searches: one may continue the other. A new field fails to compile here until it is decided whether it
/// belongs to the key.
fn search_key(config: &ExploreConfig<'_>, browser: &str) -> Result<String, RunError> {
    let ExploreConfig {
        url,
        viewport: Viewport { width, height },
        priority,
        seed,
        budget,
        walk,
        server,
        reset,
        seeds,
        // The search does not depend on the number of workers.
        workers: _,
        // Follow from the page.
        constants: _,
        // How long, how often and where.
        options: _,
    } = config;
    let seeds: Vec<String> = seeds.iter().map(ToString::to_string).collect();
    let searched = (url, width, height, priority.name(), seed, budget, walk, server, reset, seeds);
    key_of(&("explore", env!("CARGO_PKG_VERSION"), VERSION, browser, searched))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::PRIORITIES;

    #[test]
    fn whatever_changes_what_is_explored_changes_the_key() {
        let config = || ExploreConfig {
            url: "http://shop/".into(),
            viewport: Viewport { width: 800, height: 600 },
            priority: PRIORITIES[0],
            seed: 1,
            budget: 10,
            walk: 2,
            workers: 1,
            server: None,
            reset: None,
            constants: &|_| {},
            seeds: Vec::new(),
            options: RunOptions::new(Path::new("out")),
        };
        let key = |config: &ExploreConfig<'_>| search_key(config, "Chromium 1").unwrap();
        assert_eq!(key(&config()), key(&ExploreConfig { workers: 8, ..config() }));
        let others = [
            ExploreConfig { url: "http://shop/form".into(), ..config() },
            ExploreConfig { viewport: Viewport { width: 801, height: 600 }, ..config() },
            ExploreConfig { priority: PRIORITIES[1], ..config() },
            ExploreConfig { seed: 2, ..config() },
            ExploreConfig { budget: 11, ..config() },
            ExploreConfig { walk: 3, ..config() },
            ExploreConfig { server: Some("digest".into()), ..config() },
            ExploreConfig { reset: Some(Reset::Reload), ..config() },
            ExploreConfig { seeds: vec![Recording { viewport: config().viewport, lines: Vec::new() }], ..config() },
        ];
        for other in others {
            assert_ne!(key(&config()), key(&other));
        }
    }
}
