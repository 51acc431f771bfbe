//! From a recording to findings, without a browser: what a session is made of, what is tried, and what is made of it.

mod fake_stage;

use std::sync::Arc;

use colobus_model::{FailingSession, Finding, Invariant, Phase, Report, Reset, RunEvent, Searched, Tally};
use colobus_record::Recording;
use colobus_run::RunOptions;
use colobus_stumble::{Script, StumbleConfig, StumbleError, Task, mistakes, similarity, stumble};
use colobus_world::Stage;
use fake_stage::{Shop, recording};
use proptest::prelude::*;

fn snapshots() -> Vec<Option<colobus_world::PageSnapshot>> {
    Shop::default().perform(&recording()).unwrap().snapshots
}

/// Searches the shop; `until` may end it, after so many mistakes.
fn searched(shop: &Shop, recording: &Recording, until: Option<usize>) -> Result<Report, StumbleError> {
    let out = tempfile::tempdir().unwrap();
    let options = RunOptions { repeat: 2, ..RunOptions::new(out.path()) };
    search_in(shop, recording, options, until)
}

fn search_in(
    shop: &Shop,
    recording: &Recording,
    options: RunOptions,
    until: Option<usize>,
) -> Result<Report, StumbleError> {
    search_with(shop, &config(recording, options), until)
}

fn config(recording: &Recording, options: RunOptions) -> StumbleConfig<'_> {
    StumbleConfig {
        recording,
        name: "order.rec".into(),
        origin: String::new(),
        delay_ms: 3000,
        invariants: Vec::new(),
        reset: None,
        options,
    }
}

fn search_with(shop: &Shop, config: &StumbleConfig<'_>, until: Option<usize>) -> Result<Report, StumbleError> {
    let stop = config.options.stop.clone();
    let open = || Ok(Box::new(shop.clone()) as Box<dyn Stage>);
    stumble(config, &open, &mut |event| {
        if let RunEvent::Progress { phase: Phase::Search, done, .. } = event
            && Some(done) == until
        {
            stop.stop();
        }
    })
}

fn session(finding: &Finding) -> &FailingSession {
    match &finding.searched {
        Searched::Session(session) => session,
        other => panic!("only sessions are searched: {other:?}"),
    }
}

fn findings(report: &Report) -> Vec<String> {
    let line = |finding: &Finding| {
        let FailingSession { mistake, script } = session(finding);
        format!("{mistake} | {} | {}", finding.difference.summary, script.len())
    };
    report.findings.iter().map(line).collect()
}

#[test]
fn a_session_is_pages_and_elements_and_lines() {
    let tree = Task::infer(&recording(), &snapshots());
    let expected = "session -> page 1, page 2\n\
        page 1 -> open http://shop/form, click “Prices”, “Name”, click “Next”\n\
        “Name” -> click “Name”, type a in “Name”, type b in “Name”, type c in “Name”\n\
        page 2 -> arrive at http://shop/confirm, click “Buy”\n";
    assert_eq!(tree.to_string(), expected);
    assert_eq!(tree.all().len(), 13);
}

#[test]
fn every_mistake_is_made_once() {
    let (recording, snapshots) = (recording(), snapshots());
    let tree = Task::infer(&recording, &snapshots);
    let said: Vec<String> = mistakes(&recording, &tree, &snapshots, 3000).iter().map(ToString::to_string).collect();
    let expected = [
        "forget: click “Prices”",
        "twice: click “Prices”",
        "forget: “Name”",
        "twice: “Name”",
        "forget: click “Next”",
        "twice: click “Next”",
        "too early: “Name”",
        "too early: click “Next”",
        "before the page has its data: click “Prices”",
        "before the page has its data: “Name”",
        "before the page has its data: click “Next”",
        "before the page has its code: click “Prices”",
        "3 s later: click “Prices”",
        "forget: click “Name”",
        "twice: click “Name”",
        "forget: type b in “Name”",
        "twice: type b in “Name”",
        "type b in “Name”, but hit n",
        "too early: type a in “Name”",
        "too early: type c in “Name”",
        "twice: click “Buy”",
        "before the page has its data: click “Buy”",
        "before the page has its code: click “Buy”",
        "3 s later: click “Buy”",
        "back and forth after: arrive at http://shop/confirm",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_sound_shop_survives_all_of_them() {
    let report = searched(&Shop::default(), &recording(), None).unwrap();
    assert_eq!(findings(&report), Vec::<String>::new());
    let expected = Tally { planned: 25, judged: 23, not_applicable: 2, ..Tally::default() };
    assert_eq!(report.counts.interactions, expected);
    let dead: Vec<String> = report.not_applicable.iter().map(|gap| format!("{}: {}", gap.action, gap.reason)).collect();
    assert_eq!(
        dead,
        [
            "forget: click “Next”: click “Buy”: it is not in the page",
            "too early: click “Next”: click “Name”: it is not in the page",
        ]
    );
    assert_eq!(report.counts.executions, 27, "with two dry runs");
    assert_eq!(report.doubts, Vec::<String>::new());
}

#[test]
fn each_bug_is_one_finding_with_the_shortest_script() {
    let shop = Shop { uninitialised: true, double_submit: true, forgets_on_back: true, noisy: true, ..Shop::default() };
    let expected = [
        "before the page has its data: click “Prices” | TypeError: prices is undefined | 2",
        "twice: click “Buy” | http://shop/orders/",
        "back and forth after: arrive at http://shop/confirm | the field “Name” loses what was typed | 7",
    ];
    let out = tempfile::tempdir().unwrap();
    let options = RunOptions { repeat: 2, ..RunOptions::new(out.path()) };
    let report = search_in(&shop, &recording(), options, None).unwrap();
    let found = findings(&report);
    assert_eq!(found.len(), 3, "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
    assert!(report.findings.iter().all(|found| found.reproduced == 2));
    assert_eq!(report.root_causes.len(), 3);
    let script = session(&report.findings[2]).script.iter();
    let marked: Vec<&str> = script.filter(|line| line.mistaken).map(|line| line.text.as_str()).collect();
    assert_eq!(marked, ["go back", "go forward"]);
    let file = std::fs::read_to_string(out.path().join("last").join(&report.findings[0].trace)).unwrap();
    assert_eq!(file.lines().nth(1), Some("# before the page has its data: click “Prices”"));
    assert_eq!(Recording::parse(&file).unwrap().lines.len(), 2);
}

#[test]
fn what_was_found_before_an_end_is_not_lost() {
    let bugs = || Shop { uninitialised: true, double_submit: true, ..Shop::default() };
    // The first bug shows with the ninth mistake, the other one with the twenty-first.
    let report = searched(&bugs(), &recording(), Some(10)).unwrap();
    let expected = Tally { planned: 25, judged: 8, not_applicable: 2, not_run: 15, ..Tally::default() };
    assert_eq!((report.findings.len(), report.counts.interactions), (1, expected));
    assert_eq!((report.stopped.as_deref(), report.findings[0].reduced), (Some("it was interrupted"), false));

    let shop = Shop { closes_after: Some(2 + 10), ..bugs() };
    let report = searched(&shop, &recording(), None).unwrap();
    assert_eq!((report.findings.len(), report.counts.interactions), (1, expected));
    assert_eq!(report.stopped.as_deref(), Some("the shop has closed"));
    assert!(!report.has_confirmed_finding() && report.doubts.len() == 2, "{:?}", report.doubts);
}

#[test]
fn a_search_that_was_interrupted_goes_on_where_it_was() {
    let shop = Shop { uninitialised: true, double_submit: true, ..Shop::default() };
    let expected = searched(&shop, &recording(), None).unwrap();
    let out = tempfile::tempdir().unwrap();
    let options = || RunOptions { repeat: 2, resume: true, ..RunOptions::new(out.path()) };
    search_in(&shop, &recording(), options(), Some(10)).unwrap();
    let before = shop.sessions();
    let continued = search_in(&shop, &recording(), options(), None).unwrap();
    let mistakes = |report: &Report| -> Vec<(String, usize)> {
        report.findings.iter().map(|finding| (session(finding).mistake.clone(), finding.reproduced)).collect()
    };
    assert_eq!(mistakes(&continued), mistakes(&expected));
    assert_eq!(continued.counts, expected.counts);
    // Two dry runs and the fifteen mistakes that were left come before what reduction needs.
    assert!(shop.sessions() - before >= 17);
}

#[test]
fn a_search_with_other_invariants_or_another_reset_does_not_go_on_with_the_verdicts_of_this_one() {
    let (shop, recording) = (Shop::default(), recording());
    let out = tempfile::tempdir().unwrap();
    let options = || RunOptions { repeat: 2, resume: true, ..RunOptions::new(out.path()) };
    let runs =
        || std::fs::read_dir(out.path()).unwrap().filter(|entry| !entry.as_ref().unwrap().path().is_symlink()).count();
    search_in(&shop, &recording, options(), Some(10)).unwrap();
    search_in(&shop, &recording, options(), Some(12)).unwrap();
    assert_eq!(runs(), 1, "the same search goes on");
    let invariants = vec![Invariant { name: "a price".into(), js: "price > 0".into() }];
    search_with(&shop, &StumbleConfig { invariants, ..config(&recording, options()) }, Some(10)).unwrap();
    assert_eq!(runs(), 2);
    search_with(&shop, &StumbleConfig { reset: Some(Reset::Reload), ..config(&recording, options()) }, Some(10))
        .unwrap();
    assert_eq!(runs(), 3);
}

#[test]
fn a_session_that_does_not_work_says_where() {
    let mut broken = recording();
    broken.lines.remove(6);
    let error = searched(&Shop::default(), &broken, None);
    assert!(matches!(error, Err(StumbleError::Unplayable { line: 8, .. })));
}

proptest! {
    #[test]
    fn similarity_is_a_measure(one in shape(), other in shape()) {
        let alike = similarity(&one, &other);
        prop_assert!((0.0..=1.0).contains(&alike));
        prop_assert_eq!(alike, similarity(&other, &one));
        prop_assert_eq!(similarity(&one, &one), 1.0);
    }

    /// Whatever goes wrong, nothing is done that nobody wanted, and origins say where lines come from.
    #[test]
    fn a_script_remembers_where_its_lines_come_from(choice in 0usize..25) {
        let (recording, snapshots) = (recording(), snapshots());
        let tree = Task::infer(&recording, &snapshots);
        let mistake = &mistakes(&recording, &tree, &snapshots, 3000)[choice];
        let Script { recording: made, origins, mistaken } = mistake.made_in(&recording);
        prop_assert_eq!(made.lines.len(), origins.len());
        prop_assert_eq!(made.lines.len(), mistaken.len());
        for ((line, origin), mistaken) in made.lines.iter().zip(origins).zip(mistaken) {
            let same = origin.is_some_and(|origin| recording.lines[origin] == *line);
            prop_assert!(same || mistaken, "{}", line);
        }
    }
}

fn shape() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[ab]>[ab]", 0..12)
}

#[test]
fn a_finding_has_the_traffic_of_a_session_that_shows_it() {
    let out = tempfile::tempdir().unwrap();
    let options = || RunOptions { repeat: 2, ..RunOptions::new(out.path()) };
    let shop = Shop { uninitialised: true, double_submit: true, ..Shop::default() };
    let report = search_in(&shop, &recording(), options(), None).unwrap();
    let files: Vec<Option<&str>> = report.findings.iter().map(|finding| finding.traffic.as_deref()).collect();
    assert_eq!(files, [Some("1/traffic.har"), Some("2/traffic.har")]);
    for finding in &report.findings {
        let lines = session(finding).script.len();
        let har = std::fs::read_to_string(out.path().join("last").join(finding.traffic.as_ref().unwrap())).unwrap();
        assert_eq!(har, format!("traffic of {lines} lines"));
    }
    assert_eq!(report.notes, Vec::<String>::new());

    let shy = Shop { shy: true, sessions: Arc::default(), ..shop };
    let report = search_in(&shy, &recording(), options(), None).unwrap();
    assert_eq!(report.findings.len(), 2, "they stay findings");
    assert!(report.findings.iter().all(|finding| finding.traffic.is_none()));
    assert!(!out.path().join("last/1/traffic.har").exists());
    let note = |id| format!("{id}/traffic.har was not recorded: it did not come back in 3 executions that recorded it");
    assert_eq!(report.notes, [note(1), note(2)]);
}
