//! [`LineSearch`]: what the run loop asks of the search for lines. A line is a job; one that is reached is a finding, whose
//! script replays; one for which no sequence was found within the limits has passed, with the reasons in its answer.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use colobus_check::{PageCheck, PageFailure};
use colobus_model::{
    AnsweredLine, BrowserPlace, Case, FailedCheck, LinesReport, ReachedLine, Report, SearchKind, Searched,
};
use colobus_reach::crawl::Crawled;
use colobus_reach::line::Line;
use colobus_reach::page::{Replayed, Step};
use colobus_reach::priority::{PRIORITIES, Priority};
use colobus_reach::search::{Found, Limits, Search as Backwards};
use colobus_run::{
    Cause, Diagnosed, Ending, Executed, Failure, FindingTraffic, Reduced, RunError, Search, SeenFailure, StopSignal,
    feedback_of,
};
use colobus_world::{Recorded, WorldError};
use serde::Deserialize;
use serde_json::Value;

use crate::evidence::{Evidence, SESSION_FILE, recording};
use crate::plain_page::LineOfPage;
use crate::reach::{Perform, ReachConfig};
use crate::{Answer, Searcher, Target, words};

/// Ways from one anchor that are followed.
const WAYS: usize = 16;
/// States that the search from the start looks at.
const FORWARD: usize = 6000;
/// Reasons of a line that are kept.
const MOST_REASONS: usize = 12;

pub(crate) struct LineSearch<'a> {
    config: &'a ReachConfig,
    origin: String,
    browser: String,
    crawled: &'a Crawled,
    /// What crawling did not follow at all.
    limits: Vec<String>,
    perform: &'a Perform<'a>,
    /// Not asked for yet.
    waiting: Vec<Target>,
    answers: BTreeMap<usize, Answer>,
    asked: usize,
}

/// A line, and its place among the lines.
pub(crate) struct Job {
    number: usize,
    target: Target,
}

impl<'a> LineSearch<'a> {
    pub fn new(
        config: &'a ReachConfig,
        origin: String,
        browser: String,
        crawled: &'a Crawled,
        targets: Vec<Target>,
        limits: Vec<String>,
        perform: &'a Perform<'a>,
    ) -> LineSearch<'a> {
        let (waiting, answers) = (targets, BTreeMap::new());
        LineSearch { config, origin, browser, crawled, limits, perform, waiting, answers, asked: 0 }
    }

    /// In the order of targets.
    pub fn into_answers(self) -> Vec<Answer> {
        self.answers.into_values().collect()
    }

    fn evidence(&self, line: &Line, steps: &[Step]) -> Result<Evidence, WorldError> {
        let performed = (self.perform)(steps).map_err(WorldError::Interrupted)?;
        let recording = recording(&self.config.url, self.config.viewport, &performed);
        let events = performed.into_iter().map(|step| step.label).collect();
        Ok(Evidence { line: line.clone(), steps: steps.to_vec(), events, recording })
    }

    fn search(&self, searcher: &mut Searcher, target: &Target, stop: &StopSignal) -> Result<Found, WorldError> {
        let begun = Instant::now();
        let mut page = LineOfPage { page: &mut *searcher.page, line: &target.line, failure: None };
        let none: &[&dyn Priority] = &[];
        let mut is_late = || stop.is_set() || begun.elapsed() > self.config.line_time;
        let search = Backwards {
            model: &self.crawled.model,
            summaries: &self.crawled.summaries,
            solver: &mut *searcher.solver,
            page: &mut page,
            priorities: if self.config.with_priorities { PRIORITIES } else { none },
            limits: Limits {
                iterations: self.config.iterations,
                ways: WAYS,
                forward: if self.config.with_forward { FORWARD } else { 0 },
            },
            is_late: &mut is_late,
        };
        let found = search.run(&target.statement);
        found.map_err(|error| page.failure.take().unwrap_or_else(|| WorldError::CannotRun(error.to_string())))
    }

    fn answer(&self, target: &Target, known_way: Option<bool>, found: &Found, begun: Instant) -> Answer {
        let mut answer = Answer::new(target, known_way, found, begun.elapsed());
        answer.verdict = words::verdict(&target.line, found, self.crawled);
        if self.config.explain {
            answer.explanation = words::search(found);
        }
        if !answer.reached {
            answer.reasons.extend(self.limits.iter().chain(&self.crawled.reasons).cloned());
        }
        let more = answer.reasons.len().saturating_sub(MOST_REASONS);
        answer.reasons.truncate(MOST_REASONS);
        if more > 0 {
            answer.reasons.push(format!("and {more} more (--explain)"));
        }
        if known_way == Some(false) {
            answer.reasons.insert(0, format!("the way that the file knows does not reach {}", target.line));
        }
        answer
    }
}

impl Search for LineSearch<'_> {
    type World = Searcher;
    type Job = Job;
    type Evidence = Evidence;

    const EVIDENCE_FILE: &'static str = SESSION_FILE;

    fn next(&mut self) -> Vec<Job> {
        let first = self.asked;
        let targets = std::mem::take(&mut self.waiting);
        self.asked += targets.len();
        (first..).zip(targets).map(|(number, target)| Job { number, target }).collect()
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn case(&self, job: &Job) -> Case {
        Case::Line { line: job.target.line.to_string() }
    }

    fn execute(&self, searcher: &mut Searcher, job: &Job, stop: &StopSignal) -> Result<Executed<Evidence>, WorldError> {
        let (begun, target) = (Instant::now(), &job.target);
        let known_way = match &target.steps {
            Some(steps) => Some(searcher.page.replay(steps, &target.line)? == Replayed::Hit),
            None => None,
        };
        let found = self.search(searcher, target, stop)?;
        let mut answer = self.answer(target, known_way, &found, begun);
        if !answer.reached && stop.is_set() {
            return Err(WorldError::Stopped);
        }
        let mut executed = Executed::new(Ending::Passed);
        if answer.reached {
            let evidence = self.evidence(&target.line, &answer.steps)?;
            answer.events.clone_from(&evidence.events);
            let FailedCheck { check, difference } =
                PageFailure::new(PageCheck::Reach, answer.verdict.clone()).failed_check();
            let failure = Failure::of(check, difference);
            executed = Executed::failed(failure, evidence);
        }
        executed.took_ms = vec![begun.elapsed().as_secs_f64() * 1000.0];
        executed.feedback = feedback_of(&answer)?;
        Ok(executed)
    }

    /// A line that was not searched for to its end has no answer.
    fn learn(&mut self, job: &Job, _: &Ending, feedback: &Value) -> Result<(), serde_json::Error> {
        if !feedback.is_null() {
            self.answers.insert(job.number, Answer::deserialize(feedback)?);
        }
        Ok(())
    }

    fn is_doubted(&self, _: &Job) -> bool {
        false
    }

    /// Every line is a cause of its own; their order is that in which they were asked for.
    fn diagnose(
        &self,
        _: &mut Searcher,
        job: &Job,
        _: &Evidence,
        _: &Failure,
    ) -> Result<Diagnosed<Evidence>, WorldError> {
        Ok(Diagnosed::as_seen(Cause { name: job.target.line.to_string(), size: job.number }))
    }

    /// The same line, asked for twice.
    fn explains(&self, found: &Job, job: &Job, _: &Failure) -> bool {
        found.target.line == job.target.line
    }

    /// The search makes no sequence longer than it has to: it is performed again as it is.
    fn reduce(
        &self,
        searcher: &mut Searcher,
        job: &Job,
        seen: SeenFailure<Evidence>,
    ) -> Result<Reduced<Evidence>, WorldError> {
        let SeenFailure { evidence, failure, repeat, .. } = seen;
        let line = &job.target.line;
        let reproduced = repeat.count(|| Ok(searcher.page.replay(&evidence.steps, line)? == Replayed::Hit))?;
        let searched = self.searched(job, &evidence);
        Ok(Reduced { searched, evidence, failure: failure.clone(), reproduced })
    }

    fn comes_back(
        &self,
        searcher: &mut Searcher,
        job: &Job,
        evidence: &Evidence,
        _: &Failure,
    ) -> Result<bool, WorldError> {
        Ok(searcher.page.replay(&evidence.steps, &job.target.line)? == Replayed::Hit)
    }

    fn browser(&self, searcher: &Searcher) -> BrowserPlace {
        searcher.page.browser()
    }

    fn record(
        &self,
        searcher: &mut Searcher,
        job: &Job,
        finding: &Reduced<Evidence>,
    ) -> Result<FindingTraffic, WorldError> {
        let Recorded { run, har } = searcher.page.replay_recorded(&finding.evidence.steps, &job.target.line)?;
        Ok(if run == Replayed::Hit { FindingTraffic::Har(har) } else { FindingTraffic::NotReproduced })
    }

    fn searched(&self, job: &Job, evidence: &Evidence) -> Searched {
        Searched::Line(ReachedLine { line: job.target.line.to_string(), events: evidence.events.clone() })
    }

    fn save(&self, evidence: &Evidence, folder: &Path) -> Result<(), RunError> {
        evidence.save(folder)
    }

    fn restore(&self, _: &Job, folder: &Path) -> Result<Evidence, RunError> {
        Evidence::load(folder)
    }

    fn report(&self) -> Report {
        let answered = |answer: &Answer| AnsweredLine {
            line: answer.line.to_string(),
            reached: answer.reached,
            outcome: answer.outcome,
            as_expected: answer.as_expected,
            verdict: answer.verdict.clone(),
            seconds: answer.seconds,
            events: answer.events.clone(),
            reasons: answer.reasons.clone(),
        };
        Report {
            search: SearchKind::Lines,
            application: self.config.url.clone(),
            configuration: self.origin.clone(),
            browser: self.browser.clone(),
            clients: 1,
            lines: Some(LinesReport {
                states: self.crawled.model.states().len(),
                events: self.crawled.model.events.len(),
                summaries: self.crawled.summaries.len(),
                answers: self.answers.values().map(answered).collect(),
            }),
            ..Report::default()
        }
    }
}
