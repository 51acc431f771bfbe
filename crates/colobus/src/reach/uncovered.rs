//! Branches that exploring a page does not reach: the first statement of every block that did not run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::bail;
use colobus_driver::{BrowserExplorer, ExplorerOptions, PageEvents, Reachable};
use colobus_explore::{DEFAULT_WALK, ExploreConfig, PRIORITIES, explore};
use colobus_reach::line::Line;
use colobus_reach::summary::Summary;
use colobus_run::{RunOptions, StopSignal};
use colobus_world::ExplorablePage;

use super::executed_lines::ExecutedLines;

/// How an exploration is made.
pub struct Exploring<'a> {
    pub options: &'a ExplorerOptions,
    pub budget: usize,
    /// Where it is written down.
    pub folder: &'a Path,
    pub stop: &'a StopSignal,
}

impl Exploring<'_> {
    /// The heads of branches that did not run, of those that there are.
    pub fn uncovered(&self, heads: &Reachable, events: &PageEvents) -> anyhow::Result<Vec<Line>> {
        let config = ExploreConfig {
            url: self.options.url.clone(),
            viewport: self.options.viewport,
            priority: PRIORITIES[0],
            seed: 0,
            budget: self.budget,
            walk: DEFAULT_WALK,
            workers: 1,
            server: None,
            reset: self.options.reset.clone(),
            constants: &|_| {},
            seeds: Vec::new(),
            options: RunOptions { repeat: 1, stop: self.stop.clone(), ..RunOptions::new(self.folder) },
        };
        let open = || Ok(Box::new(BrowserExplorer::open(self.options.clone())?) as Box<dyn ExplorablePage>);
        let explored = explore(&config, &open, &mut |_| {})?;
        if let Some(why) = explored.report.stopped {
            bail!("exploring ended before it was done, so that it is not known what it leaves: {why}");
        }
        let scripts = explored.scripts.all();
        let ran = ExecutedLines::new(scripts.values(), &explored.knowledge.covered, events);
        let all = heads
            .iter()
            .flat_map(|(file, heads)| heads.iter().map(|number| Line { file: file.clone(), number: *number }));
        Ok(all.filter(|line| !ran.has(line)).collect())
    }
}

/// Easiest first: what a handler was seen to run, by the number of conditions for it; then the rest.
pub fn by_hardness(mut lines: Vec<Line>, summaries: &[Summary]) -> Vec<Line> {
    let conditions = |line: &Line| summaries.iter().filter_map(|it| it.log.get(line)).map(BTreeSet::len).min();
    let hardness: BTreeMap<Line, usize> =
        lines.iter().map(|line| (line.clone(), conditions(line).unwrap_or(usize::MAX))).collect();
    lines.sort_by_key(|line| (hardness[line], line.clone()));
    lines
}
