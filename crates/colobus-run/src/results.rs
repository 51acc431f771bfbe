//! [`Results`]: what became of the jobs of a run, by their numbers. Read from the journal, kept by the run loop; grouping, reduction
//! and report read it. Made for millions of jobs: nearly all of them pass, and of those nothing is kept but what they took and told.

use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::ops::RangeFrom;

use colobus_model::{BrowserPlace, PersonalPlace};

use crate::feedback::{Feedback, KnownFeedback};
use crate::journal::JobResult;
use crate::{Cause, Ending};

#[derive(Debug, Default)]
pub(crate) struct Results {
    by_job: BTreeMap<usize, KeptResult>,
    told: KnownFeedback,
}

/// What became of a job.
#[derive(Clone, Debug)]
pub(crate) struct KeptResult {
    /// Milliseconds of each of its executions.
    pub took_ms: Box<[f64]>,
    pub feedback: Feedback,
    /// `None` if it passed and there is nothing to say about that.
    more: Option<Box<More>>,
}

#[derive(Clone, Debug)]
struct More {
    ending: Ending,
    cause: Option<Cause>,
    personal: Vec<PersonalPlace>,
    browser: Option<BrowserPlace>,
    notes: Vec<String>,
}

impl KeptResult {
    fn new(result: JobResult) -> KeptResult {
        let JobResult { job: _, ending, cause, personal, took_ms, browser, notes, feedback } = result;
        let is_plain = ending == Ending::Passed && cause.is_none() && browser.is_none();
        let more = (!is_plain || !personal.is_empty() || !notes.is_empty())
            .then(|| Box::new(More { ending, cause, personal, browser, notes }));
        KeptResult { took_ms: took_ms.into(), feedback, more }
    }

    pub fn ending(&self) -> &Ending {
        self.more.as_ref().map_or(&Ending::Passed, |more| &more.ending)
    }

    /// Of a failure.
    pub fn cause(&self) -> Option<&Cause> {
        self.more.as_ref()?.cause.as_ref()
    }

    /// Where clients differ by design.
    pub fn personal(&self) -> &[PersonalPlace] {
        self.more.as_ref().map_or(&[], |more| &more.personal)
    }

    /// Of a failure on a node of a Grid.
    pub fn browser(&self) -> Option<&BrowserPlace> {
        self.more.as_ref()?.browser.as_ref()
    }

    pub fn notes(&self) -> &[String] {
        self.more.as_ref().map_or(&[], |more| &more.notes)
    }

    /// Whether nothing about it has to be found out by a run that continues this one.
    fn is_certain(&self) -> bool {
        match self.ending() {
            Ending::Passed | Ending::NotApplicable(_) => true,
            Ending::Failed(_) => self.cause().is_some(),
            Ending::Unknown(_) => false,
        }
    }
}

impl Results {
    /// Replaces an earlier result of the same job.
    pub fn insert(&mut self, result: JobResult) {
        let job = result.job;
        let mut ran = KeptResult::new(result);
        ran.feedback = self.told.share(ran.feedback);
        self.by_job.insert(job, ran);
    }

    /// Takes the result of a job over from others; whether there was one.
    pub fn take_from(&mut self, others: &mut Results, job: usize) -> bool {
        let Some(ran) = others.by_job.remove(&job) else { return false };
        self.by_job.insert(job, ran);
        true
    }

    /// Forgets jobs that have to be run again.
    pub fn keep_certain(&mut self) {
        self.by_job.retain(|_, ran| ran.is_certain());
    }

    /// The job becomes unknown, for this reason. What the journal has to say of that.
    pub fn withdraw(&mut self, job: usize, reason: &str) -> Option<JobResult> {
        let ran = self.by_job.get(&job)?;
        let withdrawn = JobResult {
            job,
            ending: Ending::Unknown(reason.to_string()),
            cause: ran.cause().cloned(),
            personal: ran.personal().to_vec(),
            took_ms: ran.took_ms.to_vec(),
            browser: ran.browser().cloned(),
            notes: ran.notes().to_vec(),
            feedback: ran.feedback.clone(),
        };
        self.insert(withdrawn.clone());
        Some(withdrawn)
    }

    pub fn get(&self, job: usize) -> Option<&KeptResult> {
        self.by_job.get(&job)
    }

    pub fn len(&self) -> usize {
        self.by_job.len()
    }

    /// In the order of jobs.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &KeptResult)> {
        self.by_job.iter().map(|(job, ran)| (*job, ran))
    }

    /// Those of a job and all after it.
    pub fn range(&self, jobs: RangeFrom<usize>) -> Range<'_, usize, KeptResult> {
        self.by_job.range(jobs)
    }
}
