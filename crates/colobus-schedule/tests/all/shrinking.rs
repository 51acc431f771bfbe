//! From a failing order to the smallest: exact results for known bugs.

use colobus_model::{Event, Schedule};
use colobus_schedule::{Execution, Natural, Random, Replay, Reversal, Shrinker, System, distance, explore, reversals};
use proptest::prelude::*;

use crate::systems;
use crate::systems::editors::Editors;
use crate::systems::threads::Threads;
use crate::systems::{executions, orders};

fn events(line: &str) -> Vec<Event> {
    line.parse::<Schedule>().expect("a schedule").events
}

fn line(events: &[Event]) -> String {
    Schedule { events: events.to_vec() }.to_string()
}

/// Runs all candidates for real. Returns the result and how many runs it took.
fn shrink<S: System + Clone>(
    natural: Vec<S::Event>,
    failing: Execution<S::Event>,
    fresh: impl Fn(&[S::Event]) -> S,
    fails: impl Fn(&[S::Event], &S) -> bool,
) -> (Vec<S::Event>, usize) {
    let mut shrinker = Shrinker::new(natural, failing);
    let mut runs = 0;
    while let Some(candidate) = shrinker.candidate() {
        runs += 1;
        let mut failed = None;
        let system = fresh(&candidate);
        explore(
            &mut Replay::new(candidate),
            || system.clone(),
            |execution, end| {
                failed = fails(&execution.order(), end).then(|| execution.clone());
            },
        );
        shrinker.answer(failed);
    }
    (shrinker.smallest().to_vec(), runs)
}

fn recorded(system: &Editors, order: &str) -> Execution<Event> {
    let mut replay = Replay::new(events(order));
    let executed = executions(system, &mut replay);
    assert!(replay.followed().is_some_and(|followed| followed.exactly()), "{order} is not what happens");
    executed.into_iter().next().expect("one execution")
}

#[test]
fn what_fails_naturally_too_becomes_natural() {
    let system = Editors::new(&[1, 1]);
    let natural = orders(&system, &mut Natural::new()).remove(0);
    assert_eq!(line(&natural), "A1 B1 A> B> B< A<");
    let failing = recorded(&system, "B1 B> A< A1 A> B<");
    let (smallest, runs) = shrink(natural.clone(), failing, |_| system.clone(), |_, _| true);
    assert_eq!((smallest, runs), (natural, 1));
}

#[test]
fn only_the_reversal_that_matters_is_left() {
    let system = Editors::new(&[2, 2]);
    let natural = orders(&system, &mut Natural::new()).remove(0);
    // B gets A's first edit before its own first step: wrong for B, whatever else happens.
    let fails = |_: &[Event], end: &Editors| end.view(1).starts_with('a');
    let failing = recorded(&system, "A1 A> B< A2 A> B< B1 B2 B> B> A< A<");
    let (smallest, _) = shrink(natural.clone(), failing, |_| system.clone(), fails);
    assert_eq!(
        (line(&natural), line(&smallest)),
        ("A1 B1 A> A2 B> B2 B< A> A< B> B< A<".into(), "A1 A> A2 B< B1 B> B2 A> A< B> B< A<".into())
    );
    // That B's second step comes after it as well follows from that.
    assert_eq!(distance(&natural, &smallest), 2);
    let [first, second] = [events("B<")[0].clone(), events("B1")[0].clone()];
    assert_eq!(reversals(&natural, &smallest), [Reversal { first, second, positions: (3, 4) }]);
}

#[test]
fn a_fault_goes_if_it_fails_without() {
    let with_fault = Editors::new(&[1, 1]).with_cut(0);
    let natural = orders(&with_fault, &mut Natural::new()).remove(0);
    let plan = |order: &[Event]| match order.iter().any(|event| matches!(event, Event::Cut { .. })) {
        true => with_fault.clone(),
        false => Editors::new(&[1, 1]),
    };
    let failing = recorded(&with_fault, "B1 A! B> A1 A+ A> A< B<");
    let (smallest, _) = shrink(natural.clone(), failing.clone(), plan, |_, end| end.log().starts_with('b'));
    assert_eq!(line(&smallest), "A1 B1 B> A> A< B<");
    // A connection that was resumed needs the cut, and no reversal.
    let (smallest, _) = shrink(natural.clone(), failing, plan, |_, end| end.log().contains('A'));
    assert_eq!(smallest, natural);
    assert_eq!(line(&smallest), "A! A1 B1 B> A+ A> A< B<");
}

#[test]
fn a_flush_goes_if_it_fails_without() {
    let system = Editors::new(&[1, 1]).with_flush();
    let natural = orders(&system, &mut Natural::new()).remove(0);
    let failing = recorded(&system, "A1 ~ B1 ~");
    let (smallest, runs) = shrink(natural, failing, |_| system.clone(), |_, end| end.view(1).starts_with('a'));
    assert_eq!((line(&smallest).as_str(), runs), ("A1 ~ B1 B> A<", 4));
}

#[test]
fn every_reversal_left_is_needed() {
    // Thread 2 has to overtake thread 1 twice, thread 0 not at all.
    let system = Threads::new(&[&[1, 1], &[1, 1], &[1, 1]]);
    let natural = orders(&system, &mut Natural::new()).remove(0);
    let fails = |order: &[_], _: &Threads| {
        let place =
            |thread, index| order.iter().position(|w: &systems::threads::Write| (w.thread, w.index) == (thread, index));
        place(2, 0) < place(1, 0) && place(2, 1) < place(1, 1)
    };
    for failing in executions(&system, &mut Random::new(5, 4, 6, 50)) {
        if fails(&failing.order(), &system) {
            let (smallest, _) = shrink(natural.clone(), failing, |_| system.clone(), fails);
            assert_eq!(distance(&natural, &smallest), 2);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shrinking_ends_with_something_that_fails_and_is_no_larger(system in Threads::any(), seed: u64, mask: u64) {
        let natural = orders(&system, &mut Natural::new()).remove(0);
        let failing = executions(&system, &mut Random::new(seed, 4, 8, 1)).remove(0);
        // A bug of any shape: some orders, as their outcome has it, fail; the first does.
        let wanted = failing.order();
        let fails = |order: &[_], end: &Threads| order == wanted || (end.digest() ^ mask).count_ones().is_multiple_of(2);
        let before = distance(&natural, &wanted);
        let (smallest, _) = shrink(natural.clone(), failing, |_| system.clone(), fails);
        let end = systems::after(&system, &smallest).expect("a valid order");
        prop_assert!(fails(&smallest, &end));
        prop_assert!(distance(&natural, &smallest) <= before);
    }

    #[test]
    fn reversals_are_empty_exactly_for_equivalent_orders(system in Threads::any(), seed: u64) {
        let random = orders(&system, &mut Random::new(seed, 4, 8, 2));
        let critical = reversals(&random[0], &random[1]);
        prop_assert_eq!(critical.is_empty(), distance(&random[0], &random[1]) == 0);
    }
}
