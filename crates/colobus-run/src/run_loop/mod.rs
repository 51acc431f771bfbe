//! [`Run`]: the one loop that every search runs in. A [`Search`] says what to execute next and what a result means; the loop
//! owns workers, journal, resume, grouping, events and the report, which is told again after every finding.

mod another_node;
mod cases;
mod early;
mod groups;
mod options;
mod order;
mod preliminary;
mod progress;
mod reduction;
mod summary;
mod traffic;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use colobus_model::{Phase, Plan, Report, RunEvent};
use colobus_world::WorldError;

use crate::feedback::Feedback;
use crate::journal::{Entry, JOURNAL, JobResult, Journal, Preparation, can_continue, runs};
use crate::lock::Lock;
use crate::output::{create_run_folder, point_last_at};
use crate::workers::{Done, Work, Workers};
use crate::{Diagnosed, Ending, Repeat, RunError, Search, StopSignal};
use cases::Cases;
use early::EarlyReductions;
pub use options::RunOptions;
use progress::Progress;
use reduction::{Reducing, Release};
pub(crate) use summary::Gaps;

/// How often jobs whose verdicts were withdrawn are run again.
const ROUNDS_OF_DOUBT: usize = 2;
const WITHDRAWN: &str =
    "it passed, and then a reaction of the server came later than any before: it may have been judged too early";

/// A run under way: its folder, which no other process may use meanwhile, and its journal.
pub struct Run {
    options: RunOptions,
    folder: PathBuf,
    journal: Journal,
    preparation: Preparation,
    /// Why the search is not begun, if so.
    early_end: Option<String>,
    _lock: Lock,
}

/// Workers, and what they do beside the search.
type WorkersBeside<'a, S> = (&'a Workers<'a, <S as Search>::World>, &'a EarlyReductions<<S as Search>::Evidence>);

/// What a run tells while it goes on.
pub type Emit<'a> = dyn FnMut(RunEvent) + 'a;

impl Run {
    /// Begins a run of the search with this key, or continues the newest one of the same key that was interrupted. The time
    /// limit counts from now on, unless it began earlier.
    pub fn start(options: RunOptions, key: &str, plan: Plan, emit: &mut Emit) -> Result<Run, RunError> {
        if let Some(limit) = options.timeout {
            options.stop.limit(limit);
        }
        let folder = run_folder(&options, key, emit)?;
        let lock = Lock::take(&folder)?;
        point_last_at(&options.out, &folder);
        emit(RunEvent::Started { plan, output: folder.clone() });
        let journal = Journal::open(&folder, key)?;
        Ok(Run { options, folder, journal, preparation: Preparation::default(), early_end: None, _lock: lock })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Does what has to be known before the first job is. `work` says whether an earlier run had done it. A run that
    /// continues another keeps the time that it really took.
    pub fn prepare<T>(
        &mut self,
        work: impl FnOnce(&mut Emit) -> Result<(T, bool), RunError>,
        emit: &mut Emit,
    ) -> Result<T, RunError> {
        let begun = Instant::now();
        let (prepared, reused) = work(emit)?;
        self.preparation = Preparation { seconds: begun.elapsed().as_secs_f64(), reused };
        if let Some(earlier) = self.journal.preparation() {
            self.preparation = earlier;
        }
        Ok(prepared)
    }

    /// The search is not begun, for this reason: only a part of what has to be known before could be found out. That part is reported.
    pub fn end_early(&mut self, reason: String) {
        self.early_end = Some(reason);
    }

    /// Writes down that everything was prepared, unless it was not.
    fn keep_preparation(&mut self) -> Result<(), RunError> {
        if self.early_end.is_some() || self.options.stop.is_set() || self.journal.preparation().is_some() {
            return Ok(());
        }
        self.journal.write(&Entry::Prepared(self.preparation))
    }

    /// Runs the search to its end, or until it is stopped, and reports it. `notes` are asked for at the end.
    pub fn search<S: Search>(
        mut self,
        search: &mut S,
        workers: &Workers<S::World>,
        notes: &dyn Fn() -> Vec<String>,
        emit: &mut Emit,
    ) -> Result<Report, RunError>
    where
        S::World: Send,
    {
        self.keep_preparation()?;
        let mut progress = Progress { stopped: self.early_end.take(), ..Progress::default() };
        let early = EarlyReductions::default();
        let begun = Instant::now();
        let jobs = self.run_jobs(search, (workers, &early), &mut progress, emit)?;
        progress.search_s = begun.elapsed().as_secs_f64();
        emit(RunEvent::PhaseFinished { phase: Phase::Search, took: begun.elapsed() });

        let begun = Instant::now();
        let cases = Cases { search, jobs: &jobs };
        let mut release = Release::new(groups::groups(cases, &progress));
        self.tell_interim(cases, &progress, &release.findings, emit);
        self.reduce_failures(cases, (workers, &early), &mut progress, &mut release, emit)?;
        self.repeat_on_other_nodes(cases, workers, &mut release);
        progress.reduce_s = begun.elapsed().as_secs_f64();
        emit(RunEvent::PhaseFinished { phase: Phase::Reduce, took: begun.elapsed() });

        progress.stopped = progress.stopped.or_else(|| self.options.stop.reason().map(str::to_string));
        progress.notes.extend(notes());
        progress.notes.extend(progress.note_of_doubts());
        progress.restarts = workers.restarts();
        workers.close();
        let report = self.report(cases, &progress, &release.findings);
        if summary::is_complete(&report) {
            self.journal.write(&Entry::Finished)?;
        }
        emit(RunEvent::Finished { report: Box::new(report.clone()), output: self.folder });
        Ok(report)
    }

    /// All jobs of the search, those included that a stop left undone.
    fn run_jobs<S: Search>(
        &mut self,
        search: &mut S,
        workers: WorkersBeside<'_, S>,
        progress: &mut Progress,
        emit: &mut Emit,
    ) -> Result<Vec<S::Job>, RunError>
    where
        S::World: Send,
    {
        let (mut jobs, mut earlier) = (Vec::new(), self.journal.take_results());
        while progress.stopped.is_none() && !self.options.stop.is_set() {
            let batch = search.next();
            let first = jobs.len();
            if first == 0 {
                emit(RunEvent::PhaseStarted { phase: Phase::Search, total: batch.len() + search.waiting() });
            }
            if batch.is_empty() {
                break;
            }
            match jobs.is_empty() {
                // A large one is not copied.
                true => jobs = batch,
                false => jobs.extend(batch),
            }
            let left: Vec<usize> =
                (first..jobs.len()).filter(|job| !progress.ran.take_from(&mut earlier, *job)).collect();
            let cases = Cases { search: &*search, jobs: &jobs };
            self.run_batch(cases, workers, &left, progress, emit)?;
            self.run_doubted_again(cases, workers, progress, emit)?;
            for (job, ran) in progress.ran.range(first..) {
                let unreadable = |source| RunError::Feedback { journal: self.folder.join(JOURNAL), job: *job, source };
                let learned = ran.feedback.value().and_then(|told| search.learn(&jobs[*job], ran.ending(), &told));
                learned.map_err(unreadable)?;
            }
        }
        Ok(jobs)
    }

    /// Withdraws the verdicts of doubted jobs and runs these again. What is still in doubt after some rounds stays unknown, as does
    /// what a stop leaves behind.
    fn run_doubted_again<S: Search>(
        &mut self,
        cases: Cases<'_, S>,
        workers: WorkersBeside<'_, S>,
        progress: &mut Progress,
        emit: &mut Emit,
    ) -> Result<(), RunError>
    where
        S::World: Send,
    {
        for round in 0..=ROUNDS_OF_DOUBT {
            let doubted: Vec<usize> =
                progress.passed().filter(|job| cases.search.is_doubted(&cases.jobs[*job])).collect();
            for job in &doubted {
                self.withdraw(*job, WITHDRAWN, progress)?;
            }
            progress.doubted += doubted.len();
            if doubted.is_empty() || round == ROUNDS_OF_DOUBT || self.options.stop.is_set() {
                break;
            }
            self.run_batch(cases, workers, &doubted, progress, emit)?;
        }
        Ok(())
    }

    /// The verdict of a job becomes unknown, also for runs that continue this one.
    fn withdraw(&mut self, job: usize, reason: &str, progress: &mut Progress) -> Result<(), RunError> {
        let Some(withdrawn) = progress.ran.withdraw(job, reason) else { return Ok(()) };
        self.journal.write(&Entry::Result(Box::new(withdrawn)))
    }

    fn run_batch<S: Search>(
        &mut self,
        cases: Cases<'_, S>,
        (workers, early): WorkersBeside<'_, S>,
        left: &[usize],
        progress: &mut Progress,
        emit: &mut Emit,
    ) -> Result<(), RunError>
    where
        S::World: Send,
    {
        let Cases { search, jobs } = cases;
        let left = order::longest_of_the_last_first(left, workers.count(), |job| search.length(&jobs[job]));
        let (stop, folder) = (self.options.stop.clone(), self.folder.clone());
        let reducing = Reducing { cases, repeat: Repeat { times: self.options.repeat }, folder: &folder };
        let reduce_early = |world: &mut S::World| {
            let Some((job, failure)) = early.next() else { return Ok(false) };
            // What cannot be read is told when its turn comes.
            if let Ok(reduced) = reducing.failure(world, job, &failure, true)? {
                early.put(job, reduced);
            }
            Ok(true)
        };
        let total = jobs.len() + search.waiting();
        let work = Work {
            run: |world: &mut S::World, job: &usize| diagnosed(search, world, &jobs[*job], &stop),
            doubt: |executed: &crate::Executed<S::Evidence>| match &executed.ending {
                Ending::Unknown(reason) => Some(reason.clone()),
                _ => None,
            },
            pace: |world: &S::World, executed: &crate::Executed<S::Evidence>| {
                // Another browser of this machine would not be faster.
                search.browser(world).node.and_then(|_| executed.usual_ms())
            },
        };
        let searched = workers.run(&left, &stop, (work, &reduce_early), |index, done| {
            let job = left[index];
            let executed = match done {
                Done::Result(executed) => executed,
                Done::Unknown(reason) => crate::Executed::new(Ending::Unknown(reason)),
                // Not all of it was run: a run that continues this one begins with it again.
                Done::Stopped => return Ok(ControlFlow::Continue(())),
            };
            if let Some(evidence) = &executed.evidence {
                search.save(evidence, &failure_folder(&self.folder, job))?;
            }
            let crate::Executed { ending, cause, personal, took_ms, browser, notes, feedback, .. } = executed;
            let feedback = Feedback::from(&feedback);
            let result = JobResult { job, ending, cause, personal, took_ms, browser, notes, feedback };
            self.journal.write(&Entry::Result(Box::new(result.clone())))?;
            tell(cases, &result, emit);
            let is_new = result.cause.as_ref().is_some_and(|cause| progress.causes.insert(cause.name.clone()));
            if let (Ending::Failed(failure), Some(cause)) = (&result.ending, &result.cause) {
                early.offer(job, cause, failure);
            }
            progress.ran.insert(result);
            if is_new {
                self.tell_new_cause(cases, progress, emit)?;
            }
            let ran = progress.ran.len();
            emit(RunEvent::Progress { phase: Phase::Search, done: ran, total });
            if self.options.max_findings.is_some_and(|most| progress.causes.len() >= most) && ran < total {
                progress.stopped = Some("as many root causes were found as --max-findings allows".into());
                return Ok(ControlFlow::Break(()));
            }
            Ok(ControlFlow::Continue(()))
        });
        match searched {
            // What was found before the browser or the application gave up is not lost; that nothing was is reported, too.
            Err(RunError::World(error)) => {
                progress.stopped = Some(error.to_string());
                Ok(())
            }
            other => other,
        }
    }
}

/// Executes a job and, if it fails, finds out why.
fn diagnosed<S: Search>(
    search: &S,
    world: &mut S::World,
    job: &S::Job,
    stop: &StopSignal,
) -> Result<crate::Executed<S::Evidence>, WorldError> {
    let mut executed = search.execute(world, job, stop)?;
    let (Ending::Failed(failure), Some(evidence)) = (&executed.ending, &executed.evidence) else { return Ok(executed) };
    executed.browser = Some(search.browser(world)).filter(|browser| browser.node.is_some());
    let found = match search.diagnose(world, job, evidence, failure) {
        Ok(found) => found,
        // A run that continues this one finds out.
        Err(WorldError::Stopped) => return Ok(executed),
        Err(error) => return Err(error),
    };
    match found {
        Diagnosed::Failure { cause, stable } => {
            executed.cause = Some(cause);
            if let Some((failure, evidence)) = stable {
                (executed.ending, executed.evidence) = (Ending::Failed(failure), Some(evidence));
            }
        }
        Diagnosed::Personal(places) => {
            (executed.ending, executed.evidence, executed.personal) = (Ending::Passed, None, places);
        }
    }
    Ok(executed)
}

/// The folder of a run that has the evidence of failing jobs until they are reduced.
const FAILURES: &str = "failures";

fn failure_folder(run: &Path, job: usize) -> PathBuf {
    run.join(FAILURES).join(job.to_string())
}

fn tell<S: Search>(cases: Cases<'_, S>, ran: &JobResult, emit: &mut Emit) {
    match &ran.ending {
        Ending::Failed(failure) => {
            let (check, summary) = (failure.check.clone(), failure.difference.summary.clone());
            emit(RunEvent::Failed { case: cases.name(ran.job), check, summary });
        }
        Ending::Unknown(reason) => emit(RunEvent::Unknown { case: cases.name(ran.job), reason: reason.clone() }),
        Ending::Passed | Ending::NotApplicable(_) => {}
    }
    ran.notes.iter().for_each(|note| emit(RunEvent::Note(note.clone())));
}

fn run_folder(options: &RunOptions, key: &str, emit: &mut Emit) -> Result<PathBuf, RunError> {
    if options.resume {
        if let Some(run) = runs(&options.out).into_iter().find(|run| can_continue(run, key)) {
            return Ok(run);
        }
        emit(RunEvent::Note(
            "no interrupted run of this very search to resume (same configuration, application and browser): starting a new one"
                .into(),
        ));
    }
    create_run_folder(&options.out)
}
