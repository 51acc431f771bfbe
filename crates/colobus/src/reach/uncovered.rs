//! Branches that exploring a page does not reach: the first statement of every block that did not run, neither in an exploration led
//! by what ran nor in one at random (a monkey).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, bail};
use colobus_driver::{BrowserExplorer, ExplorerOptions, ReachBrowser};
use colobus_explore::{Coverage, DEFAULT_WALK, ExploreConfig, Explored, PRIORITIES, Priority, explore, priority};
use colobus_reach::line::Line;
use colobus_reach::summary::Summary;
use colobus_run::{RunOptions, StopSignal};
use colobus_world::{ExplorablePage, Script, ScriptName};

use super::executed_lines::ExecutedLines;

/// The priority that makes an exploration a monkey.
const MONKEY: &str = "random";

/// How explorations are made.
pub struct Exploring<'a> {
    pub options: &'a ExplorerOptions,
    /// Sequences of each.
    pub budget: usize,
    /// Where they are written down.
    pub folder: &'a Path,
    pub stop: &'a StopSignal,
}

/// What explorations leave.
pub struct Left {
    /// Lines on which a branch begins and of which nothing ran.
    pub lines: Vec<Line>,
    /// How many lines have branches.
    pub of: usize,
    /// Branches that did not run, on lines of which other code ran: a line counts as reached then, and cannot be a target.
    pub hidden: usize,
}

impl Exploring<'_> {
    pub fn uncovered(&self, page: &ReachBrowser) -> anyhow::Result<Left> {
        let monkey = priority(MONKEY).context("there is no priority of that name")?;
        let (mut covered, mut scripts) = (Coverage::default(), BTreeMap::<ScriptName, Script>::new());
        for (priority, folder) in [(PRIORITIES[0], "explore"), (monkey, "monkey")] {
            let explored = self.explore(priority, &self.folder.join(folder))?;
            covered.add_all(&explored.knowledge.covered);
            scripts.extend(explored.scripts.all());
        }
        let events = page.events();
        let ran = ExecutedLines::new(scripts.values(), &covered, &events);
        let heads = page.head_places();
        let (done, lines): (Vec<&Line>, Vec<&Line>) = heads.keys().partition(|line| ran.has(line));
        let places = done.into_iter().flat_map(|line| &heads[line]);
        let hidden = places.filter(|place| ran.has_place(place) == Some(false)).count();
        Ok(Left { lines: lines.into_iter().cloned().collect(), of: heads.len(), hidden })
    }

    fn explore(&self, priority: &'static dyn Priority, folder: &Path) -> anyhow::Result<Explored> {
        let config = ExploreConfig {
            url: self.options.url.clone(),
            viewport: self.options.viewport,
            priority,
            seed: 0,
            budget: self.budget,
            walk: DEFAULT_WALK,
            workers: 1,
            server: None,
            reset: self.options.reset.clone(),
            constants: &|_| {},
            seeds: Vec::new(),
            options: RunOptions { repeat: 1, stop: self.stop.clone(), ..RunOptions::new(folder) },
        };
        let open = || Ok(Box::new(BrowserExplorer::open(self.options.clone())?) as Box<dyn ExplorablePage>);
        let explored = explore(&config, &open, &mut |_| {})?;
        if let Some(why) = &explored.report.stopped {
            bail!("exploring ended before it was done, so that it is not known what it leaves: {why}");
        }
        Ok(explored)
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
