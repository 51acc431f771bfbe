//! `--reporter list`: a run as lines for people. On a terminal a live line below them shows the progress; elsewhere the
//! progress is a plain line now and then, and nothing but text is written.

mod answers;
mod closing;
mod live;
mod look;

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use colobus_model::{Case, Finding, Phase, Plan, PlannedSearch, RunEvent, Searched};

use crate::figures::{counted, grouped, spoken};
use crate::printable::{case, failed_checks, printable};
use crate::{Output, Renderer, Reporter, replay_command};
use live::Progress;
pub use look::Look;

/// A plain progress line comes for every tenth of a phase, or after this long without one.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

pub struct Terminal {
    out: Box<dyn Write + Send>,
    look: Look,
    clock: Box<dyn Fn() -> Duration + Send>,
    output: PathBuf,
    configuration: String,
    progress: Option<Progress>,
    failures: usize,
    /// What is counted.
    noun: &'static str,
    /// What was told already: hundreds of interactions may fail, or be unknown, for the same reason.
    told: HashSet<String>,
}

/// Lines for people: progress, findings as they come, a closing table.
pub(crate) const LIST: Reporter = Reporter {
    name: "list",
    describe: "progress and causes, for people",
    output: Output::ForPeople,
    renderer: |out, look| Box::new(Terminal::new(out, look)),
};

impl Terminal {
    pub fn new(out: Box<dyn Write + Send>, look: Look) -> Terminal {
        let start = Instant::now();
        Terminal::with_clock(out, look, Box::new(move || start.elapsed()))
    }

    /// The clock tells the time since any fixed moment; rates and times left come from it.
    pub fn with_clock(out: Box<dyn Write + Send>, look: Look, clock: Box<dyn Fn() -> Duration + Send>) -> Terminal {
        let (output, configuration, told) = (PathBuf::new(), String::new(), HashSet::new());
        Terminal { out, look, clock, output, configuration, progress: None, failures: 0, noun: "interaction", told }
    }

    /// Writes whole lines, above the live line if there is one.
    fn print(&mut self, lines: &str) {
        let mut text = String::new();
        if self.look.live {
            text.push_str(live::CLEAR);
        }
        text.push_str(lines);
        text.push('\n');
        if let Some(progress) = self.progress.as_ref().filter(|_| self.look.live) {
            text.push_str(&live::line(progress, (self.clock)(), self.failures, &self.look));
        }
        self.write(&text);
    }

    fn write(&mut self, text: &str) {
        // A reader that went away has seen enough; the run and its files matter more.
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }

    fn print_once(&mut self, key: String, lines: &str) {
        if self.told.insert(key) {
            self.print(lines);
        }
    }

    fn started(&mut self, plan: &Plan) {
        let look = self.look;
        self.configuration.clone_from(&plan.configuration);
        self.noun = match plan.search {
            PlannedSearch::Interactions { .. } => "interaction",
            PlannedSearch::Orders { .. } => "order",
            PlannedSearch::Mistakes => "mistake",
            PlannedSearch::Events { .. } => "sequence",
            PlannedSearch::Lines => "line",
        };
        let workers = counted(plan.workers, "worker");
        let what = match &plan.search {
            PlannedSearch::Interactions { actions, depth, clients, .. } => {
                let (actions, clients) = (counted(actions.len(), "action"), counted(*clients, "client"));
                format!(
                    "{actions}, depth {depth}, {clients}, {workers}, seed {}\n  {}",
                    plan.seed,
                    amount(&plan.search)
                )
            }
            PlannedSearch::Orders { bound, schedules } => {
                let within = bound.map_or("any number of reversals".into(), |bound| counted(bound, "reversal"));
                let most = schedules.map(|most| format!(", at most {}", counted(most, "order"))).unwrap_or_default();
                format!("orders of one page's events within {within}{most}, seed {}", plan.seed)
            }
            PlannedSearch::Mistakes => format!("mistakes in a recorded session, {workers}"),
            PlannedSearch::Events { budget } => {
                format!("{} of events at most, {workers}, seed {}", counted(*budget, "sequence"), plan.seed)
            }
            PlannedSearch::Lines => format!("events that reach lines, {workers}"),
        };
        self.print(&format!(
            "{}\n  {what}\n  results in {}",
            look.strong(&printable(&plan.application)),
            printable(&self.output.to_string_lossy()),
        ));
    }

    fn progress(&mut self, phase: Phase, done: usize, total: usize) {
        let now = (self.clock)();
        let progress = match &mut self.progress {
            Some(progress) if progress.phase == phase => progress,
            none => none.insert(Progress::new(phase, done, now)),
        };
        progress.done = done;
        progress.total = total;
        if self.look.live {
            if progress.redraw_is_due(now) {
                let line = live::line(progress, now, self.failures, &self.look);
                self.write(&format!("{}{line}", live::CLEAR));
            }
        } else if progress.plain_line_is_due(now, LONGEST_SILENCE) {
            let line = progress.plain(now);
            self.print(&line);
        }
    }

    fn phase_finished(&mut self, phase: Phase, took: Duration) {
        let done = self.progress.take().map_or(0, |progress| progress.done);
        let what = live::what(phase, done, self.noun);
        let line = format!("{}: {what} in {}", live::name(phase), spoken(took));
        self.print(&self.look.faint(&line));
    }

    fn found(&mut self, finding: &Finding) {
        let look = self.look;
        let head = format!("found {}", finding.id);
        let head = if let Searched::Line(_) = finding.searched { look.good(&head) } else { look.bad(&head) };
        let case = look.strong(&case(&finding.case()));
        let command = look.command(&replay_command(&self.output, finding.id, &self.configuration));
        let failed = failed_checks(finding).join("\n  ");
        self.print(&format!("{head}: {case}\n  {failed}\n  {}: {command}", comes_back(finding)));
    }
}

fn comes_back(finding: &Finding) -> String {
    if finding.reduced {
        format!("reproduced {} of {} times", finding.reproduced, finding.attempts)
    } else {
        "not reduced, not run again".to_string()
    }
}

impl Renderer for Terminal {
    fn event(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Started { plan, output } => {
                self.output = output.clone();
                self.started(plan);
            }
            RunEvent::Ready { browser, took } => {
                let line = format!("ready after {}: {}", spoken(*took), printable(browser));
                self.print(&self.look.faint(&line));
            }
            RunEvent::PhaseStarted { phase, total } => self.progress(*phase, 0, *total),
            RunEvent::Progress { phase, done, total } => self.progress(*phase, *done, *total),
            RunEvent::PhaseFinished { phase, took } => self.phase_finished(*phase, *took),
            RunEvent::Failed { case: failed, check, summary } => {
                self.failures += 1;
                let key = format!("failed {check} {}", failed.without_prefix());
                let line = format!("{}: {}", case(failed), printable(summary));
                let head = match failed {
                    Case::Line { .. } => self.look.good("reached"),
                    _ => self.look.bad("failed"),
                };
                self.print_once(key, &format!("{head}: {line}"));
            }
            RunEvent::Unknown { case: unknown, reason } => {
                let line = format!("{}: {}", case(unknown), printable(reason));
                let head = self.look.doubt("unknown");
                self.print_once(format!("unknown {reason}"), &format!("{head}: {line}"));
            }
            RunEvent::Found(finding) => self.found(finding),
            RunEvent::Note(note) => {
                self.print(&format!("{}: {}", self.look.doubt("note"), printable(note)));
            }
            RunEvent::Interim { .. } => {}
            RunEvent::Finished { report, output } => {
                self.progress = None;
                let text = closing::closing(report, output, &self.look);
                self.print(&text);
            }
        }
    }
}

/// How much there is to do, and what it would be without phase 1.
fn amount(search: &PlannedSearch) -> String {
    match search {
        PlannedSearch::Mistakes
        | PlannedSearch::Orders { .. }
        | PlannedSearch::Events { .. }
        | PlannedSearch::Lines => String::new(),
        PlannedSearch::Interactions { sequences: 0, naive, .. } => {
            format!("{} without phase 1", counted(*naive, "interaction"))
        }
        PlannedSearch::Interactions { sequences, source_states, naive, .. } => format!(
            "{} from {}; without phase 1 it would be {} interactions",
            counted(*sequences, "sequence"),
            counted(*source_states, "source state"),
            grouped(*naive),
        ),
    }
}
