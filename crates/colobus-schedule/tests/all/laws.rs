//! What holds for every system: property tests against plain enumeration.

use std::collections::BTreeMap;

use colobus_schedule::{
    Bounded, Causality, Divergences, Dpor, Exhaustive, Natural, NormalForm, Random, Replay, Strategy, System, distance,
};
use proptest::prelude::*;

use crate::systems::editors::Editors;
use crate::systems::threads::Threads;
use crate::systems::{after, all_orders, class, classes, executions, orders, pairs_apart};

fn editors() -> impl proptest::strategy::Strategy<Value = Editors> {
    prop_oneof![
        Just(Editors::new(&[1, 1])),
        Just(Editors::new(&[2, 1])),
        Just(Editors::new(&[1, 1]).acknowledging()),
        Just(Editors::new(&[1, 1]).with_cut(0)),
        Just(Editors::new(&[1, 0]).with_cut(0).acknowledging()),
        Just(Editors::new(&[0, 1]).with_cut(0)),
    ]
}

fn every_strategy<E: colobus_schedule::Schedulable + 'static>(seed: u64) -> Vec<Box<dyn Strategy<E>>> {
    vec![
        Box::new(Natural::new()),
        Box::new(Exhaustive::new()),
        Box::new(Dpor::new()),
        Box::new(Bounded::around_natural(2)),
        Box::new(Random::new(seed, 3, 8, 20)),
    ]
}

fn only_valid_orders<S: System + Clone>(system: &S, seed: u64)
where
    S::Event: 'static,
{
    for mut strategy in every_strategy(seed) {
        for order in orders(system, strategy.as_mut()) {
            let end = after(system, &order).expect("every event is enabled in its turn");
            assert!(end.enabled().is_empty(), "nothing is left over");
        }
        assert_eq!(strategy.divergences().changed, 0);
    }
}

fn replay_repeats<S: System + Clone>(system: &S, seed: u64) {
    for recorded in executions(system, &mut Random::new(seed, 4, 8, 5)) {
        let mut replay = Replay::new(recorded.order());
        assert_eq!(executions(system, &mut replay), [recorded]);
        assert!(replay.followed().is_some_and(|followed| followed.exactly()));
    }
}

fn equivalent_orders_have_one_form_and_one_outcome<S: System + Clone>(system: &S) {
    let mut forms = BTreeMap::new();
    for order in all_orders(system) {
        let outcome = after(system, &order).map(|end| end.digest());
        let known = forms.entry(NormalForm::of(&order)).or_insert((class(&order), outcome));
        assert_eq!(*known, (class(&order), outcome));
    }
    assert_eq!(forms.len(), classes(&all_orders(system)).len());
}

fn visits_exactly_what_is_within<S: System + Clone>(system: &S, bound: usize) {
    let natural = class(&orders(system, &mut Natural::new())[0]);
    let mut within = classes(&all_orders(system));
    within.retain(|class| pairs_apart(&natural, class) <= bound);
    let mut bounded = Bounded::around_natural(bound);
    let visited = orders(system, &mut bounded);
    assert_eq!(visited.len(), within.len());
    assert_eq!(classes(&visited), within);
    assert_eq!(bounded.divergences(), Divergences::default());
}

#[test]
fn bounded_visits_the_editors_within_the_bound() {
    for system in [Editors::new(&[1, 1]), Editors::new(&[2, 1]), Editors::new(&[1, 1]).acknowledging()] {
        (0..6).for_each(|bound| visits_exactly_what_is_within(&system, bound));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dpor_visits_each_class_of_threads(system in Threads::any()) {
        let visited = orders(&system, &mut Dpor::new());
        prop_assert_eq!(classes(&visited).len(), visited.len());
        prop_assert_eq!(classes(&visited), classes(&all_orders(&system)));
    }

    #[test]
    fn bounded_visits_the_threads_within_the_bound(system in Threads::any_with_single_causes(), bound in 0_usize..5) {
        visits_exactly_what_is_within(&system, bound);
    }

    #[test]
    fn the_distance_of_orders_is_that_of_their_classes(system in Threads::any(), seed: u64) {
        let random = orders(&system, &mut Random::new(seed, 4, 8, 2));
        prop_assert_eq!(distance(&random[0], &random[1]), pairs_apart(&class(&random[0]), &class(&random[1])));
    }

    #[test]
    fn a_turned_race_is_one_reversal_away(system in Threads::any_with_single_causes(), seed: u64) {
        for execution in executions(&system, &mut Random::new(seed, 4, 8, 3)) {
            let causality = Causality::observed(&execution);
            for race in causality.races() {
                let turned = causality.reversed(race);
                prop_assert!(after(&system, &turned).is_some());
                prop_assert_eq!(distance(&execution.order(), &turned), 1);
            }
        }
    }

    #[test]
    fn every_order_of_threads_is_valid(system in Threads::any(), seed: u64) {
        only_valid_orders(&system, seed);
        replay_repeats(&system, seed);
        equivalent_orders_have_one_form_and_one_outcome(&system);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_order_of_editors_is_valid(system in editors(), seed: u64) {
        only_valid_orders(&system, seed);
        replay_repeats(&system, seed);
        equivalent_orders_have_one_form_and_one_outcome(&system);
    }
}
