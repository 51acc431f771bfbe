//! [`search_of`], [`search_with`] and [`search_beside`]: searches for races on simulated pages.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use colobus_model::{BrowserPlace, Png, Report, Viewport};
use colobus_race::explore::Page;
use colobus_race::fake::{SimulatedPage, fixtures};
use colobus_race::happens_before::Delays;
use colobus_race::model::{EventName, Execution, FinalState};
use colobus_race::recorded::RecordedPage;
use colobus_race_run::{RaceConfig, RaceError, race};
use colobus_run::{RunOptions, StopSignal};
use colobus_world::{RacePage, WorldError};

/// A page of the fixtures, as a browser would execute it; after so many executions the user ends the search.
struct Simulated {
    page: SimulatedPage,
    left: Arc<AtomicUsize>,
    stop: StopSignal,
    /// The executions that end in another state than the page would, counted from 0.
    other: Vec<usize>,
    runs: Arc<AtomicUsize>,
    /// The documents of the plain page in the order that works and in the one that fails; as recorded if they are left out.
    plain: Option<[String; 2]>,
    plain_runs: usize,
}

impl RacePage for Simulated {
    fn record(&mut self) -> Result<RecordedPage, WorldError> {
        Ok(RecordedPage {
            url: "http://simulated/".into(),
            viewport: Viewport { width: 800, height: 600 },
            seed: 1,
            steps: Vec::new(),
            answers: Vec::new(),
            messages: Vec::new(),
            execution: self.page.record(),
            is_settled: true,
            live: false,
            invariants: Vec::new(),
        })
    }

    fn run(&mut self, _: &RecordedPage, order: &[EventName]) -> Result<Execution, WorldError> {
        if self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err() {
            self.stop.stop();
            return Err(WorldError::Stopped);
        }
        let run = self.page.run(order).map_err(|error| WorldError::Interrupted(error.to_string()));
        let mut execution = run?;
        if self.other.contains(&self.runs.fetch_add(1, Ordering::SeqCst)) {
            execution.outcome.dom = "<p>another page</p>".into();
        }
        Ok(execution)
    }

    fn picture(&mut self) -> Option<Png> {
        None
    }

    /// A user is not fast enough, unless the test says what they see.
    fn run_delayed(&mut self, _: &RecordedPage, _: &Delays, _: &[EventName]) -> Result<FinalState, WorldError> {
        let Some(documents) = &self.plain else { return Ok(self.page.record().outcome) };
        let dom = documents[self.plain_runs % 2].clone();
        self.plain_runs += 1;
        Ok(FinalState { dom, ..FinalState::default() })
    }

    fn browser(&self) -> BrowserPlace {
        BrowserPlace::here("a simulated page")
    }
}

/// A search of a page whose executions with these numbers, counted from 0, end in another state.
pub fn search_of(out: &Path, resume: bool, executions: usize, other: &[usize]) -> Result<Report, RaceError> {
    let change = |config: &mut RaceConfig| config.options.resume = resume;
    search(out, "slide show", executions, other, None, change)
}

/// A search of the page of this name with another configuration.
pub fn search_with(out: &Path, name: &str, change: impl FnOnce(&mut RaceConfig)) -> Report {
    search(out, name, usize::MAX, &[], None, change).unwrap()
}

/// A search of the page of this name, which shows these documents when it is run as it is: first in the order that works.
pub fn search_beside(out: &Path, name: &str, plain: [String; 2]) -> Report {
    search(out, name, usize::MAX, &[], Some(plain), |_| {}).unwrap()
}

fn search(
    out: &Path,
    name: &str,
    executions: usize,
    other: &[usize],
    plain: Option<[String; 2]>,
    change: impl FnOnce(&mut RaceConfig),
) -> Result<Report, RaceError> {
    let runs = Arc::new(AtomicUsize::new(0));
    let fixture = fixtures::all().into_iter().find(|fixture| fixture.name == name).unwrap();
    let (stop, left) = (StopSignal::default(), Arc::new(AtomicUsize::new(executions)));
    let mut config = RaceConfig {
        url: "http://simulated/".into(),
        origin: "http://simulated".into(),
        viewport: Viewport { width: 800, height: 600 },
        steps: None,
        seed: 1,
        bound: Some(fixture.bound),
        schedules: None,
        live: false,
        invariants: Vec::new(),
        filters_off: Vec::new(),
        harmless: Vec::new(),
        libraries: Vec::new(),
        options: RunOptions { repeat: 2, stop: stop.clone(), ..RunOptions::new(out) },
    };
    change(&mut config);
    let open = || {
        let page = SimulatedPage::new(fixture.page.clone());
        Ok(Box::new(Simulated {
            page,
            left: left.clone(),
            stop: stop.clone(),
            other: other.to_vec(),
            runs: runs.clone(),
            plain: plain.clone(),
            plain_runs: 0,
        }) as Box<dyn RacePage>)
    };
    race(&config, &open, &mut |_| {})
}
