//! What a search finds can be written down, read again and executed directly, with the same result.

use colobus_ot::functions::{FUNCTIONS, Ressel, by_name};
use colobus_ot::scenario::{Scenario, ScenarioError, replay};
use colobus_ot::{Model, Network, Options, Setting, Verdict, smallest_violation};

#[test]
fn every_counterexample_survives_the_way_through_a_file() {
    let setting = Setting::spread(3, 4).and_then(|s| s.positions(0..=3)).unwrap();
    for entry in FUNCTIONS.iter().filter(|entry| entry.name != "ttf") {
        for model in [Model::Fast, Model::Symbolic] {
            let outcome = entry.function.check(&setting, model, &Options::default()).unwrap();
            let found = outcome.counterexample.unwrap_or_else(|| panic!("{} is broken", entry.name));
            let scenario = entry.function.scenario(&found, entry.name);
            let file = serde_json::to_string_pretty(&scenario).unwrap();
            let read: Scenario = serde_json::from_str(&file).unwrap();
            assert_eq!(read, scenario);
            assert!(!entry.function.replay(&read).unwrap().converges, "{} {model:?}: {file}", entry.name);
        }
    }
}

#[test]
fn the_smallest_violation_has_no_more_operations_than_needed() {
    let setting = Setting::spread(3, 4).unwrap();
    let smallest = |name: &str| {
        let entry = by_name(name).unwrap();
        let found = entry.function.check(&setting, Model::Fast, &Options::default()).unwrap().counterexample.unwrap();
        let smallest = smallest_violation(entry.function, &found, &Options::default()).unwrap();
        (smallest.setting.operations, *smallest.setting.positions.end())
    };
    assert_eq!(smallest("sun"), (vec![1, 1], 0));
    assert_eq!(smallest("ellis"), (vec![1, 1], 1));
    assert_eq!(smallest("ressel"), (vec![1, 1, 1], 1));
    assert_eq!(smallest("suleiman"), (vec![2, 1, 1], 1));
    assert_eq!(smallest("imine"), (vec![2, 1, 1], 0));
}

fn with_server(name: &str) -> (Verdict, u64) {
    let function = by_name(name).unwrap().function;
    let setting = Setting::spread(3, 4).and_then(|s| s.positions(0..=2)).unwrap().network(Network::Server);
    let outcome = function.check(&setting, Model::Fast, &Options::default()).unwrap();
    if let Some(found) = outcome.counterexample {
        let scenario = function.scenario(&found, name);
        assert!(!function.replay(&scenario).unwrap().converges);
    }
    (outcome.verdict, outcome.orders)
}

#[test]
fn with_a_server_tp1_is_enough() {
    let (verdict, orders) = with_server("ressel");
    assert_eq!((verdict, orders), (Verdict::Holds, 170));
    assert_eq!(with_server("suleiman"), (Verdict::Holds, orders));
    assert_eq!(with_server("imine"), (Verdict::Holds, orders));
    assert_eq!(with_server("ttf"), (Verdict::Holds, orders));
    assert_eq!(with_server("ellis").0, Verdict::Violated);
    assert_eq!(with_server("sun").0, Verdict::Violated);
}

fn read(file: &str) -> Scenario {
    serde_json::from_str(file).unwrap()
}

fn peers(operations: &str, traces: &str) -> Scenario {
    read(&format!(r#"{{"function": "ressel", "text": "ab", "operations": [{operations}], "traces": [{traces}]}}"#))
}

const A: &str = r#"{"name": "a", "site": 1, "do": "Ins(0,x)"}"#;
const B: &str = r#"{"name": "b", "site": 2, "do": "Ins(0,y)"}"#;
const B_AFTER_A: &str = r#"{"name": "b", "site": 2, "do": "Ins(0,y)", "after": ["a"]}"#;

#[test]
fn a_hand_written_scenario_is_executed_step_by_step() {
    let traces = r#"{"site": 1, "order": ["a", "b"]}, {"site": 2, "order": ["b", "a"]}"#;
    let replay = replay(&Ressel, &peers(&format!("{A},{B}"), traces)).unwrap();
    assert!(replay.converges);
    let steps =
        |site: usize| replay.sites[site].steps.iter().map(|s| (s.form.as_str(), s.text.as_str())).collect::<Vec<_>>();
    assert_eq!(steps(0), [("Ins(0,x)", "xab"), ("Ins(1,y)", "xyab")]);
    assert_eq!(steps(1), [("Ins(0,y)", "yab"), ("Ins(0,x)", "xyab")]);
}

#[test]
fn impossible_causality_is_explained() {
    let both = r#"{"site": 1, "order": ["a", "b"]}, {"site": 2, "order": ["b", "a"]}"#;
    let error = |operations: &str, traces: &str| replay(&Ressel, &peers(operations, traces)).unwrap_err();
    let effect_first = error(&format!("{A},{B_AFTER_A}"), both);
    assert!(matches!(effect_first, ScenarioError::EffectBeforeCause { .. }), "{effect_first}");
    let seen = error(&format!("{A},{B}"), r#"{"site": 1, "order": ["b", "a"]}, {"site": 2, "order": ["b", "a"]}"#);
    assert!(matches!(seen, ScenarioError::SeenTooMuch { .. }), "{seen}");
    let circle = r#"{"name": "a", "site": 1, "do": "Ins(0,x)", "after": ["b"]}"#;
    assert_eq!(error(&format!("{circle},{B_AFTER_A}"), both), ScenarioError::Circular("a".into()));
    let same_site = r#"{"name": "b", "site": 1, "do": "Del(0)"}"#;
    assert!(matches!(error(&format!("{A},{same_site}"), both), ScenarioError::UnorderedSite(..)));
    assert!(matches!(error(&format!("{A},{A}"), both), ScenarioError::SameName(_)));
    let unknown = error(A, both);
    assert!(unknown.to_string().contains("`b`, mentioned by the trace of site 1"), "{unknown}");
    assert_eq!(error(A, r#"{"site": 1, "order": ["a"]}"#), ScenarioError::TooFewTraces);
    let missing = error(&format!("{A},{B}"), r#"{"site": 1, "order": ["a"]}, {"site": 2, "order": ["b", "a"]}"#);
    assert!(matches!(missing, ScenarioError::Incomplete { times: 0, .. }), "{missing}");
    let far = r#"{"name": "b", "site": 2, "do": "Del(2)"}"#;
    assert!(matches!(error(&format!("{A},{far}"), both), ScenarioError::DoesNotFit { length: 2, .. }));
    assert_eq!(error("", both), ScenarioError::Operations(0));
}

#[test]
fn a_client_must_follow_the_servers_order() {
    let traces = r#"{"site": 0, "order": ["a", "b"]}, {"site": 1, "order": ["a", "b"]}, {"site": 2, "order": ["b", "a"]},
        {"site": 3, "order": ["b", "a"]}"#;
    let mut scenario = peers(&format!("{A},{B}"), traces);
    scenario.server = true;
    let error = replay(&Ressel, &scenario).unwrap_err();
    assert_eq!(error, ScenarioError::Stuck("site 3".into(), "b".into()));
    scenario.traces.remove(0);
    assert_eq!(replay(&Ressel, &scenario).unwrap_err(), ScenarioError::MissingTrace("the server".into()));
}
