//! What can happen to a run: worlds that die, pages that leave or never settle, interruptions, full disks.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use colobus_model::{Finding, Report, RunEvent, Step, Tally};
use colobus_run::{FaultKinds, Judgement, RunConfig, RunError, Shard, check, load, replay};
use colobus_world::WorldFactory;
use colobus_world::fake::{FakeBug, FakeFactory};

use crate::fake_app::{OpenedBy, action, actions, config, evaluate, press, typing, with_options};

fn run(config: &RunConfig, factory: &FakeFactory) -> Report {
    check(config, factory, &mut |_| {}).unwrap()
}

#[test]
fn a_world_that_dies_is_replaced_and_its_interaction_tried_again() {
    let out = tempfile::tempdir().unwrap();
    let bugs = &[FakeBug::InsertOrder];
    let expected = run(&config(out.path(), actions(), 2), &FakeFactory::with_bugs(bugs));
    for dies_after in [0, 10, 40] {
        let out = tempfile::tempdir().unwrap();
        let mut factory = FakeFactory::with_bugs(bugs);
        factory.dies_after = Some(dies_after);
        let report = run(&config(out.path(), actions(), 2), &factory);
        assert_eq!(report.counts.restarts, 1);
        assert_eq!(report.findings, expected.findings);
    }
}

/// Nodes of a Grid that never live long enough to reduce a failure.
#[test]
fn a_failure_whose_browsers_end_before_it_is_reduced_is_run_again_as_it_is() {
    let bugs = &[FakeBug::InsertOrder];
    let out = tempfile::tempdir().unwrap();
    let expected = run(&config(out.path(), actions(), 2), &FakeFactory::with_bugs(bugs));
    let causes = |report: &Report| report.root_causes.iter().map(|cause| cause.name.clone()).collect::<Vec<_>>();
    let is_said = |note: &String| note.contains("as they were seen, and not reduced");
    let mut shortened = 0;
    for lives in (20..400).step_by(10) {
        let out = tempfile::tempdir().unwrap();
        let factory = OpenedBy(FakeFactory::with_bugs(bugs), |_: &FakeFactory| {
            let mut mortal = FakeFactory::with_bugs(bugs);
            mortal.dies_after = Some(lives);
            mortal.open()
        });
        let mut config = RunConfig { workers: 1, ..config(out.path(), actions(), 2) };
        config.options.repeat = 100;
        let report = check(&config, &factory, &mut |_| {}).unwrap();
        if report.unknown.is_empty() && report.notes.iter().any(is_said) {
            shortened += 1;
            assert!(report.findings.iter().all(Finding::is_confirmed), "{lives}: {:#?}", report.findings);
            assert_eq!(causes(&report), causes(&expected), "{lives}");
        }
    }
    assert!(shortened > 0, "every failure was reduced");
}

/// Whichever execution it is that comes to nothing: one that looks for the cause of a failure does not count as passed.
#[test]
fn a_network_that_is_gone_for_a_while_changes_no_cause() {
    let bugs = &[FakeBug::InsertOrder];
    let causes = |interrupted_after: Option<usize>| {
        let out = tempfile::tempdir().unwrap();
        let mut factory = FakeFactory::with_bugs(bugs);
        factory.interrupted_after = interrupted_after;
        let report = run(&config(out.path(), actions(), 1), &factory);
        assert_eq!(report.counts.interactions.unknown, 0, "{interrupted_after:?}: {:?}", report.unknown);
        report.root_causes.into_iter().map(|cause| cause.name).collect::<Vec<String>>()
    };
    let expected = causes(None);
    assert!(!expected.is_empty());
    for after in 0..60 {
        assert_eq!(causes(Some(after)), expected, "after {after} steps");
    }
}

#[test]
fn an_interaction_that_always_kills_the_browser_is_unknown_and_the_run_goes_on() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let mut config = config(out.path(), vec![typing("a"), typing("b"), evaluate("crash", "die")], 1);
    config.naive = true;
    let report = run(&config, &factory);
    assert_eq!((report.counts.interactions.unknown, report.counts.findings, report.counts.restarts), (2, 1, 6));
    assert_eq!(report.unknown[0].reason, "the browser died 3 times during this: the tab crashed");
}

#[test]
fn pages_that_leave_or_never_settle_are_unknown_with_the_reason() {
    let out = tempfile::tempdir().unwrap();
    let actions = vec![typing("a"), evaluate("go", "leave"), evaluate("fidget", "fidget")];
    let config = RunConfig { naive: true, ..config(out.path(), actions, 1) };
    let reasons: Vec<String> = run(&config, &FakeFactory::default()).unknown.into_iter().map(|u| u.reason).collect();
    let unsettled = "the page did not settle after the concurrent actions: a timer never ends";
    assert_eq!(reasons, ["the page went elsewhere", unsettled, "the page went elsewhere"]);
}

#[test]
fn an_action_that_does_not_apply_is_recorded_and_no_finding() {
    let out = tempfile::tempdir().unwrap();
    let actions = vec![typing("a"), press("F12")];
    let naive = RunConfig { naive: true, ..config(out.path(), actions.clone(), 1) };
    let report = run(&naive, &FakeFactory::default());
    assert_eq!(
        (report.counts.interactions.not_applicable, report.counts.interactions.unknown, report.counts.findings),
        (1, 0, 0)
    );
    let report = run(&config(out.path(), actions, 2), &FakeFactory::default());
    assert_eq!((report.counts.sequences.judged, report.counts.source_states), (1, 2), "nothing lies below it");
}

/// A button that another user's booking takes away.
#[test]
fn an_interaction_that_passes_is_judged_although_it_cannot_be_done_in_every_order() {
    let out = tempfile::tempdir().unwrap();
    let book = action("book", vec![Step::Type("b".into()), Step::Evaluate("unless a".into())]);
    let report = run(&config(out.path(), vec![typing("a"), book], 1), &FakeFactory::default());
    assert_eq!(report.counts.interactions, Tally { planned: 1, judged: 1, ..Tally::default() });
    assert!(report.counts.executions > 2, "the orders after those in which both act first are tried");
    assert_eq!((report.counts.findings, report.doubts), (0, vec![]));
}

#[test]
fn an_interrupted_run_reports_what_it_has_and_can_be_continued() {
    let bugs = &[FakeBug::InsertOrder];
    let elsewhere = tempfile::tempdir().unwrap();
    let expected = run(&config(elsewhere.path(), actions(), 3), &FakeFactory::with_bugs(bugs));
    let out = tempfile::tempdir().unwrap();
    let mut config = config(out.path(), actions(), 3);
    let factory = FakeFactory::with_bugs(bugs);
    let (stop, mut failed) = (config.options.stop.clone(), 0);
    let partial = check(&config, &factory, &mut |event| {
        failed += usize::from(matches!(event, RunEvent::Failed { .. }));
        if failed == 3 {
            stop.stop();
        }
    })
    .unwrap();
    assert_eq!(partial.stopped.as_deref(), Some("it was interrupted"));
    assert!(!partial.findings.is_empty(), "failures are reported although nothing was reduced");
    assert!(partial.findings.iter().all(|finding| finding.attempts == 0));

    (config.options.resume, config.options.stop) = (true, Default::default());
    let continued = run(&config, &factory);
    assert_eq!(continued.findings, expected.findings);
    assert_eq!(continued.counts, expected.counts);
    assert_eq!(factory.begins(1), 64, "phase 1 ran once");
    assert_eq!(runs_in(out.path()), 1, "in the same folder");
}

#[test]
fn an_interaction_with_many_orders_is_interrupted_between_them() {
    let out = tempfile::tempdir().unwrap();
    let mut config = config(out.path(), vec![typing("a"), typing("b")], 1);
    (config.workers, config.orders.limit, config.orders.faults) = (1, 80, FaultKinds::all());
    let mut mortal = FakeFactory::with_bugs(&[]);
    mortal.dies_after = Some(10);
    // The run stops when a world has died and another takes its place.
    let (stop, opened) = (config.options.stop.clone(), AtomicUsize::new(0));
    let factory = OpenedBy(mortal, |worlds: &FakeFactory| {
        if opened.fetch_add(1, Ordering::SeqCst) == 1 {
            stop.stop();
        }
        worlds.open()
    });
    let partial = check(&config, &factory, &mut |_| {}).unwrap();
    assert_eq!(partial.stopped.as_deref(), Some("it was interrupted"));
    assert_eq!((partial.counts.executions, factory.0.begins(2)), (0, 5), "half an answer is none");

    (config.options.resume, config.options.stop) = (true, Default::default());
    let continued = run(&config, &FakeFactory::default());
    assert_eq!((continued.counts.executions > 20, continued.counts.findings), (true, 0));
    assert_eq!(runs_in(out.path()), 1, "in the same folder");
}

/// The journal after every possible loss of its end, as kill -9 or a power failure leaves it.
#[test]
fn wherever_the_journal_is_torn_nothing_is_lost_and_nothing_comes_twice() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let mut config = config(out.path(), actions(), 2);
    let expected = run(&config, &factory);
    let journal = out.path().join("last/journal.jsonl");
    let whole = fs::read(&journal).unwrap();
    config.options.resume = true;
    for length in (whole.len() / 10..whole.len() - 1).step_by(whole.len() / 23) {
        fs::write(&journal, &whole[..length]).unwrap();
        let before = factory.begins(1);
        let continued = run(&config, &factory);
        assert_eq!(ids_and_texts(&continued.findings), ids_and_texts(&expected.findings), "cut at {length}");
        assert_eq!(continued.counts, expected.counts, "cut at {length}");
        assert_eq!(factory.begins(1), before, "phase 1 is not repeated");
    }
    assert_eq!(runs_in(out.path()), 1);
}

fn ids_and_texts(findings: &[Finding]) -> Vec<(usize, String, usize)> {
    let text = |finding: &Finding| {
        format!(
            "{:?} {:?} {}",
            finding.interaction().unwrap().prefix,
            finding.interaction().unwrap().concurrent,
            finding.interaction().unwrap().schedule
        )
    };
    findings.iter().map(|finding| (finding.id, text(finding), finding.failures)).collect()
}

fn runs_in(out: &std::path::Path) -> usize {
    let folders = fs::read_dir(out).unwrap().flatten().map(|entry| entry.path());
    folders.filter(|path| !path.is_symlink() && path.join("journal.jsonl").exists()).count()
}

#[test]
fn phase_1_is_used_again_only_while_application_and_configuration_are_the_same() {
    let out = tempfile::tempdir().unwrap();
    let (same, other) = (FakeFactory::default(), FakeFactory::with_bugs(&[FakeBug::InsertOrder]));
    let config = config(out.path(), actions(), 2);
    assert!(!run(&config, &same).timing.phase1_reused);
    assert!(run(&config, &same).timing.phase1_reused);
    assert_eq!(same.begins(1), 16);
    assert!(!run(&config, &other).timing.phase1_reused, "the application changed");
    let deeper = RunConfig { depth: 3, ..config };
    assert!(!run(&deeper, &same).timing.phase1_reused, "the configuration changed");
}

#[test]
fn shards_share_the_search_without_gap_or_overlap() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let whole = run(&config(out.path(), actions(), 3), &factory);
    let shards: Vec<Report> = (0..3)
        .map(|index| {
            let shard = Some(Shard { index, of: 3 });
            run(&RunConfig { shard, ..config(out.path(), actions(), 3) }, &factory)
        })
        .collect();
    let sum = |count: fn(&Report) -> usize| shards.iter().map(count).sum::<usize>();
    assert_eq!(sum(|report| report.counts.interactions.ran()), whole.counts.interactions.ran());
    assert_eq!(sum(|report| report.counts.failures), whole.counts.failures);
    assert_eq!(shards[1].shard, Some((2, 3)));
}

#[test]
fn the_search_ends_when_enough_was_found_or_the_time_is_over() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let one_worker = || RunConfig { workers: 1, ..config(out.path(), actions(), 3) };
    let few = run(&with_options(one_worker(), |options| options.max_findings = Some(1)), &factory);
    assert_eq!(few.counts.root_causes, 1);
    assert!(few.stopped.unwrap().contains("--max-findings"));
    let timeout = Some(std::time::Duration::ZERO);
    let short = run(&with_options(one_worker(), |options| options.timeout = timeout), &factory);
    assert!(short.stopped.unwrap().contains("--timeout"), "the time counts from the beginning, phase 1 included");
    assert_eq!(short.counts.interactions, Tally { planned: 9, not_run: 9, ..Tally::default() });
    let elsewhere = tempfile::tempdir().unwrap();
    let unknown_phase1 =
        run(&with_options(config(elsewhere.path(), actions(), 3), |options| options.timeout = timeout), &factory);
    assert_eq!(unknown_phase1.counts.sequences, Tally { planned: 64, not_run: 64, ..Tally::default() });
}

#[test]
fn a_finding_replays_and_broken_or_future_traces_say_what_to_do() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let config = config(out.path(), actions(), 1);
    run(&config, &factory);
    let folder = out.path().join("last/1");
    let trace = load(&folder).unwrap();
    let again = replay(&trace, config.checks, &factory, 5, &config.options.stop).unwrap();
    assert_eq!((again.again.len(), again.reproduced()), (5, 5));
    let fixed = replay(&trace, config.checks, &FakeFactory::default(), 2, &config.options.stop).unwrap();
    assert_eq!((fixed.reproduced(), &fixed.again[0].judgement), (0, &Judgement::Pass));

    let file = folder.join("trace.json");
    let text = fs::read_to_string(&file).unwrap();
    let error_with = |content: &str| {
        fs::write(&file, content).unwrap();
        load(&folder).unwrap_err().to_string()
    };
    assert!(error_with(&text.replacen("\"version\": 1", "\"version\": 99", 1)).contains("update colobus"));
    assert!(error_with(&text[..text.len() / 2]).contains("this is not a trace"));
    assert!(error_with(&text.replace("A1 B1 A>", "B1 A>")).contains("leaves out step 1 of client A"));
    let mut unjudged: serde_json::Value = serde_json::from_str(&text).unwrap();
    unjudged["judged_by"] = serde_json::json!([]);
    assert!(error_with(&unjudged.to_string()).contains("no check compares the clients"));
    fs::remove_file(&file).unwrap();
    assert!(matches!(load(&folder), Err(RunError::Read { .. })));
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_with_its_path() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let error = check(&config(&file, actions(), 1), &FakeFactory::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("file"), "{error}");
    assert!(matches!(error, RunError::Write { .. }));
}
