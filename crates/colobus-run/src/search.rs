//! [`Search`]: what to execute next, and what a result means. Implemented by everything that looks for failures (concurrent
//! actions, human errors, …), consumed by the run loop, [`Run`](crate::Run), which owns the rest: workers, journal, resume,
//! grouping, repetition, events and reports.

use std::path::Path;

use colobus_model::{
    BrowserPlace, Case, CheckId, Difference, FailedCheck, NotApplicable, PersonalPlace, Report, Searched,
};
use colobus_world::WorldError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use colobus_check::Judgement;

use crate::{RunError, StopSignal};

/// A search, as the run loop drives it.
///
/// The loop asks for jobs with [`next`](Search::next), executes them on as many workers as there are, hands the results
/// back with [`learn`](Search::learn) in the order of the jobs, and asks again. A search that depends on nothing but these
/// results gives the same jobs whatever the number of workers, and after a resume, where results come from the journal.
///
/// ```
/// use std::path::Path;
/// use colobus_model::{
///     BrowserPlace, Case, CheckId, Difference, DifferenceKind, FailingSession, Plan, PlannedSearch, Report, Searched,
/// };
/// use colobus_run::{
///     Cause, Diagnosed, Ending, Executed, Failure, FindingTraffic, Reduced, Run, RunError, RunOptions, Search, SeenFailure,
///     StopSignal, Workers,
/// };
/// use colobus_world::WorldError;
/// use serde_json::Value;
///
/// /// Which numbers below four a machine takes for odd.
/// struct Odd {
///     tried: bool,
/// }
///
/// impl Search for Odd {
///     type World = fn(u32) -> bool;
///     type Job = u32;
///     type Evidence = u32;
///     const EVIDENCE_FILE: &'static str = "number.txt";
///
///     fn next(&mut self) -> Vec<u32> {
///         if std::mem::replace(&mut self.tried, true) { Vec::new() } else { (0..4).collect() }
///     }
///     fn waiting(&self) -> usize {
///         if self.tried { 0 } else { 4 }
///     }
///     fn case(&self, number: &u32) -> Case {
///         Case::Session { mistake: format!("ask for {number}") }
///     }
///     fn execute(&self, machine: &mut fn(u32) -> bool, number: &u32, _: &StopSignal) -> Result<Executed<u32>, WorldError> {
///         if machine(*number) == (number % 2 == 1) {
///             return Ok(Executed::new(Ending::Passed));
///         }
///         let difference = Difference { kind: DifferenceKind::State, summary: "it is wrong".into() };
///         Ok(Executed::failed(Failure::of(CheckId::new("odd"), difference), *number))
///     }
///     fn learn(&mut self, _: &u32, _: &Ending, _: &Value) -> Result<(), serde_json::Error> {
///         Ok(())
///     }
///     fn is_doubted(&self, _: &u32) -> bool {
///         false
///     }
///     fn diagnose(&self, _: &mut fn(u32) -> bool, number: &u32, _: &u32, failure: &Failure) -> Result<Diagnosed<u32>, WorldError> {
///         Ok(Diagnosed::as_seen(Cause { name: failure.check.to_string(), size: *number as usize }))
///     }
///     fn explains(&self, found: &u32, number: &u32, _: &Failure) -> bool {
///         found < number
///     }
///     fn reduce(&self, machine: &mut fn(u32) -> bool, number: &u32, seen: SeenFailure<u32>) -> Result<Reduced<u32>, WorldError> {
///         let times = seen.repeat.count(|| Ok(machine(*number) != (number % 2 == 1)))?;
///         let searched = self.searched(number, number);
///         Ok(Reduced { searched, evidence: *number, failure: seen.failure.clone(), reproduced: times })
///     }
///     fn record(&self, _: &mut fn(u32) -> bool, _: &u32, _: &Reduced<u32>) -> Result<FindingTraffic, WorldError> {
///         // Asking a machine sends nothing.
///         Ok(FindingTraffic::NotHere)
///     }
///     fn comes_back(&self, machine: &mut fn(u32) -> bool, _: &u32, number: &u32, _: &Failure) -> Result<bool, WorldError> {
///         Ok(machine(*number) != (number % 2 == 1))
///     }
///     fn browser(&self, _: &fn(u32) -> bool) -> BrowserPlace {
///         BrowserPlace::here("a machine")
///     }
///     fn searched(&self, number: &u32, _: &u32) -> Searched {
///         Searched::Session(FailingSession { mistake: format!("ask for {number}"), script: Vec::new() })
///     }
///     fn save(&self, evidence: &u32, folder: &Path) -> Result<(), RunError> {
///         std::fs::create_dir_all(folder)
///             .and_then(|()| std::fs::write(folder.join(Self::EVIDENCE_FILE), evidence.to_string()))
///             .map_err(|source| RunError::Write { path: folder.into(), source })
///     }
///     fn restore(&self, number: &u32, _: &Path) -> Result<u32, RunError> {
///         Ok(*number)
///     }
///     fn report(&self) -> Report {
///         Report { application: "a machine".into(), ..Report::default() }
///     }
/// }
///
/// # fn main() -> Result<(), RunError> {
/// # let out = tempfile::tempdir().unwrap();
/// let options = RunOptions::new(out.path());
/// let (application, configuration) = ("a machine".to_string(), String::new());
/// let plan = Plan { application, configuration, workers: 1, seed: 0, search: PlannedSearch::Mistakes };
/// let mut tell = |_event| {};
/// let run = Run::start(options, "odd", plan, &mut tell)?;
/// // It takes everything but zero for odd, so 2 as well.
/// let open = || Ok(Box::new((|number| number >= 1) as fn(u32) -> bool));
/// let report = run.search(&mut Odd { tried: false }, &Workers::new(&open, 1), &Vec::new, &mut tell)?;
/// assert_eq!((report.counts.interactions.judged, report.counts.failures), (4, 1));
/// assert_eq!(report.findings[0].case().to_string(), "ask for 2");
/// # Ok(())
/// # }
/// ```
pub trait Search: Sync {
    /// What jobs are executed in: `dyn World`, `dyn Stage`.
    type World: ?Sized;
    /// One thing to execute.
    type Job: Send + Sync;
    /// What a failure showed, complete enough to run it again.
    type Evidence: Send;

    /// The file of a finding's folder that runs it again.
    const EVIDENCE_FILE: &'static str;

    /// The next jobs, which may run side by side; none when the search is over.
    fn next(&mut self) -> Vec<Self::Job>;

    /// How many jobs are known that were not asked for yet: they are part of the plan.
    fn waiting(&self) -> usize;

    /// How events and reports name a job.
    fn case(&self, job: &Self::Job) -> Case;

    /// How long a job takes, in any unit; zero if that is not known. The longest of the last jobs are handed out first, so that no worker
    /// waits for another at the end.
    fn length(&self, _job: &Self::Job) -> usize {
        0
    }

    /// Executes a job until it is decided. Ends with [`WorldError::Stopped`] if the signal is set before.
    fn execute(
        &self,
        world: &mut Self::World,
        job: &Self::Job,
        stop: &StopSignal,
    ) -> Result<Executed<Self::Evidence>, WorldError>;

    /// A result, in the order of jobs: how the job ended, and what else its execution told ([`Executed::feedback`]). Comes from the
    /// journal after a resume; an error says that the feedback is not what [`execute`](Search::execute) wrote.
    fn learn(&mut self, job: &Self::Job, ending: &Ending, feedback: &Value) -> Result<(), serde_json::Error>;

    /// Whether a job that passed has to be run again, because of what later jobs showed: its verdict is withdrawn.
    fn is_doubted(&self, job: &Self::Job) -> bool;

    /// Why a job failed, right after it did. It may run it again in other ways, and replace what was seen by something that
    /// comes back more surely.
    fn diagnose(
        &self,
        world: &mut Self::World,
        job: &Self::Job,
        evidence: &Self::Evidence,
        failure: &Failure,
    ) -> Result<Diagnosed<Self::Evidence>, WorldError>;

    /// Whether the failure of one job, `found`, makes it needless to run another of the same cause again.
    fn explains(&self, found: &Self::Job, job: &Self::Job, failure: &Failure) -> bool;

    /// The smallest thing that fails in the same way, and how often it comes back.
    fn reduce(
        &self,
        world: &mut Self::World,
        job: &Self::Job,
        seen: SeenFailure<Self::Evidence>,
    ) -> Result<Reduced<Self::Evidence>, WorldError>;

    /// Executes a finding once more while its traffic is recorded.
    fn record(
        &self,
        world: &mut Self::World,
        job: &Self::Job,
        finding: &Reduced<Self::Evidence>,
    ) -> Result<FindingTraffic, WorldError>;

    /// Executes a finding once more: whether it fails in the same way.
    fn comes_back(
        &self,
        world: &mut Self::World,
        job: &Self::Job,
        evidence: &Self::Evidence,
        failure: &Failure,
    ) -> Result<bool, WorldError>;

    /// The browser of a world.
    fn browser(&self, world: &Self::World) -> BrowserPlace;

    /// What was searched, as a failure shows it before it is reduced.
    fn searched(&self, job: &Self::Job, evidence: &Self::Evidence) -> Searched;

    /// Writes evidence into a folder of its own.
    fn save(&self, evidence: &Self::Evidence, folder: &Path) -> Result<(), RunError>;

    /// Reads what [`save`](Search::save) wrote for the failure of this job.
    fn restore(&self, job: &Self::Job, folder: &Path) -> Result<Self::Evidence, RunError>;

    /// What the report says beyond what the loop knows: application, actions, what was prepared.
    fn report(&self) -> Report;
}

/// How a job ends: exactly one of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    Passed,
    Failed(Failure),
    /// It cannot be done.
    NotApplicable(NotApplicable),
    /// Nothing can be said, and why.
    Unknown(String),
}

/// What failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    pub check: CheckId,
    pub difference: Difference,
    /// The other checks that failed, the worst first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FailedCheck>,
}

impl Failure {
    /// Of one check alone.
    pub fn of(check: CheckId, difference: Difference) -> Failure {
        Failure { check, difference, also: Vec::new() }
    }

    /// What a judgement says, if it is a failure.
    pub fn judged(judgement: &Judgement) -> Option<Failure> {
        match judgement.clone() {
            Judgement::Fail { check, difference, also } => Some(Failure { check, difference, also }),
            _ => None,
        }
    }

    /// What is left of it without these checks; `None` if nothing is.
    pub fn without(self, left_out: impl Fn(&CheckId) -> bool) -> Option<Failure> {
        let Failure { check, difference, also } = self;
        let all = std::iter::once(FailedCheck { check, difference }).chain(also);
        let mut kept = all.filter(|failed| !left_out(&failed.check));
        let FailedCheck { check, difference } = kept.next()?;
        Some(Failure { check, difference, also: kept.collect() })
    }

    /// All checks that failed, the worst first.
    pub fn checks(&self) -> impl Iterator<Item = &CheckId> {
        std::iter::once(&self.check).chain(self.also.iter().map(|failed| &failed.check))
    }
}

/// What came of a job.
#[derive(Clone, Debug)]
pub struct Executed<E> {
    pub ending: Ending,
    /// Of a failure.
    pub evidence: Option<E>,
    /// Of a failure; `None` if the run had to end before it was known.
    pub cause: Option<Cause>,
    /// Where clients differ by design.
    pub personal: Vec<PersonalPlace>,
    /// Milliseconds of each of its executions.
    pub took_ms: Vec<f64>,
    /// Of a failure: the browser that showed it. The run loop fills it in.
    pub browser: Option<BrowserPlace>,
    /// What the user should know of it.
    pub notes: Vec<String>,
    /// What the search itself wants to know of it; kept in the journal. Null if it was not executed to its end.
    pub feedback: Value,
}

/// What an execution tells its search, for [`Executed::feedback`].
pub fn feedback_of(told: &impl Serialize) -> Result<Value, WorldError> {
    let refused =
        |source| WorldError::CannotRun(format!("what was executed cannot be journaled: {source}; please report this"));
    serde_json::to_value(told).map_err(refused)
}

impl<E> Executed<E> {
    /// How long half of its executions took at most.
    pub(crate) fn usual_ms(&self) -> Option<f64> {
        let mut took_ms = self.took_ms.clone();
        took_ms.sort_by(f64::total_cmp);
        took_ms.get(took_ms.len() / 2).copied()
    }

    pub fn new(ending: Ending) -> Executed<E> {
        let (took_ms, notes, feedback) = (Vec::new(), Vec::new(), Value::Null);
        let (evidence, cause, browser, personal) = (None, None, None, Vec::new());
        Executed { ending, evidence, cause, personal, took_ms, browser, notes, feedback }
    }

    pub fn failed(failure: Failure, evidence: E) -> Executed<E> {
        Executed { evidence: Some(evidence), ..Executed::new(Ending::Failed(failure)) }
    }
}

/// Failures whose causes have the same name look like one bug; the smallest of them is reduced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// In words that are the same in every run and on every machine.
    pub name: String,
    pub size: usize,
}

/// Why a job failed.
#[derive(Clone, Debug)]
pub enum Diagnosed<E> {
    Failure {
        cause: Cause,
        /// A failure of the same job that comes back more surely than the one that was seen.
        stable: Option<(Failure, E)>,
    },
    /// It did not: clients differ in these places by design.
    Personal(Vec<PersonalPlace>),
}

impl<E> Diagnosed<E> {
    /// The failure stays as it was seen.
    pub fn as_seen(cause: Cause) -> Diagnosed<E> {
        Diagnosed::Failure { cause, stable: None }
    }
}

/// A failure as the search saw it, to be reduced and run again.
#[derive(Clone, Debug)]
pub struct SeenFailure<'a, E> {
    pub evidence: E,
    pub failure: &'a Failure,
    pub repeat: Repeat,
    /// Whether it is the first of its cause. Of the others it is enough to say how often they come back.
    pub leads: bool,
}

/// A failure, reduced and run again.
#[derive(Clone, Debug)]
pub struct Reduced<E> {
    pub searched: Searched,
    pub evidence: E,
    /// What fails in it.
    pub failure: Failure,
    /// How often it came back.
    pub reproduced: usize,
}

/// What an execution of a finding that records its traffic comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingTraffic {
    /// It failed as the finding says: the text of a HAR file, without secrets.
    Har(String),
    /// It did not fail in the same way: its traffic is not that of the finding.
    NotReproduced,
    /// The search itself records nothing; its command does when the search is over.
    NotHere,
}

/// How often a finding is run again.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    pub times: usize,
}

/// How often failures are run again whose cause has a finding already.
const FURTHER: usize = 3;

impl Repeat {
    /// For failures whose cause has a finding already.
    pub(crate) fn further(self) -> Repeat {
        Repeat { times: self.times.min(FURTHER) }
    }

    /// How often the execution fails.
    pub fn count(&self, mut fails: impl FnMut() -> Result<bool, WorldError>) -> Result<usize, WorldError> {
        let mut count = 0;
        for _ in 0..self.times {
            count += usize::from(fails()?);
        }
        Ok(count)
    }
}
