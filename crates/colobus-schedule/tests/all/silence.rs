//! Orders that nobody can tell apart, because steps send nothing.

use std::collections::{BTreeMap, BTreeSet};

use colobus_model::{Action, ClientId, Event, Interaction, Schedule, Step};
use colobus_schedule::SilentSteps;
use colobus_schedule::orders::concurrent_orders;
use proptest::prelude::*;

fn interaction(steps: &[usize]) -> Interaction {
    let action = |count: &usize| Action::new("any", vec![Step::Press("a".parse().unwrap()); *count]);
    Interaction::new(vec![], steps.iter().map(action).collect())
}

fn step(text: &str) -> Event {
    text.parse::<Schedule>().unwrap().events.remove(0)
}

fn silent(steps: &[&str]) -> SilentSteps {
    steps.iter().map(|text| step(text)).collect()
}

/// The orders that are left if of those with one course the first is run.
fn left(steps: &[usize], silent: &SilentSteps) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let orders = concurrent_orders(&interaction(steps)).into_iter();
    orders.filter(|order| seen.insert(silent.course(order))).map(|order| order.to_string()).collect()
}

#[test]
fn orders_whose_steps_all_send_are_all_run() {
    assert_eq!(left(&[1, 1], &silent(&[])).len(), 2);
    assert_eq!(left(&[2, 2], &silent(&[])).len(), 6);
}

#[test]
fn who_sends_first_is_no_question_if_one_client_sends_nothing() {
    assert_eq!(left(&[1, 1], &silent(&["A1"])), ["A1 B1 ~"]);
    assert_eq!(left(&[1, 1], &silent(&["A1", "B1"])), ["A1 B1 ~"]);
}

#[test]
fn nobody_sees_a_first_step_that_sends_nothing() {
    let orders = ["A1 A2 A3 B1 ~", "B1 A1 A2 A3 ~", "A1 B1 ~ A2 A3 ~"];
    assert_eq!(left(&[3, 1], &silent(&["A1"])), orders, "what arrives after it still matters");
    assert_eq!(left(&[3, 1], &silent(&["A2"])).len(), 4);
}

#[test]
fn an_order_with_anything_else_in_it_has_no_course() {
    let course = |line: &str| silent(&[]).course(&line.parse().unwrap());
    assert!(course("A1 B1 ~").is_some());
    assert_eq!(course("A1 A> B1 ~"), None);
    assert_eq!(course("A1 A! B1 ~"), None);
}

/// Clients that know their own steps and what they received, and an application that passes on what reaches it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Simulated {
    clients: BTreeMap<ClientId, Vec<String>>,
    application: Vec<String>,
}

/// A step says all that its client knows, unless it is silent, which it is only while its client has received nothing.
fn simulate(order: &Schedule, clients: usize, silent: &BTreeSet<Event>) -> Simulated {
    let mut world = Simulated::default();
    (0..clients).for_each(|client| drop(world.clients.insert(ClientId(client), Vec::new())));
    let (mut sent, mut received) = (Vec::new(), BTreeSet::new());
    for event in &order.events {
        if let Event::Step { client, step } = event {
            let knows = world.clients.get_mut(client).unwrap();
            knows.push(format!("step {step}"));
            if received.contains(client) || !silent.contains(event) {
                sent.push((*client, format!("{client}: {knows:?}")));
            }
        } else {
            for (from, message) in sent.drain(..) {
                world.application.push(message.clone());
                for (client, knows) in &mut world.clients {
                    // Its author is told that it arrived.
                    knows.push(if *client == from { "arrived".into() } else { message.clone() });
                    received.insert(*client);
                }
            }
        }
    }
    world
}

proptest! {
    #[test]
    fn orders_of_one_course_end_alike_for_everybody(
        steps in proptest::collection::vec(1..4_usize, 1..4),
        chosen in proptest::collection::vec(any::<bool>(), 12),
        flushes in proptest::collection::vec(any::<bool>(), 12),
    ) {
        let interaction = interaction(&steps);
        let mut orders = concurrent_orders(&interaction);
        // And each with further flushes.
        let more = orders.iter().map(|order| {
            let events = order.events.iter().zip(&flushes);
            Schedule { events: events.flat_map(|(event, flush)| [Some(event.clone()), flush.then_some(Event::Flush)]).flatten().chain([Event::Flush]).collect() }
        });
        orders.extend(more.collect::<Vec<_>>());
        let all = orders[0].events.iter().filter(|event| **event != Event::Flush);
        let steps: BTreeSet<Event> = all.zip(&chosen).filter(|(_, chosen)| **chosen).map(|(step, _)| step.clone()).collect();
        let silent: SilentSteps = steps.iter().cloned().collect();
        for one in &orders {
            for other in &orders {
                if silent.course(one) == silent.course(other) {
                    let ends = |order| simulate(order, interaction.clients(), &steps);
                    prop_assert_eq!(ends(one), ends(other), "{} and {}", one, other);
                }
            }
        }
    }
}
