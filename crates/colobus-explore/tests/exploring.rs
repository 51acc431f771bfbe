//! The exploration on a page in memory: what is found, in how many runs, and that nothing depends on workers or resuming.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use colobus_explore::fake::{Condition, FakeApp, FakeEvent, FakePage};
use colobus_explore::{ExploreConfig, Explored, PRIORITIES, action, explore, priority};
use colobus_model::{BrowserPlace, FailingSequence, Report, Searched};
use colobus_record::{Recording, Viewport};
use colobus_run::{RunError, RunOptions};
use colobus_world::{ExplorablePage, PageRun, PageStep, Recorded, Visit, WorldError};

/// A login with a word that stands in the code, and a list behind it that does not expect to be empty.
fn shop() -> Arc<FakeApp> {
    let source = "\
function login() { if (field === 'sesame') /*in*/{ show(1) } }
function list() { fetch('/list'); if (empty) /*empty*/{ first.name } }
function tick() { count++; }
function buy() { if (ticked) /*bought*/{ done() } }
";
    Arc::new(FakeApp {
        source: source.to_string(),
        states: vec![
            vec![
                FakeEvent::field("word", 0),
                FakeEvent::click("login", "login", 0).when(Condition::Field("word", "sesame"), "in", 1, None),
            ],
            vec![
                FakeEvent::click("list", "list", 1).asking("GET /list").when(
                    Condition::Answer("[]"),
                    "empty",
                    1,
                    Some("TypeError: first is undefined"),
                ),
                FakeEvent::click("tick", "tick", 1),
                FakeEvent::click("buy", "buy", 1).when(Condition::After("tick"), "bought", 1, Some("Error: sold out")),
            ],
        ],
    })
}

fn config(name: &str, budget: usize, workers: usize, options: RunOptions) -> ExploreConfig<'static> {
    ExploreConfig {
        url: "http://fake/".to_string(),
        viewport: Viewport { width: 800, height: 600 },
        priority: priority(name).unwrap(),
        seed: 1,
        budget,
        walk: 6,
        workers,
        server: None,
        reset: None,
        constants: &|_| {},
        seeds: Vec::new(),
        options,
    }
}

fn run(app: &Arc<FakeApp>, name: &str, budget: usize, workers: usize, options: RunOptions) -> Explored {
    let open = || Ok(Box::new(FakePage::new(app.clone())) as Box<dyn ExplorablePage>);
    explore(&config(name, budget, workers, options), &open, &mut |_| {}).unwrap()
}

fn fresh(app: &Arc<FakeApp>, name: &str, budget: usize, workers: usize) -> Explored {
    let out = tempfile::tempdir().unwrap();
    run(app, name, budget, workers, RunOptions::new(out.path()))
}

fn findings(report: &Report) -> Vec<(Vec<String>, Vec<String>, String)> {
    let found = report.findings.iter().map(|finding| match &finding.searched {
        Searched::Sequence(found) => {
            assert_eq!((finding.reproduced, finding.attempts), (3, 3), "{finding:?}");
            (found.actions.clone(), unobserved(found), finding.difference.summary.clone())
        }
        other => panic!("{other:?}"),
    });
    found.collect()
}

fn unobserved(found: &FailingSequence) -> Vec<String> {
    let unobserved = found.answers.iter().filter(|answer| !answer.of_observed_values);
    unobserved.map(|answer| answer.text.clone()).collect()
}

#[test]
fn both_bugs_are_found_and_shrunk_to_what_they_need() {
    let out = tempfile::tempdir().unwrap();
    let explored = run(&shop(), "states", 60, 1, RunOptions::new(out.path()));
    let mut found = findings(&explored.report);
    found.sort();
    let words = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let open = ["open http://fake/", "enter \"sesame\" in “word”", "click “login”"];
    assert_eq!(
        found,
        [
            (
                words(&[&open[..], &["click “list”"]].concat()),
                words(&["GET /list -> 200 []"]),
                "TypeError: first is undefined".to_string()
            ),
            (words(&[&open[..], &["click “tick”", "click “buy”"]].concat()), Vec::new(), "Error: sold out".to_string()),
        ]
    );
    for finding in &explored.report.findings {
        let har = std::fs::read_to_string(explored.folder.join(finding.traffic.as_ref().unwrap())).unwrap();
        let Searched::Sequence(sequence) = &finding.searched else { panic!("{finding:?}") };
        assert_eq!(har, format!("traffic of {}", sequence.actions[1..].join(", ")));
    }
    let figures = explored.report.exploration.unwrap();
    assert_eq!((figures.states, figures.lines_covered, figures.lines), (2, 4, 4));
}

#[test]
fn what_is_done_after_a_sequence_saves_openings() {
    let openings = |walk: usize| {
        let (app, out) = (shop(), tempfile::tempdir().unwrap());
        let open = || Ok(Box::new(FakePage::new(app.clone())) as Box<dyn ExplorablePage>);
        let config = ExploreConfig { walk, ..config("states", 40, 1, RunOptions::new(out.path())) };
        let explored = explore(&config, &open, &mut |_| {}).unwrap();
        assert_eq!(explored.report.findings.len(), 2, "{walk}");
        // The sequence that was the first to run the last piece of code.
        explored.knowledge.first.last().unwrap().sequence
    };
    let (each_alone, walking) = (openings(0), openings(6));
    assert!(walking < each_alone, "{walking} openings instead of {each_alone}");
}

/// What a user does who knows the word, as a recording: each time the first offer with this name.
fn recorded(app: &Arc<FakeApp>, names: &[(&str, &str)]) -> Recording {
    let mut page = FakePage::new(app.clone());
    let mut steps: Vec<PageStep> = Vec::new();
    for (name, value) in names {
        let visit = page.run(&PageRun { steps: steps.clone(), ..PageRun::default() }).unwrap();
        let offer = visit.offers.iter().find(|offer| offer.name == *name).unwrap();
        steps.extend(action(offer, value).unwrap().steps(0));
    }
    let lines = steps.into_iter().flat_map(|step| step.lines).collect();
    Recording { viewport: Viewport { width: 800, height: 600 }, lines }
}

/// The word stands nowhere in the code: only a seed leads behind it.
#[test]
fn a_seed_comes_first_and_is_extended() {
    let behind =
        FakeEvent::click("buy", "buy", 1).when(Condition::After("login"), "bought", 1, Some("Error: sold out"));
    let login = FakeEvent::click("login", "login", 0).when(Condition::Field("word", "Kx7-Zq"), "in", 1, None);
    let source = "function login() { /*in*/{ show(1) } }\nfunction buy() { /*bought*/{ done() } }\n".to_string();
    let app = Arc::new(FakeApp { source, states: vec![vec![FakeEvent::field("word", 0), login], vec![behind]] });
    let seed = recorded(&app, &[("word", "Kx7-Zq"), ("login", "")]);
    let found = |seeds: Vec<Recording>| {
        let out = tempfile::tempdir().unwrap();
        let open = || Ok(Box::new(FakePage::new(app.clone())) as Box<dyn ExplorablePage>);
        let config = ExploreConfig { walk: 0, seeds, ..config("states", 20, 1, RunOptions::new(out.path())) };
        let report = explore(&config, &open, &mut |_| {}).unwrap().report;
        report.findings.iter().map(|finding| finding.difference.summary.clone()).collect::<Vec<_>>()
    };
    assert_eq!(found(Vec::new()), Vec::<String>::new());
    assert_eq!(found(vec![seed]), ["Error: sold out"]);
}

#[test]
fn events_are_counted_with_those_that_only_lead_to_others() {
    let out = tempfile::tempdir().unwrap();
    // One button: the opening, then one click, then two.
    let app =
        Arc::new(FakeApp { source: "function f() { }".to_string(), states: vec![vec![FakeEvent::click("b", "f", 0)]] });
    let open = || Ok(Box::new(FakePage::new(app.clone())) as Box<dyn ExplorablePage>);
    let performed = |walk: usize| {
        let config = ExploreConfig { walk, ..config("constant", 3, 1, RunOptions::new(out.path())) };
        explore(&config, &open, &mut |_| {}).unwrap().report.exploration.unwrap().performed
    };
    assert_eq!((performed(0), performed(4)), (3, 3 + 3 * 4));
}

#[test]
fn the_number_of_workers_does_not_matter() {
    let (one, four) = (fresh(&shop(), "states", 40, 1), fresh(&shop(), "states", 40, 4));
    assert_eq!(one.report.findings, four.report.findings);
    assert_eq!(one.knowledge.first, four.knowledge.first);
    assert_eq!(one.report.counts, four.report.counts);
}

#[test]
fn the_budget_is_kept_and_everything_is_accounted_for() {
    for priority in PRIORITIES {
        let counts = fresh(&shop(), priority.name(), 25, 2).report.counts;
        assert_eq!((counts.interactions.planned, counts.interactions.ran()), (25, 25), "{}", priority.name());
    }
    // Without a login there is nothing but one button: opening and two clicks, and so on.
    let app =
        FakeApp { source: "function f() { }".to_string(), states: vec![vec![FakeEvent::click("b", "f", 0)], vec![]] };
    assert_eq!(fresh(&Arc::new(app), "constant", 7, 1).report.counts.interactions.judged, 7);
    let end =
        FakeApp { source: "function f() { }".to_string(), states: vec![vec![FakeEvent::click("b", "f", 1)], vec![]] };
    let explored = fresh(&Arc::new(end), "constant", 7, 1);
    assert_eq!(explored.report.counts.interactions.judged, 2, "there is nothing to do after the only click");
    assert_eq!(explored.knowledge.states.dead_ends(), 1);
}

/// Gives up after some runs, as a browser that cannot be started again.
struct Failing(FakePage, Arc<AtomicUsize>);

impl ExplorablePage for Failing {
    fn run(&mut self, run: &PageRun) -> Result<Visit, WorldError> {
        if self.1.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err() {
            return Err(WorldError::CannotRun("no browser".to_string()));
        }
        self.0.run(run)
    }

    fn go_on(&mut self, steps: &[PageStep]) -> Result<Visit, WorldError> {
        self.0.go_on(steps)
    }

    fn run_recorded(&mut self, run: &PageRun) -> Result<Recorded<Visit>, WorldError> {
        self.0.run_recorded(run)
    }

    fn browser(&self) -> BrowserPlace {
        self.0.browser()
    }
}

#[test]
fn a_run_that_is_continued_does_the_same_as_one_that_was_not_interrupted() {
    let (app, out) = (shop(), tempfile::tempdir().unwrap());
    let whole = fresh(&app, "states", 40, 1);
    let left = Arc::new(AtomicUsize::new(18));
    let open = || Ok(Box::new(Failing(FakePage::new(app.clone()), left.clone())) as Box<dyn ExplorablePage>);
    let interrupted = explore(&config("states", 40, 1, RunOptions::new(out.path())), &open, &mut |_| {});
    assert!(interrupted.is_err() || interrupted.is_ok_and(|explored| explored.report.stopped.is_some()));
    let continued = run(&app, "states", 40, 1, RunOptions { resume: true, ..RunOptions::new(out.path()) });
    assert_eq!(continued.report.findings, whole.report.findings);
    assert_eq!(continued.knowledge.first, whole.knowledge.first);
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 2, "one run, and the link to it");
}

#[test]
fn a_journal_whose_feedback_cannot_be_read_is_not_continued_as_if_it_said_nothing() {
    let (app, out) = (shop(), tempfile::tempdir().unwrap());
    let left = Arc::new(AtomicUsize::new(18));
    let open = || Ok(Box::new(Failing(FakePage::new(app.clone()), left.clone())) as Box<dyn ExplorablePage>);
    let _interrupted = explore(&config("states", 40, 1, RunOptions::new(out.path())), &open, &mut |_| {});
    let journal = out.path().join("last/journal.jsonl");
    let written = std::fs::read_to_string(&journal).unwrap();
    assert!(written.contains("\"complete\":"), "{written}");
    std::fs::write(&journal, written.replace("\"complete\":", "\"completed\":")).unwrap();
    let open = || Ok(Box::new(FakePage::new(app.clone())) as Box<dyn ExplorablePage>);
    let options = RunOptions { resume: true, ..RunOptions::new(out.path()) };
    match explore(&config("states", 40, 1, options), &open, &mut |_| {}) {
        Err(RunError::Feedback { job: 0, .. }) => {}
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it went on without what was learned"),
    }
}

#[test]
fn the_model_can_be_read_and_drawn() {
    let explored = fresh(&shop(), "states", 60, 1);
    let files = colobus_explore::report::ui_model(&explored.knowledge, &explored.scripts, "http://fake/");
    let model = colobus_reach::ui::file::read(&files[0].1).unwrap();
    assert_eq!(model.states(), BTreeSet::from(["s1", "s2"]));
    let kinds: Vec<&str> = model.events.values().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["click", "click", "click", "click", "fill"]);
    let login = model.events.iter().find(|(name, _)| name.contains("login")).unwrap().1;
    assert_eq!(login.handler.to_string(), "http://fake/app.js:1");
    assert!(files[1].1.starts_with("<svg") && files[2].1.starts_with("stateDiagram"));
}
