//! A search for lines that was ended is continued: answers are kept, and only what has none is searched for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use colobus_model::{BrowserPlace, Report, Searched};
use colobus_reach::crawl::Crawled;
use colobus_reach::line::Line;
use colobus_reach::page::{Replayed, Step};
use colobus_reach::summary::{START, Summary};
use colobus_reach_run::{
    PlainPage, Preparation, ReachConfig, Reached, SESSION_FILE, Searcher, TEST_FILE, Target, TargetKind, reach,
};
use colobus_record::Viewport;
use colobus_run::{RunError, RunOptions, StopSignal};
use colobus_solver::Enumeration;
use colobus_world::{PageStep, Recorded, WorldError};

fn line(number: u32) -> Line {
    Line { file: "app.js".into(), number }
}

/// Buttons `one` and `three` run lines 1 and 3; nothing runs line 2.
struct Prepared {
    /// How often the lines were decided on.
    decided: usize,
}

impl Preparation for Prepared {
    type Error = RunError;

    fn crawl(&mut self) -> Result<Crawled, RunError> {
        let summary = |event: &str, log: &[u32]| Summary {
            name: format!("{event}/1").into(),
            event: event.into(),
            condition: Vec::new(),
            domain: Vec::new(),
            idle: BTreeSet::new(),
            writes: BTreeMap::new(),
            lists: Vec::new(),
            log: log.iter().map(|number| (line(*number), BTreeSet::new())).collect(),
        };
        let mut crawled = Crawled::default();
        crawled.model.connect(START, START, "home");
        crawled.model.connect("home", "one", "home");
        crawled.model.connect("home", "three", "home");
        crawled.summaries = vec![summary(START, &[]), summary("one", &[1]), summary("three", &[3])];
        Ok(crawled)
    }

    fn targets(&mut self, _: &Crawled, _: &Path, _: &mut dyn FnMut(String)) -> Result<Vec<Target>, RunError> {
        self.decided += 1;
        let target = |number| Target { line: line(number), statement: line(number), kind: None, steps: None };
        // Line 2 has a way that a file knows, so that searching for it performs something, too.
        let second = Target { kind: Some(TargetKind::Unsatisfiable), steps: Some(Vec::new()), ..target(2) };
        Ok(vec![target(1), second, target(3)])
    }

    fn limits(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Says what was performed for which line, and ends the run at line 3 if it shall.
struct Page {
    performed: Arc<Mutex<Vec<u32>>>,
    ends: Option<StopSignal>,
}

impl PlainPage for Page {
    fn browser(&self) -> BrowserPlace {
        BrowserPlace::here("a page in memory")
    }

    fn replay(&mut self, steps: &[Step], line: &Line) -> Result<Replayed, WorldError> {
        self.performed.lock().unwrap().push(line.number);
        if let Some(stop) = self.ends.as_ref().filter(|_| line.number == 3) {
            stop.stop();
            return Err(WorldError::Stopped);
        }
        Ok(replayed(steps, line))
    }

    fn replay_recorded(&mut self, steps: &[Step], line: &Line) -> Result<Recorded<Replayed>, WorldError> {
        Ok(Recorded { run: replayed(steps, line), har: format!("traffic of {line}") })
    }
}

fn replayed(steps: &[Step], line: &Line) -> Replayed {
    let button = BTreeMap::from([(1, "one"), (3, "three")]).get(&line.number).copied();
    let hit = steps.last().map(|step| &*step.event) == button && button.is_some();
    if hit { Replayed::Hit } else { Replayed::Miss("the line was not executed".into()) }
}

/// The result, and for which lines something was performed.
fn search(out: &Path, resume: bool, ends: bool, prepared: &mut Prepared) -> (Reached, Vec<u32>) {
    let (stop, performed) = (StopSignal::default(), Arc::new(Mutex::new(Vec::new())));
    let config = ReachConfig {
        url: "http://shop/".into(),
        viewport: Viewport { width: 800, height: 600 },
        wanted: vec!["app.js:1".into(), "app.js:2".into(), "app.js:3".into()],
        model: None,
        iterations: 100,
        crawl_runs: 400,
        crawl_time: Duration::from_secs(600),
        line_time: Duration::from_secs(600),
        with_priorities: true,
        with_summaries: true,
        with_forward: true,
        explain: false,
        workers: 1,
        options: RunOptions { repeat: 0, resume, stop: stop.clone(), ..RunOptions::new(out) },
    };
    let open = || {
        let page = Page { performed: performed.clone(), ends: ends.then(|| stop.clone()) };
        Ok(Box::new(Searcher { page: Box::new(page), solver: Box::new(Enumeration::default()) }))
    };
    let perform = |steps: &[Step]| {
        let step = |step: &Step| PageStep { label: format!("click {}", step.event), lines: Vec::new(), seed: 0 };
        Ok(steps.iter().map(step).collect())
    };
    let reached = reach(&config, prepared, &perform, &open, &mut |_| {}).unwrap();
    let performed = performed.lock().unwrap().clone();
    (reached, performed)
}

fn reached_lines(report: &Report) -> Vec<(&str, &[String])> {
    let found = report.findings.iter().filter_map(|finding| match &finding.searched {
        Searched::Line(found) => Some((&*found.line, &*found.events)),
        _ => None,
    });
    found.collect()
}

#[test]
fn what_was_answered_is_not_searched_for_again() {
    let (out, mut prepared) = (tempfile::tempdir().unwrap(), Prepared { decided: 0 });
    let (first, performed) = search(out.path(), false, true, &mut prepared);
    assert_eq!(performed, [1, 2, 3]);
    let ended = &first.report.counts.interactions;
    assert_eq!((ended.planned, ended.judged, ended.not_run), (3, 2, 1));
    assert!(first.report.stopped.is_some());

    let (second, performed) = search(out.path(), true, false, &mut prepared);
    assert_eq!(second.folder, first.folder);
    assert_eq!(performed, [3], "lines 1 and 2 were answered");
    assert_eq!(prepared.decided, 1, "the lines are those of the first run");
    assert_eq!(second.answers[..2], first.answers[..]);
    let outcomes: Vec<(bool, bool)> = second.answers.iter().map(|it| (it.reached, it.as_expected)).collect();
    // The way that the file knows to line 2 does not reach it, as the file does not expect.
    assert_eq!(outcomes, [(true, true), (false, false), (true, true)]);
    assert_eq!(second.answers[1].known_way, Some(false));

    let report = &second.report;
    assert_eq!((report.stopped.as_ref(), report.counts.interactions.judged), (None, 3));
    let (one, three) = (["click one".to_string()], ["click three".to_string()]);
    assert_eq!(reached_lines(report), [("app.js:1", &one[..]), ("app.js:3", &three[..])]);
    assert_eq!(report.lines.as_ref().map(|lines| lines.answers.len()), Some(3));
    for file in [SESSION_FILE, TEST_FILE] {
        assert!(second.folder.join("2").join(file).is_file(), "{file}");
    }
    let har = std::fs::read_to_string(second.folder.join(report.findings[1].traffic.as_ref().unwrap()));
    assert_eq!(har.unwrap(), "traffic of app.js:3");
}
