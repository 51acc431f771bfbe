//! How often TP1 and TP2 are broken, and which anomalies exist.

use colobus_ot::functions::{Ellis, Imine, Ressel, Suleiman, Sun, Ttf};
use colobus_ot::properties::intention::{Anomaly, find};
use colobus_ot::properties::tp::{Law, count};
use colobus_ot::{Options, Setting, Transformation, Verdict};

/// Violations of TP1, TP2 by effect and TP2 by form.
fn violations<T: Transformation>(function: &T, positions: u8, context: usize) -> [u64; 3] {
    Law::ALL.map(|law| {
        let found = count(function, law, positions, 2, context, &Options::default()).expect("a valid size");
        assert_eq!(found.witness.is_some(), found.violations > 0);
        found.violations
    })
}

#[test]
fn broken_exactly_this_often_with_fresh_parameters() {
    let found = count(&Ttf, Law::Tp1, 5, 2, 0, &Options::default()).unwrap();
    assert_eq!(found.cases, 450);
    assert_eq!(violations(&Ellis, 5, 0), [32, 576, 576]);
    assert_eq!(violations(&Ressel, 5, 0), [0, 96, 192]);
    assert_eq!(violations(&Sun, 5, 0), [20, 96, 192]);
    assert_eq!(violations(&Suleiman, 5, 0), [0, 0, 300]);
    assert_eq!(violations(&Imine, 5, 0), [0, 0, 0]);
    assert_eq!(violations(&Ttf, 5, 0), [0, 0, 0]);
}

#[test]
fn forms_reached_after_one_other_operation_break_tp2_where_fresh_ones_do_not() {
    let [tp1, by_effect, by_form] = violations(&Suleiman, 3, 1);
    assert_eq!(tp1, 0);
    assert!(by_effect > 0 && by_form > by_effect);
    let [tp1, by_effect, _] = violations(&Imine, 3, 1);
    assert!(tp1 == 0 && by_effect > 0);
    assert_eq!(violations(&Ttf, 3, 1), [0, 0, 0]);
}

fn anomalies<T: Transformation>(function: &T) -> [Verdict; 3] {
    let two_words = Setting::new(vec![2, 2]).and_then(|s| s.positions(0..=1)).and_then(|s| s.alphabet(3)).unwrap();
    Anomaly::ALL.map(|anomaly| find(function, &two_words, anomaly, &Options::default()).unwrap().verdict)
}

#[test]
fn anomalies_of_two_users_with_two_operations_each() {
    use Verdict::{Holds, Violated};
    assert_eq!(anomalies(&Ellis), [Violated, Violated, Holds]);
    assert_eq!(anomalies(&Ressel), [Holds, Holds, Holds]);
    assert_eq!(anomalies(&Suleiman), [Violated, Holds, Violated]);
    assert_eq!(anomalies(&Imine), [Violated, Holds, Violated]);
    assert_eq!(anomalies(&Ttf), [Holds, Holds, Holds]);
}
