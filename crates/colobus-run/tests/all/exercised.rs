//! What a search exercised: for every action whether it changed the page, sent messages and reached the others, and which
//! properties of the configuration held somewhere.

use colobus_model::{Aspect, ExercisedAction, Report, Sometimes, SometimesHeld, Step};
use colobus_run::{Judge, Orders, RunConfig, Shard, check};
use colobus_world::fake::{FakeBug, FakeFactory};

use crate::fake_app::{action, actions, application, config, press, resumed, typing};

fn run(config: &RunConfig, factory: &FakeFactory) -> Report {
    check(config, factory, &mut |_| {}).unwrap()
}

fn figures(report: &Report) -> Vec<(String, Option<usize>, [usize; 4])> {
    let actions = &report.exercised.as_ref().unwrap().actions;
    let figures = |done: &ExercisedAction| [done.together, done.sent, done.reached, done.reached_first];
    actions.iter().map(|done| (done.action.clone(), done.changed, figures(done))).collect()
}

fn expected(name: &str, changed: Option<usize>, figures: [usize; 4]) -> (String, Option<usize>, [usize; 4]) {
    (name.to_string(), changed, figures)
}

const NEVER_CROSSED: &str = "in no interaction did messages of two users cross: either the actions send nothing, or they send it past the proxy";

#[test]
fn every_action_is_counted_by_what_it_did() {
    let out = tempfile::tempdir().unwrap();
    let naive = RunConfig { naive: true, ..config(out.path(), actions(), 2) };
    let report = run(&naive, &FakeFactory::default());
    // Five source states: the empty text, and each action alone; six pairs of four actions in each. An action is in three of
    // the pairs of each state, and in the other three of the state that it leads to as the prefix. Backspace has nothing to
    // delete in the empty text: it deletes after `a`, `b` and Enter.
    assert_eq!(report.counts.interactions.judged, 30);
    assert_eq!(
        figures(&report),
        [
            expected("a", None, [18, 18, 18, 6]),
            expected("b", None, [18, 18, 18, 6]),
            expected("Enter", None, [18, 18, 18, 6]),
            expected("Backspace", None, [18, 9, 9, 0]),
        ]
    );
    // All but those with Backspace in an empty text: three in the empty document, and three after a Backspace in it.
    assert_eq!(report.exercised.as_ref().unwrap().crossed, 24);
    assert_eq!((report.doubts.len(), report.unexercised.len()), (0, 0), "{:?}", report.unexercised);
}

#[test]
fn phase_one_tells_what_changed_the_page() {
    let out = tempfile::tempdir().unwrap();
    let report =
        run(&config(out.path(), vec![typing("a"), typing("b"), press("Backspace")], 2), &FakeFactory::default());
    let changed: Vec<_> = figures(&report).into_iter().map(|(name, changed, _)| (name, changed.unwrap())).collect();
    // Four states; Backspace changes two of them: the text `a` and the text `b`.
    assert_eq!(changed, [("a".into(), 4), ("b".into(), 4), ("Backspace".into(), 2)]);
    let still = run(&config(out.path(), vec![typing("a"), typing("b"), typing("")], 1), &FakeFactory::default());
    assert_eq!(
        still.unexercised,
        ["``: it never changed the page of its user; it was never performed with other users"]
    );
    assert_eq!(still.doubts, Vec::<String>::new());
}

#[test]
fn others_hear_of_an_action_before_they_act() {
    let out = tempfile::tempdir().unwrap();
    let two = action("two", vec![Step::Type("x".into()), Step::Type("y".into())]);
    let naive = |actions, orders| RunConfig { naive: true, orders, ..config(out.path(), actions, 1) };
    // One order lets the others see the first step before they act.
    let report = run(&naive(vec![two, typing("b")], Orders::default()), &FakeFactory::default());
    assert_eq!(figures(&report), [expected("two", None, [1, 1, 1, 1]), expected("b", None, [1, 1, 1, 1])]);
    // Single steps are at the same time, unless orders of single messages are searched.
    let pair = || vec![typing("a"), typing("b")];
    let report = run(&naive(pair(), Orders::default()), &FakeFactory::default());
    assert_eq!(figures(&report), [expected("a", None, [1, 1, 1, 0]), expected("b", None, [1, 1, 1, 0])]);
    let report = run(&naive(pair(), Orders { limit: 10, ..Orders::default() }), &FakeFactory::default());
    assert_eq!(figures(&report), [expected("a", None, [1, 1, 1, 1]), expected("b", None, [1, 1, 1, 1])]);
}

/// Phase 1 tells what actions change; where it is left out, interactions have to.
const NOTHING_CHANGED: &str =
    "in no interaction did anything change that users see: they agree on a page that the actions leave as it was";

#[test]
fn a_search_in_which_nothing_crosses_is_in_doubt() {
    let out = tempfile::tempdir().unwrap();
    // Backspace does nothing to an empty text: the judged interaction is one of users who send nothing.
    let idle = RunConfig { naive: true, ..config(out.path(), vec![press("Backspace"), typing("")], 1) };
    let report = run(&idle, &FakeFactory::default());
    assert_eq!(report.counts.interactions.judged, 1);
    assert_eq!(report.doubts, [NEVER_CROSSED, NOTHING_CHANGED]);
    let told = ["`Backspace`: its user never sent a message", "``: its user never sent a message"];
    assert_eq!(report.unexercised, told);
    let shard = run(&RunConfig { shard: Some(Shard { index: 0, of: 2 }), ..idle.clone() }, &FakeFactory::default());
    assert_eq!((shard.doubts.len(), shard.unexercised.len()), (0, 0), "judged after merge");

    // One user alone sends.
    let half = RunConfig { actions: vec![typing("a"), typing("")], ..idle };
    let report = run(&half, &FakeFactory::default());
    assert_eq!(report.doubts, [NEVER_CROSSED]);
    assert_eq!(report.unexercised, ["``: its user never sent a message"]);
}

#[test]
fn an_action_that_reaches_nobody_is_told() {
    let out = tempfile::tempdir().unwrap();
    // Its effect is visible to its user alone, and the comparison of the document does not see it: nothing is ever sent back.
    let judge = Judge { effect: Aspect::Pixels, equivalence: Aspect::Pixels, convergence: Vec::new() };
    let discreet = FakeFactory::with_bugs(&[FakeBug::TellsNobody]);
    let alone = RunConfig { naive: true, judge, ..config(out.path(), vec![typing("a"), typing("")], 1) };
    let report = run(&alone, &discreet);
    assert_eq!(figures(&report), [expected("a", None, [1, 1, 0, 0]), expected("", None, [1, 0, 0, 0])]);
    assert_eq!(report.unexercised[0], "`a`: no other client ever received a message after it");
}

#[test]
fn what_was_exercised_survives_an_interruption() {
    let out = tempfile::tempdir().unwrap();
    let naive = RunConfig { naive: true, workers: 1, ..config(out.path(), actions(), 2) };
    let whole = run(&naive, &FakeFactory::default());
    let mut journal = std::fs::read_dir(out.path()).unwrap().flatten().map(|entry| entry.path().join("journal.jsonl"));
    let journal = journal.find(|path| path.is_file()).unwrap();
    let lines: Vec<String> = std::fs::read_to_string(&journal).unwrap().lines().take(12).map(str::to_string).collect();
    std::fs::write(&journal, lines.join("\n") + "\n").unwrap();
    let continued = run(&resumed(naive), &FakeFactory::default());
    assert_eq!(continued.exercised, whole.exercised);
}

#[test]
fn a_property_that_holds_once_is_enough() {
    let out = tempfile::tempdir().unwrap();
    let property = |name: &str| Sometimes { name: name.into(), js: "…".into() };
    let mut config = config(out.path(), vec![typing("a"), typing("b")], 1);
    config.application = application();
    config.application.sometimes = vec![property("alone"), property("together"), property("never")];
    let sometimes = vec![("alone", "a"), ("together", "ba"), ("never", "c")];
    let mut factory = FakeFactory::default();
    factory.sometimes = sometimes;
    let report = run(&config, &factory);
    let held = |name: &str, states, interactions| SometimesHeld { name: name.into(), states, interactions };
    let exercised = report.exercised.unwrap();
    assert_eq!(exercised.sometimes, [held("alone", 1, 1), held("together", 0, 1), held("never", 0, 0)]);
    assert_eq!(report.doubts, ["“never” of [[sometimes]] never held in any client"]);
}

#[test]
fn a_script_of_the_configuration_that_throws_is_a_doubt_of_its_own() {
    let out = tempfile::tempdir().unwrap();
    let judge = Judge { effect: Aspect::Pixels, equivalence: Aspect::Pixels, convergence: vec![Aspect::State] };
    let mut config = RunConfig { judge, ..config(out.path(), vec![typing("a"), typing("b")], 1) };
    config.options.tolerance.unknown = 1.0;
    let report = run(&config, &FakeFactory::with_bugs(&[FakeBug::StateThrows]));
    assert!(
        report.doubts.contains(&"a script of the configuration threw: `state`: no editor".to_string()),
        "{:?}",
        report.doubts
    );
}
