//! `colobus reach`: crawls a page, summarises its handlers, and searches from lines back to the start.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use colobus_driver::{BrowserExplorer, ExplorerOptions, ReachBrowser, ReachOptions};
use colobus_reach::crawl::{CrawlLimits, Crawled, crawl};
use colobus_reach::line::Line;
use colobus_reach::page::{Page, Replayed};
use colobus_reach::priority::{PRIORITIES, Priority};
use colobus_reach::search::{Found, Limits, Outcome, Search};
use colobus_reach::summary::Summary;
use colobus_record::{Origin, Viewport};
use colobus_run::StopSignal;
use colobus_solver::{Cache, Portfolio, Process};

use crate::FOUND_SOMETHING;
use crate::args::{ReachArgs, Without};
use crate::output::print;
use crate::reach::results::{self, Answered};
use crate::reach::target::{Target, resolve};
use crate::reach::target_file::{TargetFile, TargetLine};
use crate::reach::uncovered::{Exploring, by_hardness};
use crate::reach::{PlainPage, answer};
use crate::session::raised_by;
use crate::stop;

const VIEWPORT: Viewport = Viewport { width: 1280, height: 800 };
/// How long each solver may take for one question.
const SOLVER_LIMIT: Duration = Duration::from_secs(1);

pub fn run(args: &ReachArgs) -> anyhow::Result<ExitCode> {
    args.url.parse::<Origin>()?;
    // Before anything that takes time.
    let file = args.targets.as_deref().map(TargetFile::read).transpose()?;
    let stop = stop::on_interrupt_of("the run ends without an answer")?;
    let mut reaching = Reaching::open(args, &stop)?;
    let begun = Instant::now();
    let crawled = reaching.crawl()?;
    let took = begun.elapsed();
    print(&format!("{} in {:.1} s\n", answer::size(&crawled), took.as_secs_f64()))?;
    if args.explain {
        print(&answer::explanation(&crawled))?;
    }
    let lines = reaching.lines(file.as_ref(), &crawled)?;
    let mut answered = Vec::new();
    for line in &lines {
        answered.push(reaching.answer(line, &crawled)?);
    }
    print(&format!("wrote {}\n", answer::picture(&crawled, &args.out)?.display()))?;
    if let Some(path) = &args.json {
        results::write(path, &crawled, took, &answered)?;
    }
    if answered.len() > 1 {
        print(&answer::totals(&answered))?;
    }
    let libraries = reaching.instrumented.libraries();
    if args.uncovered && !libraries.is_empty() {
        let names: Vec<&str> = libraries.iter().map(|file| &**file).collect();
        print(&format!("libraries are left out: {}\n", names.join(", ")))?;
    }
    Ok(if answered.iter().all(Answered::is_as_known) { ExitCode::SUCCESS } else { ExitCode::from(FOUND_SOMETHING) })
}

/// The two browsers and the solvers.
struct Reaching<'a> {
    args: &'a ReachArgs,
    stop: &'a StopSignal,
    instrumented: ReachBrowser,
    plain: BrowserExplorer,
    explorer: ExplorerOptions,
    solver: Cache<Portfolio<Process>>,
}

impl<'a> Reaching<'a> {
    fn open(args: &'a ReachArgs, stop: &'a StopSignal) -> anyhow::Result<Reaching<'a>> {
        let (url, browser, headed) = (args.url.clone(), args.browser.browser.clone(), args.browser.headed);
        let solver = Cache::new(Portfolio::find(SOLVER_LIMIT)?);
        let options = ReachOptions { url: url.clone(), viewport: VIEWPORT, browser: browser.clone(), headed };
        let instrumented = ReachBrowser::open(options)?;
        let explorer = ExplorerOptions {
            browser,
            headed,
            url,
            viewport: VIEWPORT,
            reset: None,
            server: None,
            interrupt: raised_by(stop),
        };
        let plain = BrowserExplorer::open(explorer.clone())?;
        Ok(Reaching { args, stop, instrumented, plain, explorer, solver })
    }

    fn crawl(&mut self) -> anyhow::Result<Crawled> {
        let begun = Instant::now();
        let mut is_late = || self.stop.is_set() || begun.elapsed() > self.args.timeout;
        let mut crawled = crawl(&mut self.instrumented, CrawlLimits::default(), &mut self.solver, &mut is_late)
            .with_context(|| format!("{} could not be crawled", self.args.url))?;
        self.not_interrupted()?;
        if self.args.without == Some(Without::Summaries) {
            crawled.summaries.iter_mut().for_each(forget);
        }
        Ok(crawled)
    }

    fn not_interrupted(&self) -> anyhow::Result<()> {
        if self.stop.is_set() { bail!("interrupted") } else { Ok(()) }
    }

    /// The lines to search for.
    fn lines(&mut self, file: Option<&TargetFile>, crawled: &Crawled) -> anyhow::Result<Vec<TargetLine>> {
        let mut all: Vec<TargetLine> = self.args.lines.iter().map(TargetLine::of).collect();
        if let Some(file) = file {
            all.extend(file.lines(&self.instrumented)?);
        }
        if self.args.uncovered {
            let folder = self.args.out.join("explored");
            let exploring =
                Exploring { options: &self.explorer, budget: self.args.budget, folder: &folder, stop: self.stop };
            let left = exploring.uncovered(self.instrumented.heads())?;
            self.not_interrupted()?;
            let heads: usize = self.instrumented.heads().values().map(|lines| lines.len()).sum();
            let sequences = self.args.budget;
            print(&format!("exploring {sequences} sequences left {} of {heads} branches\n", left.len()))?;
            all.extend(by_hardness(left, &crawled.summaries).iter().map(TargetLine::of));
        }
        Ok(all)
    }

    /// Searches for one line, says how it ended, and writes what reaches it.
    fn answer(&mut self, wanted: &TargetLine, crawled: &Crawled) -> anyhow::Result<Answered> {
        let target = resolve(&wanted.line, self.instrumented.reachable())?;
        let Line { file, number } = &target.line;
        let length = self.instrumented.texts().get(file).map(|text| text.lines().count());
        if let Some(length) = length.filter(|length| *number as usize > *length) {
            bail!("{file} has no line {number}: it ends with line {length}");
        }
        let known_way = self.known_way(wanted, &target)?;
        let begun = Instant::now();
        let found = self.search(&target, crawled)?;
        let took = begun.elapsed();
        self.not_interrupted()?;
        if self.args.explain {
            print(&answer::search(&found))?;
        }
        let line = &target.line;
        print(&format!("{} ({:.1} s)\n", answer::verdict(line, &found, crawled), took.as_secs_f64()))?;
        match &found.outcome {
            Outcome::Reached(steps) => {
                let performed = PlainPage::steps(&self.instrumented, steps)?;
                for step in &performed {
                    print(&format!("  {}\n", step.label))?;
                }
                let recording = answer::recording(&self.args.url, VIEWPORT, &performed);
                for path in answer::write(&recording, line, &self.args.out)? {
                    print(&format!("wrote {}\n", path.display()))?;
                }
            }
            _ if self.args.uncovered => print(&answer::reason(&found, crawled))?,
            _ => print(&answer::reasons(&found, crawled, &self.instrumented.limits()))?,
        }
        if known_way == Some(false) {
            print(&format!("  the way that the file knows does not reach {line}\n"))?;
        }
        Ok(Answered::new(wanted, known_way, &found, took))
    }

    /// Whether the way that a person knows reaches the line.
    fn known_way(&mut self, wanted: &TargetLine, target: &Target) -> anyhow::Result<Option<bool>> {
        let Some(steps) = &wanted.steps else { return Ok(None) };
        let mut page = PlainPage { page: &mut self.plain, instrumented: &self.instrumented, line: &target.line };
        Ok(Some(matches!(page.replay(steps, &target.line), Ok(Replayed::Hit))))
    }

    fn search(&mut self, target: &Target, crawled: &Crawled) -> anyhow::Result<Found> {
        let begun = Instant::now();
        let mut page = PlainPage { page: &mut self.plain, instrumented: &self.instrumented, line: &target.line };
        let none: &[&dyn Priority] = &[];
        let mut is_late = || self.stop.is_set() || begun.elapsed() > self.args.timeout / 2;
        let search = Search {
            model: &crawled.model,
            summaries: &crawled.summaries,
            solver: &mut self.solver,
            page: &mut page,
            priorities: if self.args.without == Some(Without::Priorities) { none } else { PRIORITIES },
            limits: Limits { iterations: self.args.iterations, ways: 16 },
            is_late: &mut is_late,
        };
        Ok(search.run(&target.statement)?)
    }
}

/// Events need and change nothing.
fn forget(summary: &mut Summary) {
    summary.condition.clear();
    summary.writes.clear();
}
