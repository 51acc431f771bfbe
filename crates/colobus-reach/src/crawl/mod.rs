//! [`crawl`]: the states of a user interface and the summaries of its handlers, found together. Every event of every
//! state is run; what a run shows in the end is a state, too. The search builds its sequences from the result.

mod again;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use colobus_solver::Solver;

use crate::concolic::{Bounds, Handler, HandlerError, Run, SummariseError, summarise};
use crate::line::Line;
use crate::relevance::{fold_constants, keep_relevant, unify_kinds};
use crate::summary::{START, Summary};
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::Expr;
use crate::symbolic::value::Value;
use crate::ui::{Registration, UiModel};

/// Something that a user can do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offered {
    /// Its name in the model.
    pub event: Arc<str>,
    /// The kind of event: click, fill.
    pub kind: String,
    /// How the element is found.
    pub element: String,
    /// Whether its handler can be run.
    pub is_followed: bool,
    /// Whether it comes by itself before a user does anything: an answer of a server.
    pub is_due: bool,
}

/// An event in a state that is set before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// The event.
    pub event: Arc<str>,
    /// Values of state and parameters; what is not given stays.
    pub before: Assignment,
}

/// What a run did and what can be done after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visited {
    /// What it did.
    pub run: Run,
    /// Where its handler stands.
    pub handler: Option<Line>,
    /// First values of variables that are not known from opening the page.
    pub initial: BTreeMap<Arc<str>, Value>,
    /// What can be done then.
    pub offers: Vec<Offered>,
}

/// A throw-away page in which handlers run concolically.
pub trait InstrumentedPage {
    /// Open the page afresh. The run writes the first value of every variable.
    fn open(&mut self) -> Result<Visited, HandlerError>;

    /// Open the page afresh, perform the way, then the last move, and tell of that one.
    fn perform(&mut self, way: &[Move], last: &Move) -> Result<Visited, HandlerError>;
}

/// How far crawling goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrawlLimits {
    /// States whose events are run.
    pub states: usize,
    /// Events of one state that are run.
    pub events: usize,
    /// Runs of handlers in all. Work bounds crawling, not time: what is found does not depend on how busy the machine is.
    pub runs: usize,
    /// How much is done for each handler.
    pub handler: Bounds,
}

impl Default for CrawlLimits {
    fn default() -> Self {
        CrawlLimits { states: 40, events: 60, runs: 400, handler: Bounds { paths: 40, runs: 64, combinations: 4 } }
    }
}

/// What is known of an application.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crawled {
    /// Which event leads where.
    pub model: UiModel,
    /// What handlers do.
    pub summaries: Vec<Summary>,
    /// Where both may be wrong or incomplete.
    pub reasons: Vec<String>,
    /// Runs of handlers.
    pub runs: usize,
    /// Questions to the solver.
    pub queries: usize,
}

/// Crawl an application. `is_late` says when time is up.
pub fn crawl(
    page: &mut dyn InstrumentedPage,
    limits: CrawlLimits,
    solver: &mut dyn Solver,
    is_late: &mut dyn FnMut() -> bool,
) -> Result<Crawled, SummariseError> {
    let opened = page.open()?;
    let mut crawl = Crawl {
        page,
        limits,
        found: Crawled::default(),
        states: BTreeMap::new(),
        known: BTreeMap::new(),
        visited_again: BTreeSet::new(),
        brought: BTreeMap::new(),
        pending: VecDeque::new(),
    };
    let name: Arc<str> = START.into();
    let Run { writes, log, concrete, .. } = opened.run;
    crawl.found.reasons.extend(concrete.iter().map(|what| format!("while the page opens, {what} is not followed")));
    crawl.found.summaries.push(Summary {
        name: name.clone(),
        event: name,
        condition: Vec::new(),
        idle: BTreeSet::new(),
        domain: Vec::new(),
        writes,
        lists: Vec::new(),
        log: log.into_keys().map(|line| (line, BTreeSet::new())).collect(),
    });
    let first = crawl.state(&opened.offers, Vec::new());
    crawl.found.model.connect(START, START, &first);
    while let Some(state) = crawl.pending.pop_front() {
        if is_late() {
            crawl.give_up(&state, "time is up");
            continue;
        }
        crawl.visit(&state, solver, is_late)?;
    }
    let mut found = crawl.found;
    found.reasons.sort();
    found.reasons.dedup();
    unify_kinds(&mut found.summaries);
    found.model.keep_one_of_each(&found.summaries);
    if found.model.incomplete.is_empty() {
        fold_constants(&mut found.summaries);
    }
    keep_relevant(&mut found.summaries);
    Ok(found)
}

/// A state whose events are still to be run.
struct State {
    name: Arc<str>,
    offers: Vec<Offered>,
    way: Vec<Move>,
    /// Whether the events were run before, on a way that had made less: lists were shorter.
    is_visited_again: bool,
}

/// Events by name.
type Events = BTreeSet<Arc<str>>;

/// What a run in one state says of the same path in others.
#[derive(Clone, Debug)]
struct KnownRun {
    /// What leads into its path.
    before: Assignment,
    path: Arc<str>,
    /// What can be done after it and not before it, and the other way round; nothing if it does not count as a transition.
    change: Option<(Events, Events)>,
}

struct Crawl<'a> {
    page: &'a mut dyn InstrumentedPage,
    limits: CrawlLimits,
    found: Crawled,
    /// The names of states by what can be done in them.
    states: BTreeMap<BTreeSet<Arc<str>>, Arc<str>>,
    /// The runs of the handlers that are summarised.
    known: BTreeMap<Arc<str>, Vec<KnownRun>>,
    /// States that are visited again.
    visited_again: BTreeSet<Arc<str>>,
    /// The parts of answers that were there when a state was visited.
    brought: BTreeMap<Arc<str>, Vec<BTreeSet<Arc<str>>>>,
    pending: VecDeque<State>,
}

impl Crawl<'_> {
    /// The name of the state in which just this can be done.
    fn state(&mut self, offers: &[Offered], way: Vec<Move>) -> Arc<str> {
        let events: BTreeSet<Arc<str>> = offers.iter().map(|offer| offer.event.clone()).collect();
        let next: Arc<str> = format!("s{}", self.states.len() + 1).into();
        let name = self.states.entry(events).or_insert_with(|| next.clone()).clone();
        if name == next {
            self.pending.push_back(State { name: name.clone(), offers: offers.to_vec(), way, is_visited_again: false });
        }
        name
    }

    fn give_up(&mut self, state: &State, why: &str) {
        self.found.model.incomplete.insert(state.name.clone());
        self.found.reasons.push(format!("not all events of {} were run: {why}", state.name));
    }

    fn visit(
        &mut self,
        state: &State,
        solver: &mut dyn Solver,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Result<(), SummariseError> {
        let number: usize = state.name[1..].parse().unwrap_or_default();
        if number > self.limits.states {
            self.give_up(state, &format!("{} states are enough", self.limits.states));
            return Ok(());
        }
        // A user waits for what comes by itself.
        let is_waiting = state.offers.iter().any(|offer| offer.is_due);
        let possible = state.offers.iter().filter(|offer| offer.is_due || !is_waiting);
        for (index, offer) in possible.enumerate() {
            if index == self.limits.events {
                self.give_up(state, &format!("it has {}", state.offers.len()));
                break;
            }
            let registration = Registration {
                kind: offer.kind.clone(),
                element: offer.element.clone(),
                handler: Line { file: "page".into(), number: 1 },
            };
            self.found.model.events.entry(offer.event.clone()).or_insert(registration);
            if !offer.is_followed {
                self.give_up(state, &format!("`{}` cannot be performed by script", offer.event));
                continue;
            }
            if is_late() {
                self.give_up(state, "time is up");
                break;
            }
            if self.runs_left() == 0 {
                self.give_up(state, &format!("{} runs are enough", self.limits.runs));
                break;
            }
            match state.is_visited_again {
                true => self.event_again(state, &offer.event, solver, is_late)?,
                false => self.event(state, &offer.event, solver, is_late)?,
            }
        }
        Ok(())
    }

    fn runs_left(&self) -> usize {
        self.limits.runs.saturating_sub(self.found.runs)
    }

    fn event(
        &mut self,
        state: &State,
        event: &Arc<str>,
        solver: &mut dyn Solver,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Result<(), SummariseError> {
        if let Some(known) = self.known.get(event).cloned() {
            return self.known_event(state, event, &known);
        }
        let EventRuns { summaries, seen } = self.try_event(state, event, solver, is_late)?;
        match summaries {
            Ok(summaries) => self.found.summaries.extend(summaries),
            Err(error) => self.give_up(state, &error.to_string()),
        }
        let known: Vec<KnownRun> =
            seen.into_iter().map(|(before, visited)| self.arrive(state, event, before, visited)).collect();
        self.known.insert(event.clone(), known);
        Ok(())
    }

    /// Run an event for each path of its handler.
    fn try_event(
        &mut self,
        state: &State,
        event: &Arc<str>,
        solver: &mut dyn Solver,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Result<EventRuns, SummariseError> {
        let bounds = Bounds { runs: self.limits.handler.runs.min(self.runs_left()), ..self.limits.handler };
        let mut handler = Visits { page: &mut *self.page, way: &state.way, event: event.clone(), seen: Vec::new() };
        let summaries = match summarise(event, &mut handler, bounds, solver, is_late) {
            Ok(summarised) => {
                self.found.queries += summarised.queries;
                self.found.reasons.extend(summarised.reasons);
                Ok(summarised.summaries)
            }
            Err(SummariseError::Handler(error)) => Err(error),
            Err(error) => return Err(error),
        };
        Ok(EventRuns { summaries, seen: handler.seen })
    }

    /// An event that was summarised in another state. If it does the same here as there, its other paths do so, too; otherwise
    /// they are run.
    fn known_event(&mut self, state: &State, event: &Arc<str>, known: &[KnownRun]) -> Result<(), SummariseError> {
        let mut handler = Visits { page: &mut *self.page, way: &state.way, event: event.clone(), seen: Vec::new() };
        if let Err(error) = handler.run(&Assignment::new()) {
            self.give_up(state, &error.to_string());
            return Ok(());
        }
        let seen = std::mem::take(&mut handler.seen);
        let here: Vec<KnownRun> =
            seen.into_iter().map(|(before, visited)| self.arrive(state, event, before, visited)).collect();
        let is_alike = here.iter().all(|run| {
            let same_path = known.iter().filter(|other| other.path == run.path);
            same_path.clone().count() > 0 && same_path.clone().all(|other| other.change == run.change)
        });
        let mut settled: BTreeSet<Arc<str>> = here.into_iter().map(|run| run.path).collect();
        for run in known {
            if !settled.insert(run.path.clone()) {
                continue;
            }
            let predicted = is_alike.then(|| self.predicted(state, run)).flatten();
            if let Some(to) = predicted {
                self.found.model.connect_by(&state.name, event, &to, [run.path.clone()]);
                continue;
            }
            let mut handler = Visits { page: &mut *self.page, way: &state.way, event: event.clone(), seen: Vec::new() };
            if let Err(error) = handler.run(&run.before) {
                self.give_up(state, &error.to_string());
                return Ok(());
            }
            for (before, visited) in handler.seen {
                self.arrive(state, event, before, visited);
            }
        }
        Ok(())
    }

    /// The known state in which a path ends that changes here what it changes elsewhere.
    fn predicted(&self, state: &State, run: &KnownRun) -> Option<Arc<str>> {
        let (added, removed) = run.change.as_ref()?;
        let before: BTreeSet<Arc<str>> = state.offers.iter().map(|offer| offer.event.clone()).collect();
        let after: BTreeSet<Arc<str>> = before.difference(removed).cloned().chain(added.iter().cloned()).collect();
        self.states.get(&after).cloned()
    }

    /// Where a run ends is a state, and the run a transition.
    fn arrive(&mut self, state: &State, event: &Arc<str>, before: Assignment, visited: Visited) -> KnownRun {
        self.found.runs += 1;
        if let Some(start) = self.found.summaries.first_mut() {
            for (name, value) in &visited.initial {
                start.writes.entry(name.clone()).or_insert_with(|| Expr::Constant(value.clone()));
            }
        }
        let path = self.summary_of(event, &visited.run);
        if let (Some(line), Some(known)) = (&visited.handler, self.found.model.events.get_mut(event)) {
            known.handler = line.clone();
        }
        let mut change = None;
        if visited.run.aborted.is_none() || before.is_empty() {
            let last = Move { event: event.clone(), before: before.clone() };
            let way = [state.way.clone(), vec![last]].concat();
            let count = self.states.len();
            let to = self.state(&visited.offers, way.clone());
            let is_known = self.states.len() == count;
            if visited.offers.iter().any(|offer| offer.is_due) {
                self.visit_with_other_answers(&visited, &to, way, is_known);
            } else if before.is_empty() && is_known {
                self.visit_again_after(&visited, &to, way);
            }
            self.found.model.connect_by(&state.name, event, &to, [path.clone()]);
            let names = |offers: &[Offered]| offers.iter().map(|it| it.event.clone()).collect::<BTreeSet<_>>();
            let (earlier, later) = (names(&state.offers), names(&visited.offers));
            change =
                Some((later.difference(&earlier).cloned().collect(), earlier.difference(&later).cloned().collect()));
        }
        KnownRun { before, path, change }
    }

    /// The name of the summary of a path. One that is taken in this state only has none yet.
    fn summary_of(&mut self, event: &Arc<str>, run: &Run) -> Arc<str> {
        let of_event = || self.found.summaries.iter().filter(|summary| summary.event == *event);
        if let Some(known) = of_event().find(|summary| summary.condition == run.branches) {
            return known.name.clone();
        }
        let name: Arc<str> = format!("{event}/{}", of_event().count() + 1).into();
        let (summary, reasons) = run.clone().summary(event, name.clone());
        self.found.summaries.push(summary);
        self.found.reasons.extend(reasons);
        name
    }
}

/// What came of running an event for each path of its handler.
struct EventRuns {
    /// Nothing of a handler that could not be run to the end; what was seen until then counts all the same.
    summaries: Result<Vec<Summary>, HandlerError>,
    seen: Vec<(Assignment, Visited)>,
}

/// The runs of one event in one state.
struct Visits<'a> {
    page: &'a mut dyn InstrumentedPage,
    way: &'a [Move],
    event: Arc<str>,
    seen: Vec<(Assignment, Visited)>,
}

impl Handler for Visits<'_> {
    fn run(&mut self, before: &Assignment) -> Result<Run, HandlerError> {
        let last = Move { event: self.event.clone(), before: before.clone() };
        let mut visited = self.page.perform(self.way, &last)?;
        visited.run.shows = visited.offers.iter().map(|offer| offer.event.clone()).collect();
        let run = visited.run.clone();
        if !run.is_absent {
            self.seen.push((before.clone(), visited));
        }
        Ok(run)
    }
}
