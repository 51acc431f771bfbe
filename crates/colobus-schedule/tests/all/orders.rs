//! The orders that stand for "at the same time".

use colobus_model::{Action, ClientId, Event, Interaction, Schedule, ScheduleError, Step};
use colobus_schedule::orders::{at_leisure, concurrent_orders, one_after_the_other, orders_around, stale_poll_orders};
use proptest::prelude::*;

fn action(steps: usize) -> Action {
    Action::new(format!("{steps} steps"), vec![Step::Press("a".parse().unwrap()); steps])
}

fn interaction(steps: &[usize]) -> Interaction {
    Interaction::new(vec![], steps.iter().map(|count| action(*count)).collect())
}

fn lines(steps: &[usize]) -> Vec<String> {
    concurrent_orders(&interaction(steps)).iter().map(Schedule::to_string).collect()
}

#[test]
fn both_directions_and_two_more_for_every_longer_action() {
    assert_eq!(lines(&[1, 1]), ["A1 B1 ~", "B1 A1 ~"]);
    assert_eq!(lines(&[3, 1]), ["A1 A2 A3 B1 ~", "B1 A1 A2 A3 ~", "A1 ~ A2 A3 B1 ~", "A1 B1 ~ A2 A3 ~"]);
    let both =
        ["A1 A2 B1 B2 ~", "B1 B2 A1 A2 ~", "A1 ~ A2 B1 B2 ~", "B1 ~ B2 A1 A2 ~", "A1 B1 B2 ~ A2 ~", "B1 A1 A2 ~ B2 ~"];
    assert_eq!(lines(&[2, 2]), both);
    assert_eq!(lines(&[1, 1, 2]), ["A1 B1 C1 C2 ~", "C1 C2 B1 A1 ~", "C1 ~ C2 A1 B1 ~", "C1 A1 B1 ~ C2 ~"]);
}

#[test]
fn rounds_follow_each_other_after_everybody_has_seen_everything() {
    let twice = Interaction { rounds: 2, ..interaction(&[2, 1]) };
    let lines: Vec<String> = concurrent_orders(&twice).iter().map(Schedule::to_string).collect();
    assert_eq!(
        lines,
        ["A1 A2 B1 ~ A3 A4 B2 ~", "B1 A1 A2 ~ B2 A3 A4 ~", "A1 ~ A2 B1 ~ A3 A4 B2 ~", "A1 B1 ~ A2 ~ A3 A4 B2 ~"]
    );
    for order in concurrent_orders(&twice) {
        assert_eq!(order.validate(&twice), Ok(()));
    }
}

#[test]
fn polls_of_before_are_answered_after_everything_or_before_anything_has_arrived() {
    let lines = |interaction: Interaction| -> Vec<String> {
        let orders = stale_poll_orders(&interaction);
        orders.iter().for_each(|order| assert_eq!(order.validate(&interaction), Ok(())));
        orders.iter().map(Schedule::to_string).collect()
    };
    assert_eq!(lines(interaction(&[2, 1])), ["A? B? A1 A2 B1 B?< ~ A?< ~", "A? B? A1 A2 B1 A?< ~ B?< ~"]);
    let twice = Interaction { rounds: 2, ..interaction(&[1, 1]) };
    assert_eq!(lines(twice), ["A? B? A1 B1 B?< ~ A2 B2 ~ A?< ~", "A? B? A1 B1 A?< ~ A2 B2 ~ B?< ~"]);
    assert_eq!(lines(interaction(&[1])), ["A? A1 ~ A?< ~", "A? A1 A?< ~"]);
}

#[test]
fn users_take_turns_at_once_or_at_leisure() {
    assert_eq!(one_after_the_other(&interaction(&[2, 1]), false).to_string(), "A1 A2 ~ B1 ~");
    assert_eq!(one_after_the_other(&interaction(&[2, 1]), true).to_string(), "B1 ~ A1 A2 ~");
    assert_eq!(at_leisure(&interaction(&[2, 1]), false).to_string(), "A... B... ~ A1 ~ A2 ~ A... B... ~ B1 ~");
    assert_eq!(at_leisure(&interaction(&[2, 1]), true).to_string(), "A... B... ~ B1 ~ A... B... ~ A1 ~ A2 ~");
}

#[test]
fn a_line_that_is_no_schedule_says_why() {
    let parse = |line: &str| line.parse::<Schedule>();
    assert_eq!(
        parse("A1 b2").unwrap_err().to_string(),
        "`b2` (event 2 of the schedule) is not an event: write a client's step such as A1, a message such as A> or B<, an event of a page such as A:timer, or ~ to deliver all messages"
    );
    assert!(matches!(parse("A0"), Err(ScheduleError::UnknownEvent { .. })));
    let check = |line: &str| parse(line).unwrap().validate(&interaction(&[2, 1])).map_err(|error| error.to_string());
    assert_eq!(check("A1 A2 B1 ~"), Ok(()));
    assert_eq!(check("A2 A1 B1").unwrap_err(), "the schedule has step 2 of client A where step 1 must come");
    assert_eq!(check("A1 B1").unwrap_err(), "the schedule leaves out step 2 of client A");
    assert_eq!(
        check("A1 A2 B1 B2").unwrap_err(),
        "the schedule names step 2 of client B, but the action `1 steps` has 1"
    );
    assert_eq!(check("A1 A2 B1 C1").unwrap_err(), "the schedule names client C, but the interaction has 2 clients");
}

proptest! {
    #[test]
    fn orders_are_valid_distinct_and_survive_being_written(steps in proptest::collection::vec(1usize..5, 2..5)) {
        let interaction = interaction(&steps);
        let all = concurrent_orders(&interaction);
        for (i, order) in all.iter().enumerate() {
            prop_assert_eq!(order.validate(&interaction), Ok(()));
            prop_assert_eq!(&order.to_string().parse::<Schedule>().unwrap(), order);
            prop_assert!(!all[..i].contains(order));
        }
        prop_assert_eq!(all.len(), 2 + 2 * steps.iter().filter(|count| **count > 1).count());
    }
}

#[test]
fn turns_that_follow_each_other_are_taken_at_the_same_time_or_inside_each_other() {
    let around = |taken: &str| -> Vec<String> {
        orders_around(&taken.parse().unwrap()).iter().map(ToString::to_string).collect()
    };
    assert_eq!(around("A1 A2"), Vec::<String>::new());
    assert_eq!(around("A1 A2 B1"), ["A1 A2 B1 ~", "B1 A1 A2 ~", "A1 B1 ~ A2 ~"]);
    let together = [
        "A1 B1 B2 ~ A2 ~ C1 ~",
        "B1 B2 A1 ~ A2 ~ C1 ~",
        "A1 ~ B1 B2 A2 ~ C1 ~",
        "A1 ~ A2 B1 B2 ~ C1 ~",
        "A1 ~ B1 B2 ~ A2 C1 ~",
        "A1 ~ B1 B2 ~ C1 A2 ~",
    ];
    let between = ["B1 A1 ~ B2 ~ A2 ~ C1 ~", "A1 ~ B1 A2 ~ B2 ~ C1 ~"];
    assert_eq!(around("A1 B1 B2 A2 C1"), [&together[..], &between].concat());
}

proptest! {
    /// However users took turns: every order has each step once and in its place, and none is there twice.
    #[test]
    fn orders_around_another_have_the_same_steps(clients in proptest::collection::vec(0usize..3, 0..12)) {
        let mut counts = [0; 3];
        let step = |client: usize| { counts[client] += 1; Event::Step { client: ClientId(client), step: counts[client] - 1 } };
        let taken = Schedule { events: clients.into_iter().map(step).collect() };
        let orders = orders_around(&taken);
        for (index, order) in orders.iter().enumerate() {
            prop_assert_eq!(order.validate(&interaction(&counts)), Ok(()));
            prop_assert!(!orders[..index].contains(order), "{order}");
        }
    }
}
