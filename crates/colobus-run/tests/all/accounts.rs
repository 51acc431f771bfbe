//! Nothing found is not the same as nothing searched: every planned case is accounted for, and doubts are told.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use colobus_model::{Action, Case, Report, RunEvent, Step, Tally};
use colobus_run::{FaultKinds, RunConfig, RunError, check};
use colobus_world::fake::{FakeBug, FakeFactory};
use colobus_world::{World, WorldError, WorldFactory};

use crate::fake_app;
use crate::fake_app::{OpenedBy, action, actions, config, evaluate, press, resumed, typing};

fn run(config: &RunConfig, factory: &dyn WorldFactory) -> Report {
    check(config, factory, &mut |_| {}).unwrap()
}

fn adds_up(report: &Report) -> bool {
    let sequences = report.unknown.iter().filter(|unknown| matches!(unknown.case, Case::Sequence { .. })).count();
    let counts = &report.counts;
    let listed = (sequences, report.unknown.len() - sequences);
    counts.sequences.adds_up()
        && counts.interactions.adds_up()
        && listed == (counts.sequences.unknown, counts.interactions.unknown)
}

/// Actions that work, that never apply, that leave the page, that never settle, that throw.
fn troubled() -> Vec<Action> {
    let script = |script: &str| evaluate(script, script);
    vec![typing("a"), typing("b"), press("F12"), script("leave"), script("fidget"), script("typo")]
}

#[test]
fn judged_not_applicable_unknown_and_not_run_are_the_whole_plan() {
    for naive in [false, true] {
        let out = tempfile::tempdir().unwrap();
        let report = run(&RunConfig { naive, ..config(out.path(), troubled(), 2) }, &FakeFactory::default());
        assert!(adds_up(&report), "{:#?}", report.counts);
    }
    let out = tempfile::tempdir().unwrap();
    let counts = run(&config(out.path(), troubled(), 2), &FakeFactory::default()).counts;
    // Two of six actions can be followed by another one: 4 sequences of those two alone. After each of them two others do
    // not apply and two others are unknown; below those four nothing is, in 24 sequences.
    let expected = Tally { planned: 36, judged: 4, not_applicable: 16, unknown: 16, not_run: 0 };
    assert_eq!(counts.sequences, expected);
    let naive = run(&RunConfig { naive: true, ..config(out.path(), troubled(), 1) }, &FakeFactory::default()).counts;
    assert_eq!(naive.interactions, Tally { planned: 15, judged: 1, not_applicable: 9, unknown: 5, not_run: 0 });
}

#[test]
fn a_search_in_which_no_page_ever_settles_is_in_doubt() {
    let out = tempfile::tempdir().unwrap();
    let report = run(&config(out.path(), vec![evaluate("fidget", "fidget")], 1), &FakeFactory::default());
    assert_eq!((report.counts.interactions.ran(), report.counts.sequences.unknown), (0, 1));
    let doubts = report.doubts.join("\n");
    assert!(doubts.contains("fidget"), "{doubts}");
}

#[test]
fn an_application_that_one_user_ends_is_a_finding() {
    let out = tempfile::tempdir().unwrap();
    let actions = vec![typing("a"), evaluate("crash", "crash")];
    let report = run(&config(out.path(), actions, 2), &FakeFactory::default());
    assert_eq!((report.counts.sequences.judged, report.counts.sequences.unknown), (1, 3), "{report:#?}");
    let [cause] = &report.root_causes[..] else { panic!("{:?}", report.root_causes) };
    assert_eq!(cause.name, "even with one user alone: an error");
    let found: Vec<String> = report.findings.iter().map(|finding| finding.case().to_string()).collect();
    assert_eq!(found, ["(crash)"]);
    assert!(report.has_confirmed_finding());
}

#[test]
fn of_an_action_that_was_not_tried_it_is_not_said_that_it_does_not_apply() {
    let out = tempfile::tempdir().unwrap();
    let config = RunConfig { naive: true, ..config(out.path(), actions(), 1) };
    config.options.stop.stop();
    let report = run(&config, &FakeFactory::default());
    assert!(report.counts.interactions.not_run > 0, "{:?}", report.counts);
    assert_eq!(report.never_applied, Vec::<String>::new());
}

#[test]
fn what_an_action_could_not_do_is_counted_and_doubted() {
    let out = tempfile::tempdir().unwrap();
    let report = run(&config(out.path(), troubled(), 1), &FakeFactory::default());
    let gaps: Vec<_> =
        report.not_applicable.iter().map(|gap| (gap.action.as_str(), gap.sequences, gap.threw)).collect();
    assert_eq!(gaps, [("F12", 1, false), ("typo", 1, true)]);
    assert_eq!(report.never_applied, ["F12", "leave", "fidget", "typo"]);
    let doubts = report.doubts.join("\n");
    for doubt in [
        "the action `F12` could be performed nowhere: the fake page has nothing to press F12",
        "nothing is known of the action `leave`: no execution of it could be judged",
        "a script of the action `typo` threw: SyntaxError",
        "of 4 sequences that were run 2 are unknown (50.0 %, accepted are 5 %)",
    ] {
        assert!(doubts.contains(doubt), "{doubts}");
    }
    let clean = run(&config(out.path(), vec![typing("a"), typing("b")], 1), &FakeFactory::default());
    assert_eq!(clean.doubts, Vec::<String>::new());
}

#[test]
fn a_search_without_an_interaction_is_in_doubt() {
    let out = tempfile::tempdir().unwrap();
    // They write in different lines, as far as pixels tell.
    let report = run(&config(out.path(), vec![typing("a"), press("Backspace")], 1), &FakeFactory::default());
    assert_eq!(report.counts.interactions, Tally::default());
    assert!(report.doubts[0].starts_with("nothing was judged: of 0 planned"), "{:?}", report.doubts);
}

/// Worlds of which the first few leave every page that they open.
fn leaves_at_first(faulty: usize, opened: &AtomicUsize) -> impl WorldFactory {
    OpenedBy(FakeFactory::default(), move |worlds: &FakeFactory| {
        let number = opened.fetch_add(1, Ordering::SeqCst);
        Ok(if number < faulty { worlds.open_interrupted() } else { worlds.open()? })
    })
}

#[test]
fn what_is_unknown_is_tried_once_more_in_a_fresh_world() {
    let out = tempfile::tempdir().unwrap();
    let config = RunConfig { workers: 1, ..config(out.path(), actions(), 2) };
    let opened = AtomicUsize::new(0);
    let once = leaves_at_first(1, &opened);
    let report = run(&config, &once);
    assert_eq!((report.counts.sequences.unknown, report.counts.interactions.unknown), (0, 0));
    assert_eq!((opened.load(Ordering::SeqCst), report.counts.restarts), (2, 0), "nothing died");

    let elsewhere = tempfile::tempdir().unwrap();
    let opened = AtomicUsize::new(0);
    let twice = leaves_at_first(2, &opened);
    let report = run(&fake_app::elsewhere(&config, elsewhere.path()), &twice);
    // The first sequence is the first to see what its four leaves begin with.
    assert_eq!(report.counts.sequences.unknown, 16, "{:#?}", report.unknown);
    assert!(report.unknown.iter().all(|unknown| unknown.reason == "the page went elsewhere"));
}

#[test]
fn what_is_unknown_is_neither_cached_nor_final() {
    let out = tempfile::tempdir().unwrap();
    let config = RunConfig { workers: 1, ..config(out.path(), actions(), 2) };
    let expected = run(&fake_app::elsewhere(&config, tempfile::tempdir().unwrap().path()), &FakeFactory::default());
    assert!(run(&config, &leaves_at_first(2, &AtomicUsize::new(0))).counts.sequences.unknown > 0);
    let continued = run(&resumed(config.clone()), &FakeFactory::default());
    assert_eq!(continued.counts, expected.counts, "--resume searches it again");
    assert!(run(&config, &FakeFactory::default()).timing.phase1_reused, "now everything is known");

    let naive = RunConfig { naive: true, ..config };
    let unknown = run(&naive, &leaves_at_first(2, &AtomicUsize::new(0)));
    assert_eq!(unknown.counts.interactions.unknown, 1);
    let continued = run(&resumed(naive.clone()), &FakeFactory::default());
    assert_eq!(continued.counts.interactions, Tally { planned: 30, judged: 30, ..Tally::default() });
    let runs = fs::read_dir(out.path()).unwrap().flatten().filter(|entry| entry.path().join("journal.jsonl").is_file());
    assert_eq!(runs.filter(|entry| !entry.path().is_symlink()).count(), 3, "the naive one was continued");
}

#[test]
fn a_failure_that_never_comes_back_is_unknown_and_no_finding() {
    let out = tempfile::tempdir().unwrap();
    let config = RunConfig { workers: 1, ..config(out.path(), vec![typing("a"), typing("b")], 1) };
    // The bug is gone with the first world; the second interaction would not show it.
    let once = || FakeFactory::with_bugs(&[FakeBug::InsertOrderOnce]);
    let mut told = Vec::new();
    let report = check(&config, &once(), &mut |event| told.push(format!("{event:?}"))).unwrap();
    assert_eq!((report.findings.len(), report.counts.failures), (0, 0));
    assert_eq!(report.counts.interactions, Tally { planned: 1, unknown: 1, ..Tally::default() });
    assert!(report.unknown[0].reason.starts_with("it failed once and came back 0 of 4 times: convergence"));
    assert!(told.iter().any(|event| event.starts_with("Failed")), "it was seen");
    let again = run(&resumed(config), &once());
    assert_eq!(again.counts.interactions.unknown, 1, "--resume runs it again");
}

#[test]
fn a_run_that_is_still_going_on_is_not_continued() {
    let out = tempfile::tempdir().unwrap();
    let config = config(out.path(), vec![typing("a"), typing("b")], 1);
    let again = resumed(config.clone());
    let mut refused = None;
    check(&config, &FakeFactory::default(), &mut |event| {
        if let RunEvent::Ready { .. } = event {
            refused = Some(check(&again, &FakeFactory::default(), &mut |_| {}).unwrap_err());
        }
    })
    .unwrap();
    let error = refused.unwrap();
    assert!(matches!(error, RunError::Locked { .. }) && error.to_string().contains("is still going on"), "{error}");
}

#[test]
fn what_ends_a_run_ends_reduction_and_what_was_found_is_told() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let config = config(out.path(), actions(), 2);
    let stop = config.options.stop.clone();
    let report = check(&config, &factory, &mut |event| {
        if let RunEvent::PhaseStarted { phase: colobus_model::Phase::Reduce, .. } = event {
            stop.stop();
        }
    })
    .unwrap();
    let finding = &report.findings[0];
    assert_eq!((finding.reduced, finding.attempts, finding.is_confirmed()), (false, 0, false));
    assert!(finding.failures > 1 && out.path().join("last").join(&finding.trace).is_file());
    let doubts = report.doubts.join("\n");
    assert!(doubts.contains("neither reduced nor run again") && doubts.contains("interrupted"), "{doubts}");
}

#[test]
fn a_report_is_told_after_every_finding() {
    let out = tempfile::tempdir().unwrap();
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let config = RunConfig { naive: true, ..config(out.path(), actions(), 2) };
    let (mut known, mut seen, mut causes) = (0, Vec::new(), BTreeSet::new());
    let report = check(&config, &factory, &mut |event| match event {
        RunEvent::Found(finding) => known = finding.id,
        RunEvent::Interim { report, output } => {
            assert_eq!(report.findings.iter().filter(|finding| finding.reduced).count(), known);
            assert_eq!(report.stopped.as_deref(), Some("the run has not ended yet"));
            assert!(adds_up(&report));
            assert!(report.findings.iter().all(|finding| output.join(&finding.trace).is_file()));
            seen.push(known);
            causes.extend(report.root_causes.iter().filter(|_| known == 0).map(|cause| cause.name.clone()));
        }
        _ => {}
    })
    .unwrap();
    assert!(report.findings.len() > 1);
    assert_eq!(seen.last(), Some(&report.findings.len()));
    let all: BTreeSet<String> = report.root_causes.iter().map(|cause| cause.name.clone()).collect();
    assert_eq!(causes, all, "a run that is killed before it reduces anything has them in its report");
}

/// `colobus list` prints this size.
#[test]
fn what_is_listed_is_what_is_planned() {
    let plain = |clients, same, naive| (clients, same, naive, 0, FaultKinds::default());
    let cases = [
        plain(2, false, true),
        plain(2, true, true),
        plain(3, true, true),
        plain(2, false, false),
        // Orders and faults are tried in the same interactions.
        (2, true, true, 40, FaultKinds::default()),
        (2, false, false, 40, FaultKinds::all()),
    ];
    for (clients, same, naive, limit, faults) in cases {
        let out = tempfile::tempdir().unwrap();
        let resize = Action { neutral: true, ..action("there and back", vec![]) };
        let mut config =
            RunConfig { clients, same, naive, returning: vec![resize], ..config(out.path(), actions(), 2) };
        (config.orders.limit, config.orders.faults) = (limit, faults);
        let (size, counts) = (config.size(), run(&config, &FakeFactory::default()).counts);
        assert_eq!((counts.sequences.planned, counts.naive), (size.sequences, size.naive));
        match naive {
            true => assert_eq!(counts.interactions.planned, size.interactions),
            false => assert!(counts.interactions.planned < size.interactions, "not everything conflicts"),
        }
    }
}

#[test]
fn an_application_that_dies_in_the_middle_leaves_a_report_in_doubt() {
    let out = tempfile::tempdir().unwrap();
    let leaves = action("gone", vec![Step::Evaluate("exit".into())]);
    let actions = vec![typing("a"), press("Enter"), leaves];
    let config = RunConfig { naive: true, workers: 1, ..config(out.path(), actions, 1) };
    let report = run(&config, &FakeFactory::default());
    assert_eq!(report.counts.interactions, Tally { planned: 3, judged: 1, not_run: 2, ..Tally::default() });
    assert_eq!(report.stopped.as_deref(), Some("the application exited"));
    assert!(report.doubts.contains(&"the search ended after 1 of 3 interactions: the application exited".to_string()));
}

/// Of a search that looks at single sequences first: two of them were seen.
#[test]
fn an_application_that_dies_in_phase_1_leaves_a_report_in_doubt() {
    let out = tempfile::tempdir().unwrap();
    let leaves = action("gone", vec![Step::Evaluate("exit".into())]);
    for prune in [false, true] {
        let actions = vec![typing("a"), typing("b"), leaves.clone()];
        let config = RunConfig { prune, workers: 1, ..config(out.path(), actions, 1) };
        let mut finished = None;
        let report = check(&config, &FakeFactory::default(), &mut |event| {
            if let RunEvent::Finished { report, .. } = event {
                finished = Some(report.counts.sequences);
            }
        })
        .unwrap();
        assert!(adds_up(&report), "{:#?}", report.counts);
        let sequences = Tally { planned: 3, judged: 2, not_run: 1, ..Tally::default() };
        assert_eq!((finished, &report.counts.sequences), (Some(sequences), &sequences));
        assert_eq!(report.counts.interactions.ran(), 0, "phase 2 does not begin");
        assert_eq!(report.stopped.as_deref(), Some("the application exited"));
        let doubts = report.doubts.join("\n");
        assert!(doubts.contains("the application exited") && doubts.contains("nothing was judged"), "{doubts}");
    }
}

/// In phase 1, or in phase 2 if there is no other.
#[test]
fn an_application_that_is_gone_before_anything_was_run_leaves_a_report_and_is_searched_again() {
    let gone = || {
        OpenedBy(FakeFactory::default(), |_: &FakeFactory| -> Result<Box<dyn World>, WorldError> {
            Err(WorldError::CannotRun("nothing answers any more".to_string()))
        })
    };
    for naive in [false, true] {
        let (out, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let config = RunConfig { naive, ..config(out.path(), actions(), 1) };
        let whole = run(&fake_app::elsewhere(&config, elsewhere.path()), &FakeFactory::default());
        let report = run(&config, &gone());
        assert!(adds_up(&report), "{:#?}", report.counts);
        assert_eq!((report.counts.sequences.ran(), report.counts.interactions.ran()), (0, 0));
        assert_eq!(report.stopped.as_deref(), Some("nothing answers any more"));
        assert!(report.doubts.iter().any(|doubt| doubt.ends_with("nothing answers any more")), "{:?}", report.doubts);
        assert_eq!(run(&resumed(config), &FakeFactory::default()).counts, whole.counts, "--resume searches all of it");
    }
}

#[test]
fn an_interaction_during_which_the_application_exits_once_is_repeated_and_judged() {
    let out = tempfile::tempdir().unwrap();
    let config = RunConfig { workers: 1, ..config(out.path(), vec![typing("a"), typing("b")], 1) };
    let mut factory = FakeFactory::default();
    factory.exits_in = Some(0);
    let report = run(&config, &factory);
    assert_eq!(report.counts.interactions, Tally { planned: 1, judged: 1, ..Tally::default() });
    assert_eq!((report.findings.len(), &report.doubts[..]), (0, &[][..]));
}

/// Searching, naming the cause, reducing, repeating: wherever a search is when the application exits once, it finds the same.
#[test]
fn an_application_that_exits_once_anywhere_in_a_search_changes_nothing() {
    let search = |bug: FakeBug, exits_in: Option<usize>| {
        let out = tempfile::tempdir().unwrap();
        let mut config = RunConfig { workers: 1, ..config(out.path(), vec![typing("ab"), typing("c")], 1) };
        config.orders.limit = 64;
        let mut factory = FakeFactory::with_bugs(&[bug]);
        factory.exits_in = exits_in;
        let report = run(&config, &factory);
        let causes: Vec<(String, usize)> =
            report.root_causes.iter().map(|cause| (cause.name.clone(), cause.findings.len())).collect();
        let times: Vec<_> = report.findings.iter().map(|finding| (finding.reproduced, finding.attempts)).collect();
        ((report.counts.interactions, causes, times, report.doubts), factory.begins(2))
    };
    for bug in [FakeBug::InsertOrder, FakeBug::InsertOrderBetweenAcknowledgements, FakeBug::LosesWhatMeets] {
        let (without_exit, documents) = search(bug, None);
        assert!(documents > 10 && !without_exit.1.is_empty(), "{bug:?}: {documents} documents, {without_exit:?}");
        for exits_in in 0..documents {
            assert_eq!(search(bug, Some(exits_in)).0, without_exit, "{bug:?}: it exits in document {exits_in}");
        }
    }
}

#[test]
fn a_browser_that_dies_before_the_first_interaction_is_replaced() {
    let out = tempfile::tempdir().unwrap();
    let deaths = AtomicUsize::new(2);
    let factory = OpenedBy(FakeFactory::default(), |worlds: &FakeFactory| {
        let left = deaths.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if left.is_ok() { Err(WorldError::Died("killed".into())) } else { worlds.open() }
    });
    let report = run(&config(out.path(), vec![typing("a"), typing("b")], 1), &factory);
    assert_eq!((report.counts.restarts, report.counts.sequences.unknown, report.stopped.clone()), (2, 0, None));
    assert_eq!(report.doubts, Vec::<String>::new());
}
