//! [`EventSearch`]: what the run loop asks of an exploration.

use std::path::Path;
use std::time::Instant;

use colobus_check::PageFailure;
use colobus_model::{
    BrowserPlace, Case, Counts, FailedCheck, FailingSequence, MadeUpAnswer, NotApplicable, Report, SearchKind, Searched,
};
use colobus_record::Viewport;
use colobus_run::{
    Cause, Diagnosed, Ending, Executed, Failure, FindingTraffic, Reduced, RunError, Search, SeenFailure, StopSignal,
    feedback_of,
};
use colobus_world::{ExplorablePage, GivenAnswer, PageRun, Recorded, Visit, WorldError};
use serde::Deserialize;
use serde_json::Value;

use crate::feedback::ExecutionFeedback;
use crate::report::scripts::Scripts;
use crate::shrink::{Shrunk, shrink};
use crate::{EVIDENCE_FILE, Evidence, Exploration, Feedback, Job, Sequence, Walked, judge};

/// Sequences that are chosen at once, whatever the number of workers: the search must not depend on that.
const AT_ONCE: usize = 4;
/// An answer is cut in what reports say of it.
const LONGEST_ANSWER: usize = 160;
/// Answers that reports name; a page that loops asks without end.
const MOST_ANSWERS: usize = 20;

pub(crate) struct EventSearch<'a> {
    pub exploration: Exploration,
    pub url: String,
    /// Where findings are run again.
    pub origin: String,
    pub viewport: Viewport,
    pub browser: String,
    pub seed: u64,
    /// What was seen of the page's scripts, kept in the folder of the run.
    pub scripts: &'a Scripts,
}

impl EventSearch<'_> {
    fn evidence(&self, run: PageRun, failure: &PageFailure, visit: Visit) -> Evidence {
        Evidence {
            url: self.url.clone(),
            viewport: self.viewport,
            steps: run.steps,
            answers: run.answers,
            made_up: made_up(&visit),
            identity: failure.identity(),
            summary: failure.to_string(),
            screenshot: visit.screenshot,
        }
    }

    fn visit(&self, page: &mut dyn ExplorablePage, run: &PageRun) -> Result<Visit, WorldError> {
        self.keep(page.run(run)?)
    }

    fn keep(&self, visit: Visit) -> Result<Visit, WorldError> {
        self.scripts.keep(&visit.scripts).map_err(|error| WorldError::CannotRun(error.to_string()))?;
        Ok(visit)
    }

    /// The worst of what went wrong in the end of a sequence.
    fn failed(&self, sequence: &Sequence, news: &[PageFailure], visit: &Visit) -> Option<(Failure, Evidence)> {
        let worst = news.first()?;
        let FailedCheck { check, difference } = worst.failed_check();
        Some((Failure::of(check, difference), self.evidence(sequence.run(), worst, visit.clone())))
    }
}

impl Search for EventSearch<'_> {
    type World = dyn ExplorablePage;
    type Job = Job;
    type Evidence = Evidence;

    const EVIDENCE_FILE: &'static str = EVIDENCE_FILE;

    fn next(&mut self) -> Vec<Job> {
        self.exploration.next(AT_ONCE)
    }

    fn waiting(&self) -> usize {
        self.exploration.left()
    }

    fn case(&self, job: &Job) -> Case {
        Case::Sequence { actions: job.sequence.names() }
    }

    fn execute(&self, page: &mut Self::World, job: &Job, stop: &StopSignal) -> Result<Executed<Evidence>, WorldError> {
        let begun = Instant::now();
        let mut walk = self.exploration.walk(job);
        let mut visit = self.visit(page, &job.sequence.run())?;
        let mut news: Vec<PageFailure> =
            judge(&visit).into_iter().filter(|failure| !job.known.contains(&failure.identity())).collect();
        let mut told = ExecutionFeedback { sequence: told_by(&visit, &news), walked: Vec::new() };
        let mut failed = self.failed(walk.sequence(), &news, &visit);
        let impossible = not_applicable(&job.sequence, &visit);
        // What was reported before does not keep a walk from going on.
        news.retain(|failure| !self.exploration.is_reported(&failure.identity()));
        while news.is_empty() && visit.rested && visit.stopped.is_none() && !stop.is_set() {
            let last = told.walked.last().map_or(&told.sequence, |last| &last.told);
            let Some(action) = walk.next(last) else { break };
            visit = match page.go_on(&action.steps(0)) {
                // What was done until the stop counts.
                Err(WorldError::Stopped) => break,
                went_on => self.keep(went_on?)?,
            };
            let known = |failure: &PageFailure| {
                let identity = failure.identity();
                job.known.contains(&identity)
                    || told.sequence.reported.as_ref() == Some(&identity)
                    || self.exploration.is_reported(&identity)
            };
            news = judge(&visit).into_iter().filter(|failure| !known(failure)).collect();
            failed = self.failed(walk.sequence(), &news, &visit).or(failed);
            told.walked.push(Walked { action: (*action).clone(), told: told_by(&visit, &news) });
        }
        let mut executed = match (failed, impossible) {
            (Some((failure, evidence)), _) => Executed::failed(failure, evidence),
            (None, Some(impossible)) => Executed::new(Ending::NotApplicable(impossible)),
            (None, None) => Executed::new(Ending::Passed),
        };
        executed.took_ms = vec![begun.elapsed().as_secs_f64() * 1000.0];
        executed.feedback = feedback_of(&told)?;
        Ok(executed)
    }

    /// A sequence that was not executed to its end says nothing.
    fn learn(&mut self, job: &Job, _: &Ending, feedback: &Value) -> Result<(), serde_json::Error> {
        if feedback.is_null() {
            return Ok(());
        }
        let told = ExecutionFeedback::deserialize(feedback)?;
        for told in std::iter::once(&told.sequence).chain(told.walked.iter().map(|walked| &walked.told)) {
            for (name, _) in told.covered.scripts() {
                if let Some(script) = self.scripts.get(name) {
                    self.exploration.read(&script);
                }
            }
        }
        self.exploration.hear(job, &told);
        Ok(())
    }

    fn is_doubted(&self, _: &Job) -> bool {
        false
    }

    fn diagnose(
        &self,
        _: &mut Self::World,
        _: &Job,
        evidence: &Evidence,
        _: &Failure,
    ) -> Result<Diagnosed<Evidence>, WorldError> {
        Ok(Diagnosed::as_seen(Cause { name: evidence.identity.to_string(), size: evidence.steps.len() }))
    }

    /// What the page does is the same: one sequence shows it.
    fn explains(&self, _: &Job, _: &Job, _: &Failure) -> bool {
        true
    }

    fn reduce(
        &self,
        page: &mut Self::World,
        job: &Job,
        seen: SeenFailure<Evidence>,
    ) -> Result<Reduced<Evidence>, WorldError> {
        // One failure explains all others of its cause: another is seen only where the first did not come back.
        let SeenFailure { evidence, failure, repeat, .. } = seen;
        let mut fails = |run: &PageRun| {
            let visit = self.visit(page, run)?;
            let comes_back = judge(&visit).iter().any(|failure| evidence.shows(failure));
            Ok(comes_back.then_some(visit))
        };
        let shrunk = shrink(evidence.steps.clone(), evidence.answers.clone(), &mut fails)?;
        let smallest = match shrunk {
            Some(Shrunk { steps, answers, visit }) => Evidence {
                steps,
                answers,
                made_up: made_up(&visit),
                screenshot: visit.screenshot.or_else(|| evidence.screenshot.clone()),
                ..evidence.clone()
            },
            None => evidence.clone(),
        };
        let run = smallest.run();
        let reproduced = repeat.count(|| fails(&run).map(|visit| visit.is_some()))?;
        let searched = self.searched(job, &smallest);
        Ok(Reduced { searched, evidence: smallest, failure: failure.clone(), reproduced })
    }

    fn comes_back(
        &self,
        page: &mut Self::World,
        _: &Job,
        evidence: &Evidence,
        _: &Failure,
    ) -> Result<bool, WorldError> {
        let visit = self.visit(page, &evidence.run())?;
        Ok(judge(&visit).iter().any(|failure| evidence.shows(failure)))
    }

    fn browser(&self, page: &Self::World) -> BrowserPlace {
        page.browser()
    }

    fn record(
        &self,
        page: &mut Self::World,
        _: &Job,
        finding: &Reduced<Evidence>,
    ) -> Result<FindingTraffic, WorldError> {
        let evidence = &finding.evidence;
        let Recorded { run: visit, har } = page.run_recorded(&evidence.run())?;
        let comes_back = judge(&visit).iter().any(|failure| evidence.shows(failure));
        Ok(if comes_back { FindingTraffic::Har(har) } else { FindingTraffic::NotReproduced })
    }

    fn searched(&self, _: &Job, evidence: &Evidence) -> Searched {
        Searched::Sequence(FailingSequence { actions: evidence.names(), answers: evidence.made_up.clone() })
    }

    fn save(&self, evidence: &Evidence, folder: &Path) -> Result<(), RunError> {
        evidence.save(folder)
    }

    fn restore(&self, _: &Job, folder: &Path) -> Result<Evidence, RunError> {
        Evidence::load(folder)
    }

    fn report(&self) -> Report {
        let knowledge = &self.exploration.knowledge;
        let (lines_covered, lines) = self.scripts.lines(&knowledge.covered);
        let (states, transitions) = (knowledge.states.count(), knowledge.states.transitions());
        let idle = format!("no event could be performed on {}. Is it the page that users see?", self.url);
        Report {
            search: SearchKind::Events,
            application: self.url.clone(),
            configuration: self.origin.clone(),
            browser: self.browser.clone(),
            seed: self.seed,
            clients: 1,
            exploration: Some(colobus_model::Exploration {
                states,
                transitions,
                events: knowledge.events(),
                performed: self.exploration.performed(),
                lines_covered,
                lines,
            }),
            nothing_to_do: (knowledge.events() == 0).then_some(idle),
            counts: Counts::default(),
            ..Report::default()
        }
    }
}

/// What a visit tells the search.
fn told_by(visit: &Visit, news: &[PageFailure]) -> Feedback {
    let complete = visit.stopped.is_none() && visit.rested;
    Feedback::of(visit, complete, news.first().map(PageFailure::identity), news.len() > 1)
}

/// The step of a sequence that could not be performed, if there is one.
fn not_applicable(sequence: &Sequence, visit: &Visit) -> Option<NotApplicable> {
    let reason = visit.stopped.clone()?;
    let steps = sequence.steps();
    let action = steps.get(visit.performed).map_or_else(|| "open".to_string(), |step| step.label.clone());
    Some(NotApplicable { action, step: Some(visit.performed), reason, threw: false })
}

/// What the page was answered, as people read it: answers that were never observed first.
fn made_up(visit: &Visit) -> Vec<MadeUpAnswer> {
    let said = |answer: &GivenAnswer| {
        let mut body: String = answer.body.chars().take(LONGEST_ANSWER).collect();
        if body.len() < answer.body.len() {
            body.push('…');
        }
        let text = format!("{} -> {} {body}", answer.request, answer.status);
        MadeUpAnswer { text, of_observed_values: answer.as_observed }
    };
    let mut all: Vec<MadeUpAnswer> = visit.answers.iter().map(said).collect();
    all.sort_by_key(|answer| answer.of_observed_values);
    all.dedup();
    all.truncate(MOST_ANSWERS);
    all
}
