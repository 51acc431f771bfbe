//! How many orders each search visits, in numbers that are known from outside.

use colobus_model::Schedule;
use colobus_schedule::{Bounded, Dpor, Exhaustive, Limit, Natural, Strategy};

use crate::systems::editors::Editors;
use crate::systems::threads::Threads;
use crate::systems::{all_orders, classes, executions, order_count, orders};

const X: u8 = 1;
const Y: u8 = 2;
const Z: u8 = 4;

#[test]
fn exhaustive_interleaves_independent_sequences_in_binomially_many_ways() {
    let binomial = [((1, 1), 2), ((2, 3), 10), ((3, 4), 35), ((5, 5), 252)];
    for ((m, n), expected) in binomial {
        let system = Threads::new(&[&vec![X; m], &vec![Y; n]]);
        assert_eq!(orders(&system, &mut Exhaustive::new()).len(), expected, "C({m}+{n}, {m})");
    }
    // 6! / (2! 2! 2!)
    assert_eq!(orders(&Threads::new(&[&[X, X], &[Y, Y], &[Z, Z]]), &mut Exhaustive::new()).len(), 90);
}

#[test]
fn dpor_visits_independent_sequences_once() {
    for lengths in [[1, 1, 1], [3, 4, 2], [5, 5, 5]] {
        let [x, y, z] = lengths;
        let system = Threads::new(&[&vec![X; x], &vec![Y; y], &vec![Z; z]]);
        assert_eq!(executions(&system, &mut Dpor::new()).len(), 1);
    }
}

#[test]
fn dpor_visits_every_order_where_all_events_conflict() {
    let system = Threads::new(&[&[X, X, X], &[X, X, X, X]]);
    let mut dpor = Dpor::new();
    assert_eq!(executions(&system, &mut dpor).len(), 35);
    assert_eq!(dpor.abandoned(), 0);
}

#[test]
fn dpor_visits_one_order_of_each_class() {
    // Three writers of X and one of Y that has to come after the second: 3! orders of the writers, Y anywhere.
    let system = Threads::new(&[&[X], &[X], &[X], &[Y]]).waiting((3, 0), (1, 0));
    assert_eq!(all_orders(&system).len(), 12);
    assert_eq!(orders(&system, &mut Dpor::new()).len(), 6);
}

/// The numbers that docs/schedules.md gives: orders, classes, classes within one and within two reversals.
#[test]
fn editors_have_known_numbers() {
    let table = [
        ("one step each", Editors::new(&[1, 1]), (20, 4, 3, 4)),
        ("one step each, acknowledged", Editors::new(&[1, 1]).acknowledging(), (124, 4, 3, 4)),
        ("two steps against one", Editors::new(&[2, 1]), (420, 10, 5, 8)),
        ("two steps each, acknowledged", Editors::new(&[2, 2]).acknowledging(), (2_495_056, 118, 6, 17)),
        ("one goes offline", Editors::new(&[1, 1]).with_cut(0), (3_174, 48, 5, 13)),
    ];
    for (name, system, expected) in table {
        let dpor = classes(&orders(&system, &mut Dpor::new())).len();
        let [within_one, within_two] = [1, 2].map(|bound| {
            let visited = orders(&system, &mut Bounded::around_natural(bound));
            classes(&visited).len()
        });
        assert_eq!((order_count(&system), dpor, within_one, within_two), expected, "{name}");
    }
}

#[test]
fn dpor_misses_no_class_of_editors_and_visits_none_twice() {
    let systems = [
        Editors::new(&[1, 1]),
        Editors::new(&[1, 1]).acknowledging(),
        Editors::new(&[2, 1]),
        Editors::new(&[1, 1]).with_cut(0),
        Editors::new(&[0, 1]).with_cut(0).acknowledging(),
    ];
    for system in systems {
        let all = all_orders(&system);
        assert_eq!(orders(&system, &mut Exhaustive::new()).len(), all.len());
        let mut dpor = Dpor::new();
        let visited = orders(&system, &mut dpor);
        assert_eq!(classes(&visited), classes(&all));
        assert_eq!((visited.len(), dpor.abandoned()), (classes(&all).len(), 0));
    }
}

#[test]
fn two_conflicting_sequences_have_as_many_orders_within_a_bound_as_partitions_in_a_box() {
    // Orders of xxx and yyy by how many pairs are turned: the coefficients of the Gaussian binomial (6 choose 3).
    let coefficients = [1, 1, 2, 3, 3, 3, 3, 2, 1, 1];
    let system = Threads::new(&[&[X, X, X], &[X, X, X]]);
    let first_thread_first = orders(&system, &mut Exhaustive::new())
        .into_iter()
        .find(|order| order.windows(2).all(|pair| pair[0].thread <= pair[1].thread))
        .expect("the order in which the first thread goes first");
    for bound in 0..coefficients.len() {
        let mut bounded = Bounded::around(vec![first_thread_first.clone()], bound);
        let expected: usize = coefficients[..=bound].iter().sum();
        assert_eq!(executions(&system, &mut bounded).len(), expected, "within {bound}");
    }
}

/// One step each: the natural order, then those where one more pair is turned. The nearest to what users do come first.
#[test]
fn the_most_nearest_orders_are_these() {
    let nearest = orders(&Editors::new(&[1, 1]), &mut Bounded::nearest_first(vec![Vec::new()]));
    let lines: Vec<String> = nearest.into_iter().map(|events| Schedule { events }.to_string()).collect();
    assert_eq!(lines, ["A1 B1 A> B> B< A<", "A1 A> B< B1 B> A<", "A1 B1 B> A> B< A<", "B1 B> A< A1 A> B<"]);
}

#[test]
fn without_sight_of_queues_reversals_are_tried_in_vain_and_dpor_is_still_complete() {
    let table = [
        (Editors::new(&[2, 2]).acknowledging(), (118, 0)),
        (Editors::new(&[2, 2]).acknowledging().hiding_queues(), (116, 14)),
    ];
    for (system, expected) in table {
        let mut bounded = Bounded::nearest_first(vec![Vec::new()]);
        let executed = orders(&system, &mut bounded);
        assert_eq!((classes(&executed).len(), bounded.divergences().repeated), expected);
        assert_eq!(orders(&system, &mut Dpor::new()).len(), 118);
    }
}

#[test]
fn a_limit_is_kept_and_the_natural_order_comes_first() {
    let system = Editors::new(&[2, 2]).acknowledging();
    let natural = orders(&system, &mut Natural::new());
    assert_eq!(natural.len(), 1);
    let nearest = orders(&system, &mut Limit::new(Bounded::nearest_first(vec![Vec::new()]), 64, 1000));
    assert_eq!(nearest.len(), 64);
    assert_eq!(nearest[0], natural[0]);
    assert_eq!(classes(&nearest).len(), 64);
}

/// Too many orders to enumerate: two searches that share only their idea of a race have to agree.
#[test]
fn dpor_and_unbounded_reversals_visit_the_same_classes() {
    let table = [
        ("two steps each, acknowledged", Editors::new(&[2, 2]).acknowledging(), 118),
        ("three clients", Editors::new(&[1, 1, 1]), 36),
        ("two steps each, one goes offline", Editors::new(&[2, 2]).with_cut(0), 1711),
        ("both go offline", Editors::new(&[1, 1]).with_cut(0).with_cut(1), 2570),
    ];
    for (name, system, expected) in table {
        let mut bounded = Bounded::nearest_first(vec![Vec::new()]);
        let (one, other) = (orders(&system, &mut Dpor::new()), orders(&system, &mut bounded));
        assert_eq!(classes(&one), classes(&other), "{name}");
        assert_eq!((one.len(), other.len() - bounded.divergences().repeated), (expected, expected), "{name}");
    }
}
