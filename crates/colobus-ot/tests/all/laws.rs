//! How often TP1 and TP2 are broken, and which anomalies exist.

use colobus_ot::functions::by_name;
use colobus_ot::properties::intention::Anomaly;
use colobus_ot::properties::tp::Law;
use colobus_ot::{Function, Options, Setting, Verdict};

fn named(name: &str) -> &'static dyn Function {
    by_name(name).unwrap_or_else(|| panic!("there is a function {name}")).function
}

/// Violations of TP1, TP2 by effect and TP2 by form.
fn violations(name: &str, positions: u8, context: usize) -> [u64; 3] {
    Law::ALL.map(|law| {
        let found = named(name).count_law(law, positions, 2, context, &Options::default()).expect("a valid size");
        assert_eq!(found.witness.is_some(), found.violations > 0);
        found.violations
    })
}

#[test]
fn broken_exactly_this_often_with_fresh_parameters() {
    let found = named("ttf").count_law(Law::Tp1, 5, 2, 0, &Options::default()).unwrap();
    assert_eq!(found.cases, 450);
    assert_eq!(violations("ellis", 5, 0), [32, 576, 576]);
    assert_eq!(violations("ressel", 5, 0), [0, 96, 192]);
    assert_eq!(violations("sun", 5, 0), [20, 96, 192]);
    assert_eq!(violations("suleiman", 5, 0), [0, 0, 300]);
    assert_eq!(violations("imine", 5, 0), [0, 0, 0]);
    assert_eq!(violations("ttf", 5, 0), [0, 0, 0]);
}

#[test]
fn forms_reached_after_one_other_operation_break_tp2_where_fresh_ones_do_not() {
    let [tp1, by_effect, by_form] = violations("suleiman", 3, 1);
    assert_eq!(tp1, 0);
    assert!(by_effect > 0 && by_form > by_effect);
    let [tp1, by_effect, _] = violations("imine", 3, 1);
    assert!(tp1 == 0 && by_effect > 0);
    assert_eq!(violations("ttf", 3, 1), [0, 0, 0]);
}

fn anomalies(name: &str) -> [Verdict; 3] {
    let two_words = Setting::new(vec![2, 2]).and_then(|s| s.positions(0..=1)).and_then(|s| s.alphabet(3)).unwrap();
    Anomaly::ALL.map(|anomaly| named(name).find_anomaly(&two_words, anomaly, &Options::default()).unwrap().verdict)
}

#[test]
fn anomalies_of_two_users_with_two_operations_each() {
    use Verdict::{Holds, Violated};
    assert_eq!(anomalies("ellis"), [Violated, Violated, Holds]);
    assert_eq!(anomalies("ressel"), [Holds, Holds, Holds]);
    assert_eq!(anomalies("suleiman"), [Violated, Holds, Violated]);
    assert_eq!(anomalies("imine"), [Violated, Holds, Violated]);
    assert_eq!(anomalies("ttf"), [Holds, Holds, Holds]);
}
