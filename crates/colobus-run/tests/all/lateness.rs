//! Reactions that come after a verdict: the verdict is withdrawn, and what was learned is kept for runs that go on.

use std::collections::BTreeSet;
use std::time::Duration;

use colobus_model::{Case, LearnedSettling, Phase, Report, RunEvent, Tally};
use colobus_run::{RunConfig, check, load_learned};
use colobus_world::WorldFactory;
use colobus_world::fake::{FakeBug, FakeFactory};

use crate::fake_app::{actions, config};

fn run(config: &RunConfig, factory: &FakeFactory) -> Report {
    check(config, factory, &mut |_| {}).unwrap()
}

fn late_after(documents: usize) -> FakeFactory {
    let mut factory = FakeFactory::with_bugs(&[FakeBug::InsertOrderShownLate]);
    factory.late_after = Some(documents);
    factory
}

#[test]
fn what_passed_before_a_reaction_came_late_is_run_again() {
    let (out, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = run(&config(elsewhere.path(), actions(), 2), &FakeFactory::with_bugs(&[FakeBug::InsertOrder]));
    let config = RunConfig { workers: 1, ..config(out.path(), actions(), 2) };
    let first = late_after(usize::MAX);
    let executions = run(&config, &first).counts.executions;
    assert_eq!(first.learned().late, 0, "without patience, and with nothing late, everything passes");

    // The last execution but one is the first that sees how slow the server is.
    let report = run(&config, &late_after(executions - 1));
    assert_eq!(report.counts.failures, expected.counts.failures);
    assert_eq!(report.counts.interactions, expected.counts.interactions);
    let withdrawn = report.notes.iter().find(|note| note.starts_with("verdicts withdrawn: "));
    assert!(withdrawn.is_some(), "{:?}", report.notes);
}

#[test]
fn a_stop_leaves_verdicts_that_were_withdrawn_unknown_until_the_run_goes_on() {
    let out = tempfile::tempdir().unwrap();
    let mut config = RunConfig { workers: 1, ..config(out.path(), actions(), 2) };
    let patient = run(&config, &late_after(0));
    let planned = patient.counts.interactions.planned;
    let (stop, mut judged) = (config.options.stop.clone(), 0);
    let executions = run(&config, &late_after(usize::MAX)).counts.executions;
    let factory = late_after(executions - 1);
    let partial = check(&config, &factory, &mut |event| {
        judged += usize::from(matches!(event, RunEvent::Progress { phase: colobus_model::Phase::Search, .. }));
        if judged == planned {
            stop.stop();
        }
    })
    .unwrap();
    assert!(partial.counts.interactions.unknown > 0, "{:?}", partial.counts.interactions);
    (config.options.resume, config.options.stop) = (true, Default::default());
    let continued = run(&config, &factory);
    assert_eq!(continued.counts.interactions, Tally { planned, judged: planned, ..Tally::default() });
    assert_eq!(continued.counts.failures, patient.counts.failures);
}

#[test]
fn what_was_learned_is_known_to_the_run_that_continues_and_beside_every_finding() {
    let out = tempfile::tempdir().unwrap();
    let mut config = config(out.path(), actions(), 2);
    let bugs = &[FakeBug::InsertOrder];
    let learned = LearnedSettling { lags: [("told".into(), Duration::from_millis(700))].into(), ..Default::default() };
    let (factory, stop, mut failed) = (FakeFactory::with_bugs(bugs), config.options.stop.clone(), 0);
    factory.recall(learned.clone());
    check(&config, &factory, &mut |event| {
        failed += usize::from(matches!(event, RunEvent::Failed { .. }));
        if failed == 2 {
            stop.stop();
        }
    })
    .unwrap();

    (config.options.resume, config.options.stop) = (true, Default::default());
    let another = FakeFactory::with_bugs(bugs);
    let report = run(&config, &another);
    assert_eq!(another.learned(), learned);
    for finding in &report.findings {
        assert_eq!(load_learned(&out.path().join("last").join(&finding.trace)).unwrap(), learned);
    }
    assert!(!report.findings.is_empty());
    assert_eq!(load_learned(elsewhere()).unwrap(), LearnedSettling::default());
    std::fs::write(out.path().join("last/settling.json"), "{").unwrap();
    let unreadable = load_learned(&out.path().join("last")).unwrap_err().to_string();
    assert!(unreadable.contains("settling.json: what was learned about settling cannot be read"), "{unreadable}");
}

fn elsewhere() -> &'static std::path::Path {
    "nowhere/trace.json".as_ref()
}

#[test]
fn a_difference_counts_only_after_a_long_silence() {
    let out = tempfile::tempdir().unwrap();
    let config = RunConfig { workers: 1, ..config(out.path(), actions(), 2) };
    let factory = FakeFactory::with_bugs(&[FakeBug::ReactsAfterALongSilence]);
    let report = run(&config, &factory);
    let planned = report.counts.interactions.planned;
    assert_eq!(report.counts.interactions, Tally { planned, judged: planned, ..Tally::default() });
    assert_eq!((report.counts.failures, report.findings.len()), (0, 0));
    assert!(planned > 0, "{:?}", report.counts);
    assert_eq!(factory.long_silences(), 1, "what came in it makes every world patient");
}

#[test]
fn only_the_first_failure_of_the_same_actions_waits_through_a_long_silence_and_reduction_never_does() {
    let out = tempfile::tempdir().unwrap();
    let config = RunConfig { workers: 1, ..config(out.path(), actions(), 3) };
    let factory = FakeFactory::with_bugs(&[FakeBug::InsertOrder]);
    let (mut when_searched, mut failed) = (None, BTreeSet::new());
    let report = check(&config, &factory, &mut |event| match event {
        RunEvent::PhaseStarted { phase: Phase::Reduce, .. } => when_searched = Some(factory.long_silences()),
        RunEvent::Failed { case: Case::Interaction { concurrent, .. }, .. } => {
            failed.insert(concurrent);
        }
        _ => {}
    })
    .unwrap();
    assert!(report.counts.failures > failed.len(), "{} failures of {failed:?}", report.counts.failures);
    assert_eq!(when_searched, Some(failed.len()));
    assert_eq!(factory.long_silences(), failed.len(), "none in reduction and repetition");
}
