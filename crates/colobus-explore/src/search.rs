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

use crate::report::scripts::Scripts;
use crate::shrink::{Shrunk, shrink};
use crate::{EVIDENCE_FILE, Evidence, Exploration, Feedback, Job, judge};

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
        let visit = page.run(run)?;
        self.scripts.keep(&visit.scripts).map_err(|error| WorldError::CannotRun(error.to_string()))?;
        Ok(visit)
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

    fn execute(&self, page: &mut Self::World, job: &Job, _: &StopSignal) -> Result<Executed<Evidence>, WorldError> {
        let begun = Instant::now();
        let run = job.sequence.run();
        let visit = self.visit(page, &run)?;
        let took_ms = vec![begun.elapsed().as_secs_f64() * 1000.0];
        let news: Vec<PageFailure> =
            judge(&visit).into_iter().filter(|failure| !job.known.contains(&failure.identity())).collect();
        let complete = visit.stopped.is_none() && visit.rested;
        let told = Feedback::of(&visit, complete, news.first().map(PageFailure::identity), news.len() > 1);
        let feedback = feedback_of(&told)?;
        let mut executed = match (news.first(), &visit.stopped) {
            (Some(worst), _) => {
                let FailedCheck { check, difference } = worst.failed_check();
                Executed::failed(Failure::of(check, difference), self.evidence(run, worst, visit))
            }
            (None, Some(why)) => {
                let action =
                    run.steps.get(visit.performed).map_or_else(|| "open".to_string(), |step| step.label.clone());
                let (step, reason) = (Some(visit.performed), why.clone());
                Executed::new(Ending::NotApplicable(NotApplicable { action, step, reason, threw: false }))
            }
            (None, None) => Executed::new(Ending::Passed),
        };
        (executed.took_ms, executed.feedback) = (took_ms, feedback);
        Ok(executed)
    }

    /// A sequence that was not executed to its end says nothing.
    fn learn(&mut self, job: &Job, _: &Ending, feedback: &Value) -> Result<(), serde_json::Error> {
        if feedback.is_null() {
            return Ok(());
        }
        let told = Feedback::deserialize(feedback)?;
        for (name, _) in told.covered.scripts() {
            if let Some(script) = self.scripts.get(name) {
                self.exploration.read(&script);
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
        job: &Job,
        evidence: &Evidence,
        _: &Failure,
    ) -> Result<Diagnosed<Evidence>, WorldError> {
        Ok(Diagnosed::as_seen(Cause { name: evidence.identity.to_string(), size: job.sequence.moves.len() }))
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
                lines_covered,
                lines,
            }),
            nothing_to_do: (knowledge.events() == 0).then_some(idle),
            counts: Counts::default(),
            ..Report::default()
        }
    }
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
