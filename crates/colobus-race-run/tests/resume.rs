//! A search for races that was stopped and is continued, on a simulated page: it goes on where it was, and a file that cannot be read any
//! more is an error that names it.

use std::fs;
use std::path::{Path, PathBuf};
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
        })
    }

    fn run(&mut self, _: &RecordedPage, order: &[EventName]) -> Result<Execution, WorldError> {
        if self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err() {
            self.stop.stop();
            return Err(WorldError::Stopped);
        }
        self.page.run(order).map_err(|error| WorldError::Interrupted(error.to_string()))
    }

    fn picture(&mut self) -> Option<Png> {
        None
    }

    /// Nobody is fast enough by hand.
    fn run_delayed(&mut self, _: &RecordedPage, _: &Delays, _: &[EventName]) -> Result<FinalState, WorldError> {
        Ok(self.page.record().outcome)
    }

    fn browser(&self) -> BrowserPlace {
        BrowserPlace::here("a simulated page")
    }
}

fn search(out: &Path, resume: bool, executions: usize) -> Result<Report, RaceError> {
    let fixture = fixtures::all().into_iter().find(|fixture| fixture.name == "slide show").unwrap();
    let (stop, left) = (StopSignal::default(), Arc::new(AtomicUsize::new(executions)));
    let config = RaceConfig {
        url: "http://simulated/".into(),
        origin: "http://simulated".into(),
        viewport: Viewport { width: 800, height: 600 },
        steps: None,
        seed: 1,
        bound: Some(fixture.bound),
        schedules: None,
        options: RunOptions { repeat: 2, resume, stop: stop.clone(), ..RunOptions::new(out) },
    };
    let open = || {
        let page = SimulatedPage::new(fixture.page.clone());
        Ok(Box::new(Simulated { page, left: left.clone(), stop: stop.clone() }) as Box<dyn RacePage>)
    };
    race(&config, &open, &mut |_| {})
}

/// The executions that the newest run has kept.
fn kept(out: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(out.join("last/executions")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_damaged_execution_is_named_and_nothing_goes_on_without_it() {
    let (whole, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = search(whole.path(), false, usize::MAX).unwrap();
    assert!(!expected.findings.is_empty());

    // The recorded order twice, and some others.
    let stopped = search(out.path(), false, 4).unwrap();
    assert!(stopped.stopped.is_some());
    let files = kept(out.path());
    assert_eq!(files.len(), 2);
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let (half, _) = text.split_at(text.len() / 2);
        for damaged in [half, "{}", ""] {
            fs::write(file, damaged).unwrap();
            let error = search(out.path(), true, usize::MAX).unwrap_err().to_string();
            assert!(error.contains(&format!("{} is damaged", name(file))), "{error}");
            assert!(error.ends_with("start a new run without --resume"), "{error}");
        }
        fs::remove_file(file).unwrap();
        let error = search(out.path(), true, usize::MAX).unwrap_err().to_string();
        assert!(error.contains(&format!("{} is damaged", name(file))), "{error}");
        fs::write(file, text).unwrap();
    }

    let continued = search(out.path(), true, usize::MAX).unwrap();
    assert_eq!(continued.findings, expected.findings, "nothing was lost on the way");
    assert_eq!(continued.counts.interactions, expected.counts.interactions);
}

fn name(file: &Path) -> String {
    Path::new("executions").join(file.file_name().unwrap()).display().to_string()
}
