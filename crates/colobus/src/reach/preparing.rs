//! [`Preparing`]: crawls the page in instrumented pages, and decides on the lines to search for.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use colobus_driver::{ExplorerOptions, ReachBrowser};
use colobus_reach::crawl::{CrawlLimits, Crawled, crawl};
use colobus_reach::line::Line;
use colobus_reach::ui::file::read_edited;
use colobus_reach_run::{Preparation, Target};
use colobus_run::StopSignal;
use colobus_solver::Solver;

use super::plain_page::KnownEvents;
use super::target::resolve;
use super::target_file::{TargetFile, TargetLine};
use super::uncovered::{Exploring, Left, by_hardness};
use crate::args::ReachArgs;

pub struct Preparing<'a> {
    pub args: &'a ReachArgs,
    pub file: Option<&'a TargetFile>,
    /// The model as a user has edited it.
    pub model: Option<String>,
    pub stop: &'a StopSignal,
    pub instrumented: ReachBrowser,
    pub solver: Box<dyn Solver>,
    /// How the page is explored, if branches are wanted that exploring leaves.
    pub explorer: ExplorerOptions,
    /// Filled by crawling.
    pub events: KnownEvents,
}

impl Preparation for Preparing<'_> {
    type Error = anyhow::Error;

    fn crawl(&mut self) -> anyhow::Result<Crawled> {
        let begun = Instant::now();
        let mut is_late = || self.stop.is_set() || begun.elapsed() > self.args.crawl_time;
        let limits = CrawlLimits { runs: self.args.crawl_runs, ..CrawlLimits::default() };
        let crawled = crawl(&mut self.instrumented, limits, &mut *self.solver, &mut is_late);
        // A stop is the reason of all that failed because of it.
        self.not_stopped()?;
        let mut crawled = crawled.with_context(|| format!("{} could not be crawled", self.args.url))?;
        if let Some(text) = &self.model {
            crawled.model = read_edited(text, &crawled.model, &crawled.summaries)?;
        }
        // Nothing else crawls in this process.
        let _ = self.events.set(self.instrumented.events());
        self.instrumented.close();
        Ok(crawled)
    }

    fn targets(
        &mut self,
        crawled: &Crawled,
        folder: &Path,
        note: &mut dyn FnMut(String),
    ) -> anyhow::Result<Vec<Target>> {
        let mut all: Vec<TargetLine> = self.args.lines.iter().map(TargetLine::of).collect();
        if let Some(file) = self.file {
            all.extend(file.lines(&self.instrumented)?);
        }
        if self.args.uncovered {
            let folder = folder.join("explored");
            let exploring =
                Exploring { options: &self.explorer, budget: self.args.budget, folder: &folder, stop: self.stop };
            let left = exploring.uncovered(&self.instrumented);
            self.not_stopped()?;
            let Left { lines, of, hidden } = left?;
            let budget = self.args.budget;
            note(format!("exploring and a monkey, {budget} sequences each, left {} of {of} branches", lines.len()));
            if hidden > 0 {
                let hidden = if hidden == 1 { "1 branch".to_string() } else { format!("{hidden} branches") };
                note(format!("{hidden} that did not run cannot be searched for: other code of the same line ran"));
            }
            all.extend(by_hardness(lines, &crawled.summaries).iter().map(TargetLine::of));
        }
        all.into_iter().map(|wanted| self.target(wanted)).collect()
    }

    fn limits(&self) -> Vec<String> {
        self.instrumented.limits()
    }
}

impl Preparing<'_> {
    fn target(&self, wanted: TargetLine) -> anyhow::Result<Target> {
        let TargetLine { line, kind, steps } = wanted;
        let line = self.sent(&line).and_then(|sent| self.instrumented.original(&sent)).unwrap_or(line);
        let (line, statement) = resolve(&line, self.instrumented.reachable())?;
        let Line { file, number } = &line;
        let length = self.instrumented.texts().get(file).map(|text| text.lines().count());
        if let Some(length) = length.filter(|length| *number as usize > *length) {
            bail!("{file} has no line {number}: it ends with line {length}");
        }
        Ok(Target { line, statement, kind, steps })
    }

    /// A line of a file that the server sends, by the name that the page has for the file.
    fn sent(&self, line: &Line) -> Option<Line> {
        let sent = self.instrumented.texts().keys().map(|file| (file.clone(), [line.number].into())).collect();
        resolve(line, &sent).ok().map(|(line, _)| line)
    }

    /// What was crawled or explored until a stop is not all.
    fn not_stopped(&self) -> anyhow::Result<()> {
        match self.stop.reason() {
            Some(reason) => bail!("{reason}, before the page was known: no line was searched for"),
            None => Ok(()),
        }
    }
}
