//! `colobus reach`: crawls a page, summarises its handlers, and searches from a line back to the start.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use colobus_driver::{BrowserExplorer, ExplorerOptions, Interrupt, ReachBrowser, ReachOptions};
use colobus_reach::crawl::{CrawlLimits, Crawled, crawl};
use colobus_reach::line::Line;
use colobus_reach::priority::PRIORITIES;
use colobus_reach::search::{Limits, Outcome, Search};
use colobus_record::{Origin, Viewport};
use colobus_solver::{Cache, Process};

use crate::FOUND_SOMETHING;
use crate::args::ReachArgs;
use crate::output::print;
use crate::reach::target::{Target, resolve};
use crate::reach::{PlainPage, answer};
use crate::session::raised_by;
use crate::stop;

const VIEWPORT: Viewport = Viewport { width: 1280, height: 800 };
/// How long the solver may take for one question.
const SOLVER_LIMIT: Duration = Duration::from_secs(5);

pub fn run(args: &ReachArgs) -> anyhow::Result<ExitCode> {
    args.url.parse::<Origin>()?;
    let stop = stop::on_interrupt_of("the run ends without an answer")?;
    let mut reaching = Reaching::open(args, &raised_by(&stop))?;
    let begun = Instant::now();
    let mut is_late = || stop.is_set() || begun.elapsed() > args.timeout;
    let crawled = crawl(&mut reaching.instrumented, CrawlLimits::default(), &mut reaching.solver, &mut is_late)
        .with_context(|| format!("{} could not be crawled", args.url))?;
    if stop.is_set() {
        bail!("interrupted");
    }
    print(&format!(
        "{} states, {} events, {} summaries of {} runs in {:.1} s\n",
        crawled.model.states().len(),
        crawled.model.events.len(),
        crawled.summaries.len(),
        crawled.runs,
        begun.elapsed().as_secs_f64()
    ))?;
    if args.explain {
        print(&answer::explanation(&crawled))?;
    }
    let target = resolve(&args.line, reaching.instrumented.reachable())?;
    let Line { file, number } = &target.line;
    if let Some(length) = reaching.instrumented.length(file).filter(|length| *number as usize > *length) {
        bail!("{file} has no line {number}: it ends with line {length}");
    }
    let reached = reaching.reach(&target, &crawled, args)?;
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::from(FOUND_SOMETHING) })
}

/// The two browsers and the solver.
struct Reaching {
    instrumented: ReachBrowser,
    plain: BrowserExplorer,
    solver: Cache<Process>,
}

impl Reaching {
    fn open(args: &ReachArgs, interrupt: &Interrupt) -> anyhow::Result<Reaching> {
        let (url, browser, headed) = (args.url.clone(), args.browser.browser.clone(), args.browser.headed);
        let solver = Cache::new(Process::find(SOLVER_LIMIT)?);
        let options = ReachOptions { url: url.clone(), viewport: VIEWPORT, browser: browser.clone(), headed };
        let instrumented = ReachBrowser::open(options)?;
        let plain = BrowserExplorer::open(ExplorerOptions {
            browser,
            headed,
            url,
            viewport: VIEWPORT,
            reset: None,
            server: None,
            interrupt: interrupt.clone(),
        })?;
        Ok(Reaching { instrumented, plain, solver })
    }

    /// Searches for one line, and says how it ended; whether it was reached.
    fn reach(&mut self, target: &Target, crawled: &Crawled, args: &ReachArgs) -> anyhow::Result<bool> {
        let begun = Instant::now();
        let Target { line, statement } = target;
        let mut page = PlainPage { page: &mut self.plain, instrumented: &self.instrumented, line };
        let search = Search {
            model: &crawled.model,
            summaries: &crawled.summaries,
            solver: &mut self.solver,
            page: &mut page,
            priorities: PRIORITIES,
            limits: Limits { iterations: args.iterations, ways: 16 },
        };
        let found = search.run(statement)?;
        if args.explain {
            print(&answer::search(&found))?;
        }
        print(&format!("{} ({:.1} s)\n", answer::verdict(line, &found, crawled), begun.elapsed().as_secs_f64()))?;
        let Outcome::Reached(steps) = &found.outcome else {
            print(&answer::reasons(&found, crawled, &self.instrumented.limits()))?;
            return Ok(false);
        };
        let performed = PlainPage::steps(&self.instrumented, steps)?;
        for step in &performed {
            print(&format!("  {}\n", step.label))?;
        }
        let recording = answer::recording(&args.url, VIEWPORT, &performed);
        for path in answer::write(&recording, line, &args.out)? {
            print(&format!("wrote {}\n", path.display()))?;
        }
        Ok(true)
    }
}
