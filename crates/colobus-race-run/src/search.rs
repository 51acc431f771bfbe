//! [`RaceSearch`]: what the run loop asks of a search for orders of one page's events that do harm.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use colobus_check::{PageCheck, PageFailure};
use colobus_model::{
    BrowserPlace, Case, Counts, Difference, FailedCheck, NotApplicable, Png, Report, SearchKind, Searched,
};
use colobus_race::explore::{Explored, Next, Plan, PlanKey, Reversal, Search as Orders, Settings, Status};
use colobus_race::model::{EventName, Execution};
use colobus_race::recorded::RecordedPage;
use colobus_race::verdict::{Differences, Harm, Judge, Judgement, Label, Outcome, OwnReasons, Shrinker, Shrunk};
use colobus_run::{
    Cause, Diagnosed, Ending, Executed, Failure, FindingTraffic, Reduced, RunError, Search, SeenFailure, StopSignal,
};
use colobus_world::{RacePage, WorldError};
use serde::de::Error as _;
use serde_json::Value;

use crate::confirm::{Confirmed, confirm};
use crate::evidence::{self, RaceEvidence, TimedEvent};
use crate::race::{Prepared, RaceConfig};
use crate::words;

/// The executions of a run, below its folder, so that a run that continues it does not repeat them.
const EXECUTIONS: &str = "executions";

pub(crate) struct RaceSearch {
    name: String,
    /// What `--at` has to name for a finding to be run again.
    origin: String,
    browser: String,
    seed: u64,
    bound: Option<usize>,
    schedules: Option<usize>,
    recorded: Arc<RecordedPage>,
    baseline: Execution,
    judge: Judge,
    filters_off: Vec<String>,
    folder: PathBuf,
    stop: StopSignal,
    handed_out: usize,
    tried_recording: bool,
    state: Arc<Mutex<State>>,
}

/// What the search has learned, told by executions.
struct State {
    orders: Orders,
    /// Harmful orders, for reduction.
    harmful: HashMap<PlanKey, (Explored, Judgement)>,
    told: BTreeSet<PlanKey>,
    /// Filters, by how many orders each made harmless.
    harmless: BTreeMap<String, usize>,
    heap_only: usize,
    uncontrolled: BTreeSet<String>,
    not_as_recorded: BTreeSet<String>,
    /// How events were found to be recorded ones although their names differ.
    inexact: BTreeSet<String>,
    limit_reached: bool,
}

/// What to execute.
pub(crate) enum Job {
    /// The recorded order once more: it must end as it did before.
    Recorded,
    Order(Box<Plan>),
}

/// How far the search came, for the report.
pub(crate) struct Tallies {
    state: Arc<Mutex<State>>,
    filters_off: Vec<String>,
}

impl RaceSearch {
    pub fn new(
        config: &RaceConfig,
        browser: String,
        prepared: Prepared,
        settings: Settings,
        folder: PathBuf,
    ) -> RaceSearch {
        let Prepared { recorded, baseline, notes: _, not_as_recorded } = prepared;
        let state = State {
            orders: Orders::new(baseline.clone(), settings),
            harmful: HashMap::new(),
            told: BTreeSet::new(),
            harmless: BTreeMap::new(),
            heap_only: 0,
            uncontrolled: baseline.notes.iter().cloned().collect(),
            not_as_recorded: not_as_recorded.into_iter().collect(),
            inexact: baseline.inexact.iter().cloned().collect(),
            limit_reached: false,
        };
        RaceSearch {
            name: config.url.clone(),
            origin: config.origin.clone(),
            browser,
            seed: config.seed,
            bound: config.bound,
            schedules: config.schedules,
            recorded,
            baseline,
            judge: judge_of(config),
            filters_off: config.filters_off.clone(),
            folder,
            stop: config.options.stop.clone(),
            handed_out: 0,
            tried_recording: false,
            state: Arc::new(Mutex::new(state)),
        }
    }

    pub fn introduction(&self) -> String {
        let tally = self.state().orders.tally();
        let (events, steps) = (self.baseline.ran.len(), self.recorded.steps.len());
        format!("recorded {events} events, {steps} of them by the user; {} pairs conflict", tally.conflicts)
    }

    pub fn tallies(&self) -> Tallies {
        Tallies { state: self.state.clone(), filters_off: self.filters_off.clone() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reduction of many steps takes long: it ends with the run.
    fn go_on(&self) -> Result<(), WorldError> {
        if self.stop.is_set() { Err(WorldError::Stopped) } else { Ok(()) }
    }

    fn execution_file(&self, key: PlanKey) -> PathBuf {
        self.folder.join(EXECUTIONS).join(format!("{key}.json"))
    }

    /// What a plan came to. One plan is out at a time: it is settled at once.
    fn tell(&self, plan: &Plan, execution: Result<Execution, String>) -> Option<(Explored, Judgement)> {
        let mut state = self.state();
        if !state.told.insert(plan.key) {
            return None;
        }
        if let Ok(execution) = &execution {
            state.uncontrolled.extend(execution.notes.iter().cloned());
            state.inexact.extend(execution.inexact.iter().cloned());
        }
        let explored = state.orders.tell(plan.key, execution).into_iter().find(|it| it.plan.key == plan.key)?;
        let judgement = self.judge.judge_explored(&explored)?;
        match &judgement.outcome {
            Outcome::Harmless => {
                let why = judgement.labels.first().map_or_else(String::new, |label| self.why_harmless(label));
                *state.harmless.entry(why).or_insert(0) += 1;
            }
            Outcome::HeapOnly => state.heap_only += 1,
            Outcome::Harmful(_) => {
                state.harmful.insert(plan.key, (explored.clone(), judgement.clone()));
            }
            Outcome::Apart | Outcome::Diverged(_) => {}
        }
        Some((explored, judgement))
    }

    /// A filter with its reason. The user's own reasons are in the explanation.
    fn why_harmless(&self, label: &Label) -> String {
        let filter = self.judge.filters().find(|filter| filter.name() == label.filter);
        let reason = filter.filter(|filter| filter.name() != OwnReasons::NAME).map(|filter| filter.reason());
        format!("{} ({})", label.filter, reason.unwrap_or(&label.explanation))
    }

    /// A step that the user could not do in this order, although they could in the other.
    fn impossible_step(explored: &Explored, execution: &Execution) -> Option<EventName> {
        let is_step =
            |name: &&EventName| explored.parent.ran.iter().any(|ran| ran.event.is_step() && ran.event.name == **name);
        execution.skipped.iter().find(is_step).cloned()
    }

    fn ending(&self, told: Option<(Explored, Judgement)>, notes: &mut Vec<String>) -> Ending {
        let Some((explored, judgement)) = told else { return Ending::Passed };
        let (Status::New { execution, .. }, Some(reversal)) = (&explored.status, explored.plan.reversals.last()) else {
            return Ending::Passed;
        };
        let pair = format!("{} before {}", reversal.second, reversal.first);
        if let Some(step) = Self::impossible_step(&explored, execution) {
            let reason = "the user could not do it any more in this order".to_string();
            return Ending::NotApplicable(NotApplicable { action: step.to_string(), step: None, reason, threw: false });
        }
        match &judgement.outcome {
            Outcome::Harmful(harms) => Ending::Failed(failure(harms, &judgement.differences)),
            Outcome::Apart => {
                let label = judgement.labels.first();
                let why = label.map(|label| format!("{}: {}", label.filter, label.explanation)).unwrap_or_default();
                notes.push(format!("reported apart: {pair}: {} ({why})", words::summary(&judgement.differences)));
                Ending::Passed
            }
            Outcome::Diverged(event) => {
                notes.push(format!("{pair}: {event} did something else before anything was turned round"));
                Ending::Passed
            }
            Outcome::Harmless | Outcome::HeapOnly => Ending::Passed,
        }
    }

    fn execute_order(&self, page: &mut dyn RacePage, plan: &Plan) -> Result<Executed<RaceEvidence>, WorldError> {
        let begun = Instant::now();
        let execution = page.run(&self.recorded, &plan.order)?;
        let took_ms = vec![begun.elapsed().as_secs_f64() * 1000.0];
        let picture = page.picture();
        self.keep(plan.key, &execution)?;
        let mut notes = Vec::new();
        let told = self.tell(plan, Ok(execution));
        let ending = self.ending(told, &mut notes);
        let evidence = match &ending {
            Ending::Failed(_) => self.evidence(plan.key, picture),
            _ => None,
        };
        Ok(Executed { evidence, took_ms, notes, ..Executed::new(ending) })
    }

    /// Writes an execution for a run that continues this one.
    fn keep(&self, key: PlanKey, execution: &Execution) -> Result<(), WorldError> {
        let path = self.execution_file(key);
        let cannot = |why: &dyn Display| WorldError::CannotRun(format!("cannot write {}: {why}", path.display()));
        let text = serde_json::to_vec(execution).map_err(|error| cannot(&error))?;
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| cannot(&error))?;
        fs::write(&path, text).map_err(|error| cannot(&error))
    }

    /// What a harmful order showed, before it is reduced.
    fn evidence(&self, key: PlanKey, picture: Option<Png>) -> Option<RaceEvidence> {
        let state = self.state();
        let (explored, judgement) = state.harmful.get(&key)?;
        let (reversal, needed) = explored.plan.reversals.split_last()?;
        Some(RaceEvidence {
            working: explored.parent_order.clone(),
            failing: explored.plan.order.clone(),
            reversal: reversal.clone(),
            before: needed.len(),
            harms: harms_of(judgement),
            differences: judgement.differences.clone(),
            left_out: Vec::new(),
            by_hand: "not tried".to_string(),
            confirmed: false,
            recorded: (*self.recorded).clone(),
            ran: Default::default(),
            pictures: (picture, None),
        })
    }

    fn shrink(
        &self,
        page: &mut dyn RacePage,
        explored: &Explored,
        harms: &[Harm],
    ) -> Result<Option<Shrunk>, WorldError> {
        let Some(mut shrinker) = Shrinker::new(&self.baseline, explored) else { return Ok(None) };
        let Some(reversal) = explored.plan.reversals.last() else { return Ok(None) };
        while let Some(candidate) = shrinker.candidate() {
            self.go_on()?;
            let working = page.run(&self.recorded, &candidate.working)?;
            let failing = page.run(&self.recorded, &candidate.failing)?;
            // Without a step the page may ask for something else: then it is another pair, which was not reversed.
            let followed = follows(&working, explored, reversal) && follows(&failing, explored, reversal);
            let outcome = self.judge.judge(&working, &failing, reversal).outcome;
            let still = matches!(outcome, Outcome::Harmful(found) if harms.iter().any(|harm| found.contains(harm)));
            shrinker.answer(still && followed);
        }
        Ok(Some(shrinker.finish()))
    }
}

/// Whether an execution has the pair of a reversal, as far as the order that failed first had it, and needed nothing that
/// was not recorded.
fn follows(execution: &Execution, explored: &Explored, reversal: &Reversal) -> bool {
    let Status::New { execution: first, .. } = &explored.status else { return false };
    let has = |execution: &Execution, name: &EventName| execution.ran.iter().any(|ran| ran.event.name == *name);
    let pair = [&reversal.first, &reversal.second];
    let asks_no_more = execution.notes.iter().all(|note| first.notes.contains(note));
    asks_no_more && pair.into_iter().all(|name| has(execution, name) || !has(first, name))
}

/// All filters but those that are switched off, and the user's own reasons.
fn judge_of(config: &RaceConfig) -> Judge {
    let judge = config.filters_off.iter().fold(Judge::default(), |judge, name| judge.without(name));
    if config.harmless.is_empty() { judge } else { judge.with(Box::new(OwnReasons(config.harmless.clone()))) }
}

fn harms_of(judgement: &Judgement) -> Vec<Harm> {
    match &judgement.outcome {
        Outcome::Harmful(harms) => harms.clone(),
        _ => Vec::new(),
    }
}

fn failure(harms: &[Harm], differences: &Differences) -> Failure {
    let check = harms.iter().copied().map(words::check).min().unwrap_or(PageCheck::RacePage);
    let FailedCheck { check, difference } = PageFailure::new(check, words::summary(differences)).failed_check();
    Failure::of(check, difference)
}

impl Search for RaceSearch {
    type World = dyn RacePage;
    type Job = Job;
    type Evidence = RaceEvidence;

    const EVIDENCE_FILE: &'static str = evidence::FILE;

    /// One at a time: each execution decides which orders come next.
    fn next(&mut self) -> Vec<Job> {
        if !std::mem::replace(&mut self.tried_recording, true) {
            return vec![Job::Recorded];
        }
        if self.schedules.is_some_and(|most| self.handed_out >= most) {
            self.state().limit_reached = true;
            return Vec::new();
        }
        let next = self.state().orders.next_plan();
        match next {
            Next::Run(plan) => {
                self.handed_out += 1;
                vec![Job::Order(Box::new(plan))]
            }
            Next::Wait | Next::Finished => Vec::new(),
        }
    }

    fn waiting(&self) -> usize {
        0
    }

    fn case(&self, job: &Job) -> Case {
        match job {
            Job::Recorded => Case::Order { first: "as recorded".into(), second: String::new(), reversals: 0 },
            Job::Order(plan) => {
                let last = plan.reversals.last();
                let name = |of: fn(&colobus_race::explore::Reversal) -> &EventName| {
                    last.map(|reversal| of(reversal).to_string()).unwrap_or_default()
                };
                let (first, second) = (name(|reversal| &reversal.second), name(|reversal| &reversal.first));
                Case::Order { first, second, reversals: plan.depth() }
            }
        }
    }

    fn execute(&self, page: &mut Self::World, job: &Job, _: &StopSignal) -> Result<Executed<RaceEvidence>, WorldError> {
        let plan = match job {
            Job::Order(plan) => plan,
            Job::Recorded => {
                let begun = Instant::now();
                let again = page.run(&self.recorded, &self.recorded.execution.order())?;
                let differences = Differences::between(&self.baseline.outcome, &again.outcome);
                let ending = if differences.harms().is_empty() {
                    Ending::Passed
                } else {
                    let what = words::summary(&differences);
                    let reason = format!("the recorded order does not end the same way every time: {what}");
                    self.state().not_as_recorded.insert(reason.clone());
                    Ending::Unknown(reason)
                };
                let took_ms = vec![begun.elapsed().as_secs_f64() * 1000.0];
                return Ok(Executed { took_ms, ..Executed::new(ending) });
            }
        };
        self.execute_order(page, plan)
    }

    /// Results that an earlier run had are told again; others were told when they came. An execution that cannot be read is an error: what
    /// it leads to would be left out without a word.
    fn learn(&mut self, job: &Job, ending: &Ending, _: &Value) -> Result<(), serde_json::Error> {
        let Job::Order(plan) = job else { return Ok(()) };
        if self.state().told.contains(&plan.key) {
            return Ok(());
        }
        let execution = match ending {
            Ending::Unknown(reason) => Err(reason.clone()),
            _ => {
                let path = self.execution_file(plan.key);
                let unreadable =
                    |why: &dyn Display| serde_json::Error::custom(format!("{} is damaged: {why}", path.display()));
                let text = fs::read_to_string(&path).map_err(|error| unreadable(&error))?;
                Ok(serde_json::from_str(&text).map_err(|error| unreadable(&error))?)
            }
        };
        self.tell(plan, execution);
        Ok(())
    }

    fn is_doubted(&self, _: &Job) -> bool {
        false
    }

    /// The two positions in the source whose order matters.
    fn diagnose(
        &self,
        _: &mut Self::World,
        job: &Job,
        _: &RaceEvidence,
        _: &Failure,
    ) -> Result<Diagnosed<RaceEvidence>, WorldError> {
        let Job::Order(plan) = job else {
            return Ok(Diagnosed::as_seen(Cause { name: "as recorded".into(), size: 0 }));
        };
        let name = plan.reversals.last().map(|reversal| colobus_race::verdict::SourcePair::of(reversal).to_string());
        Ok(Diagnosed::as_seen(Cause { name: name.unwrap_or_default(), size: plan.depth() }))
    }

    /// The same two positions: one pair of orders shows it.
    fn explains(&self, _: &Job, _: &Job, _: &Failure) -> bool {
        true
    }

    fn reduce(
        &self,
        page: &mut Self::World,
        job: &Job,
        seen: SeenFailure<RaceEvidence>,
    ) -> Result<Reduced<RaceEvidence>, WorldError> {
        // One failure explains all others of its cause: another is seen only where the first did not come back.
        let SeenFailure { mut evidence, failure, repeat, .. } = seen;
        let Job::Order(plan) = job else {
            return Err(WorldError::Interrupted("the recorded order has nothing to reduce".to_string()));
        };
        let known = self.state().harmful.get(&plan.key).cloned();
        if let Some((explored, judgement)) = known
            && let Some(shrunk) = self.shrink(page, &explored, &harms_of(&judgement))?
        {
            evidence.working = shrunk.orders.working;
            evidence.failing = shrunk.orders.failing;
            evidence.before = shrunk.reversals.len().saturating_sub(1);
            evidence.left_out = shrunk.left_out;
        }
        let working = page.run(&self.recorded, &evidence.working)?;
        evidence.pictures.1 = page.picture();
        let mut last = None;
        let reproduced = repeat.count(|| {
            self.go_on()?;
            let failing = page.run(&self.recorded, &evidence.failing)?;
            let differences = Differences::between(&working.outcome, &failing.outcome);
            // What the reduced order shows is known when it has run once: what comes back has to be the same.
            let comes_back = match &last {
                None => differences.harms().iter().any(|harm| evidence.harms.contains(harm)),
                Some(_) => evidence.differences.shares(&differences, &evidence.harms),
            };
            if comes_back {
                evidence.differences = differences;
                evidence.pictures.0 = page.picture();
                last = Some(failing);
            }
            Ok(comes_back)
        })?;
        if let Some(failing) = &last {
            evidence.ran = (TimedEvent::of(&working), TimedEvent::of(failing));
            let shown = (evidence.harms.as_slice(), &evidence.differences);
            let Confirmed { by_hand, confirmed } =
                confirm(page, &self.recorded, (&working, failing), &evidence.left_out, shown)?;
            (evidence.by_hand, evidence.confirmed) = (by_hand, confirmed);
        }
        let difference = Difference { kind: failure.difference.kind, summary: words::summary(&evidence.differences) };
        let failure = Failure { difference, ..failure.clone() };
        Ok(Reduced { searched: self.searched(job, &evidence), evidence, failure, reproduced })
    }

    /// The recorded answers are the traffic of every finding, reduced or not: `colobus race` writes them when the search is over.
    fn record(&self, _: &mut Self::World, _: &Job, _: &Reduced<RaceEvidence>) -> Result<FindingTraffic, WorldError> {
        Ok(FindingTraffic::NotHere)
    }

    fn comes_back(
        &self,
        page: &mut Self::World,
        _: &Job,
        evidence: &RaceEvidence,
        _: &Failure,
    ) -> Result<bool, WorldError> {
        let working = page.run(&self.recorded, &evidence.working)?;
        let failing = page.run(&self.recorded, &evidence.failing)?;
        let differences = Differences::between(&working.outcome, &failing.outcome);
        Ok(evidence.differences.shares(&differences, &evidence.harms))
    }

    fn browser(&self, page: &Self::World) -> BrowserPlace {
        page.browser()
    }

    fn searched(&self, _: &Job, evidence: &RaceEvidence) -> Searched {
        Searched::Order(Box::new(evidence.searched()))
    }

    fn save(&self, evidence: &RaceEvidence, folder: &Path) -> Result<(), RunError> {
        evidence.save(folder)
    }

    fn restore(&self, _: &Job, folder: &Path) -> Result<RaceEvidence, RunError> {
        RaceEvidence::read(folder).map_err(|problem| RunError::Read {
            path: folder.to_path_buf(),
            source: std::io::Error::new(std::io::ErrorKind::InvalidData, problem),
        })
    }

    fn report(&self) -> Report {
        let state = self.state();
        let is_idle = self.recorded.steps.is_empty() && state.orders.tally().conflicts == 0;
        let idle = format!(
            "the user did nothing on {}, and no two of its events conflict. Is it the page that users see? `--recording FILE` says what they do",
            self.name
        );
        Report {
            search: SearchKind::Orders,
            application: self.name.clone(),
            configuration: self.origin.clone(),
            nothing_to_do: is_idle.then_some(idle),
            not_as_recorded: state.not_as_recorded.iter().cloned().collect(),
            explored: Some(state.explored(self.bound)),
            browser: self.browser.clone(),
            seed: self.seed,
            clients: 1,
            depth: self.bound.unwrap_or_default(),
            actions: self.baseline.ran.iter().map(|ran| ran.event.name.to_string()).collect(),
            counts: Counts { potential_conflicts: state.orders.tally().conflicts, ..Counts::default() },
            ..Report::default()
        }
    }
}

impl State {
    /// How far was searched, as a sentence.
    fn explored(&self, bound: Option<usize>) -> String {
        let within = self.orders.explored_within();
        let far = match within {
            None => "fully explored: every order that matters was executed".to_string(),
            Some(within) if bound.is_some_and(|bound| within >= bound) => {
                format!("fully explored up to {}", reversals(within))
            }
            Some(within) => format!("explored up to {}, and further in part", reversals(within)),
        };
        match self.uncontrolled.len() {
            0 => far,
            1 => format!("{far}, as far as the page is controlled (see the note)"),
            _ => format!("{far}, as far as the page is controlled (see the notes)"),
        }
    }
}

fn reversals(count: usize) -> String {
    if count == 1 { "1 reversal".to_string() } else { format!("{count} reversals") }
}

impl Tallies {
    /// What the report says at its end.
    pub fn notes(&self) -> Vec<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let tally = state.orders.tally();
        let mut notes = vec![format!(
            "{} orders executed, {} known to be equivalent, {} impossible by the delays of timers",
            tally.orders, tally.equivalent, tally.infeasible
        )];
        notes.extend(state.harmless.iter().map(|(filter, count)| format!("{count} harmless: {filter}")));
        if !self.filters_off.is_empty() {
            notes.push(format!("filters that are switched off: {}", self.filters_off.join(", ")));
        }
        if state.heap_only > 0 {
            notes.push(format!("{} differ in values of variables only", state.heap_only));
        }
        if state.limit_reached {
            notes.push("the search ended because --schedules were executed".to_string());
        }
        notes.extend(state.uncontrolled.iter().map(|note| format!("not controlled: {note}")));
        if !state.inexact.is_empty() {
            let matched = words::list(state.inexact.iter().cloned().collect());
            notes.push(format!("events that are called otherwise than in the recording: {matched}"));
        }
        notes
    }
}
