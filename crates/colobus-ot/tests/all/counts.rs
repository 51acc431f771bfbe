//! Verdicts and counts that must not change: a lost or doubled execution shows here.

use colobus_ot::functions::{Ellis, by_name};
use colobus_ot::{Function, Model, Op, Options, Outcome, Setting, Transformation, Verdict};

fn named(name: &str) -> &'static dyn Function {
    by_name(name).unwrap_or_else(|| panic!("there is a function {name}")).function
}

fn states(function: &dyn Function, sites: usize, ops: usize) -> (Verdict, u64, u64) {
    let setting = Setting::spread(sites, ops).unwrap();
    let outcome = function.check(&setting, Model::Symbolic, &Options::default()).unwrap();
    (outcome.verdict, outcome.explored, outcome.computed)
}

fn symbolic(name: &str, sites: usize, ops: usize) -> (Verdict, u64, u64) {
    states(named(name), sites, ops)
}

fn fast(name: &str, setting: Setting) -> Outcome {
    named(name).check(&setting, Model::Fast, &Options::default()).unwrap()
}

#[test]
fn the_symbolic_model_of_three_sites_and_operations_has_1837_states() {
    assert_eq!(symbolic("suleiman", 3, 3), (Verdict::Holds, 1837, 1837));
    assert_eq!(symbolic("imine", 3, 3), (Verdict::Holds, 1837, 1837));
    assert_eq!(symbolic("ttf", 3, 3), (Verdict::Holds, 1837, 1837));
}

#[test]
fn the_symbolic_model_finds_violations_after_exactly_these_states() {
    assert_eq!(symbolic("ellis", 3, 3), (Verdict::Violated, 1611, 1725));
    assert_eq!(symbolic("ressel", 3, 3), (Verdict::Violated, 1625, 1739));
    assert_eq!(symbolic("sun", 3, 3), (Verdict::Violated, 1611, 1725));
    assert_eq!(symbolic("suleiman", 3, 4), (Verdict::Violated, 18_450, 19_380));
    assert_eq!(symbolic("imine", 3, 4), (Verdict::Violated, 18_401, 19_331));
}

/// Ellis' function as the paper seems to have coded it: its state counts appear with this case.
struct EllisOfThePaper;

impl Transformation for EllisOfThePaper {
    type Extra = ();

    fn ins_ins(&self, a: Op, b: Op) -> Op {
        Ellis.ins_ins(a, b)
    }

    fn ins_del(&self, a: Op, b: Op) -> Op {
        if a.position <= b.position { a } else { a.left() }
    }
}

#[test]
fn the_papers_count_for_ellis_belongs_to_another_case() {
    assert_eq!(states(&EllisOfThePaper, 3, 3), (Verdict::Violated, 1625, 1739));
}

#[test]
fn the_symbolic_model_of_four_operations_has_20238_states() {
    let few_positions = Setting::spread(3, 4).unwrap().positions(0..=1).unwrap();
    let outcome = named("ttf").check(&few_positions, Model::Symbolic, &Options::default()).unwrap();
    assert_eq!((outcome.verdict, outcome.explored), (Verdict::Holds, 20_238));
    assert_eq!((outcome.orders, outcome.traces), (66, 194));
}

#[test]
fn the_fast_model_counts_orders_traces_and_transformations() {
    let counts = |sites, ops| {
        let outcome = fast("ttf", Setting::spread(sites, ops).unwrap().positions(0..=1).unwrap());
        assert_eq!(outcome.verdict, Verdict::Holds);
        (outcome.orders, outcome.traces, outcome.transformations)
    };
    assert_eq!(counts(3, 3), (19, 42, 48));
    assert_eq!(counts(3, 4), (66, 194, 294));
    assert_eq!(counts(4, 4), (219, 960, 1476));
}

#[test]
fn site_symmetry_leaves_sixteen_orders_of_four_and_is_refused_where_it_is_unsound() {
    let setting = Setting::spread(4, 4).unwrap().positions(0..=1).unwrap();
    let options = Options { symmetry: true, ..Options::default() };
    let outcome = named("imine").check(&setting, Model::Fast, &options).unwrap();
    assert_eq!((outcome.orders, outcome.traces, outcome.transformations), (16, 96, 176));
    named("ttf").check(&setting, Model::Fast, &options).expect_err("its result depends on site numbers");
}

#[test]
fn verdicts_of_the_fast_model() {
    let verdict = |outcome: Outcome| outcome.verdict;
    let three = || Setting::spread(3, 3).unwrap();
    let four = || Setting::spread(3, 4).unwrap();
    assert_eq!(verdict(fast("ellis", three())), Verdict::Violated);
    assert_eq!(verdict(fast("ressel", three())), Verdict::Violated);
    assert_eq!(verdict(fast("sun", three())), Verdict::Violated);
    assert_eq!(verdict(fast("suleiman", three())), Verdict::Holds);
    assert_eq!(verdict(fast("imine", three())), Verdict::Holds);
    assert_eq!(verdict(fast("ttf", three())), Verdict::Holds);
    assert_eq!(verdict(fast("suleiman", four())), Verdict::Violated);
    assert_eq!(verdict(fast("imine", four())), Verdict::Violated);
}

#[test]
fn tombstones_hold_with_all_24_signatures_of_four_operations() {
    let outcome = fast("ttf", Setting::spread(3, 4).unwrap());
    assert_eq!((outcome.verdict, outcome.evaluations), (Verdict::Holds, 66 * 24u64.pow(4)));
}
