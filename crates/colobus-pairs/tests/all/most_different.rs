//! The order of interactions: the laws that hold for every plan, and one that can be followed by hand.

use std::collections::BTreeSet;

use colobus_model::{Action, Step};
use colobus_pairs::{Kind, Kinds, most_different_first};
use proptest::prelude::*;

const KEYS: [&str; 6] = ["Enter", "Tab", "Backspace", "Home", "End", "Delete"];

fn kind(number: usize) -> Kind {
    Kind::of_steps(&Action::new("any", vec![Step::Press(KEYS[number].parse().unwrap())]))
}

fn kinds(prefix: &[usize], concurrent: &[usize]) -> Kinds {
    let concurrent = concurrent.iter().map(|number| kind(*number)).collect();
    Kinds { last: prefix.last().map(|number| kind(*number)), concurrent }
}

/// The actions that are performed at the same time, whichever client performs which.
fn combination(kinds: &Kinds) -> Vec<Kind> {
    let mut together = kinds.concurrent.clone();
    together.sort();
    together
}

fn plans() -> impl Strategy<Value = Vec<Kinds>> {
    let numbers = |most| proptest::collection::vec(0..KEYS.len(), 0..most);
    let interaction = (numbers(3), proptest::collection::vec(0..KEYS.len(), 1..4));
    proptest::collection::vec(interaction, 0..60)
        .prop_map(|plan| plan.iter().map(|(prefix, concurrent)| kinds(prefix, concurrent)).collect())
}

proptest! {
    #[test]
    fn every_interaction_of_the_plan_comes_once(plan in plans()) {
        let mut order = most_different_first(&plan);
        order.sort_unstable();
        prop_assert_eq!(order, (0..plan.len() as u32).collect::<Vec<_>>());
    }

    #[test]
    fn one_of_every_combination_comes_before_the_second_of_any(plan in plans()) {
        let order = most_different_first(&plan);
        let all: BTreeSet<Vec<Kind>> = plan.iter().map(combination).collect();
        let first: BTreeSet<Vec<Kind>> =
            order.iter().take(all.len()).map(|number| combination(&plan[*number as usize])).collect();
        prop_assert_eq!(first, all);
    }

    /// No combination is a turn ahead of another that still has interactions.
    #[test]
    fn combinations_take_turns(plan in plans()) {
        let order: Vec<Vec<Kind>> = most_different_first(&plan).iter().map(|number| combination(&plan[*number as usize])).collect();
        for at in 0..order.len() {
            let earlier = |of: &Vec<Kind>| order[..at].iter().filter(|other| *other == of).count();
            for later in &order[at..] {
                prop_assert!(earlier(&order[at]) <= earlier(later));
            }
        }
    }

    /// A large plan has its kinds numbered: how they are written does not matter.
    #[test]
    fn numbered_kinds_have_the_same_order(plan in plans()) {
        let all: Vec<Kind> = plan.iter().flat_map(|kinds| kinds.last.iter().chain(&kinds.concurrent)).cloned().collect();
        let number = |kind: &Kind| all.iter().position(|other| other == kind).unwrap();
        let numbered = plan.iter().map(|kinds| Kinds {
            last: kinds.last.as_ref().map(number),
            concurrent: kinds.concurrent.iter().map(number).collect(),
        });
        prop_assert_eq!(most_different_first(numbered), most_different_first(&plan));
    }

    #[test]
    fn equal_plans_have_equal_orders(plan in plans()) {
        prop_assert_eq!(most_different_first(&plan), most_different_first(plan.clone()));
    }
}

#[test]
fn kinds_that_were_not_seen_come_before_new_combinations_of_those_that_were() {
    let plan = [kinds(&[], &[0, 1]), kinds(&[], &[0, 2]), kinds(&[], &[1, 2]), kinds(&[], &[3, 4])];
    assert_eq!(most_different_first(&plan), [0, 3, 1, 2]);
}

#[test]
fn of_one_combination_the_one_in_the_least_known_surroundings_comes_first() {
    let plan = [kinds(&[], &[0, 1]), kinds(&[], &[0, 1]), kinds(&[2], &[0, 1]), kinds(&[2], &[0, 1])];
    assert_eq!(most_different_first(&plan), [2, 0, 1, 3], "after another action each kind is new once more");
}

#[test]
fn a_plan_whose_interactions_are_all_alike_keeps_its_order() {
    let plan = vec![kinds(&[1], &[0, 0]); 5];
    assert_eq!(most_different_first(&plan), [0, 1, 2, 3, 4]);
}
