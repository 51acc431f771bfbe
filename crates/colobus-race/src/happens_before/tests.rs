use super::*;
use crate::model::{EventKind, Executed, Resource, ScriptTiming};

fn event(name: &str, kind: EventKind, creator: Option<&str>) -> PageEvent {
    PageEvent { creator: creator.map(EventName::from), ..PageEvent::new(name, kind) }
}

fn timer(name: &str, creator: &str, serial: u32, delay: u64) -> PageEvent {
    PageEvent { serial, delay: Some(delay), ..event(name, EventKind::Timer, Some(creator)) }
}

fn response(name: &str, resource: Resource, creator: &str) -> PageEvent {
    event(name, EventKind::Response { resource, method: "GET".into(), address: name.into() }, Some(creator))
}

fn step(name: &str, number: u32) -> PageEvent {
    event(name, EventKind::Step { number, action: "click".into() }, None)
}

fn execution(events: Vec<(PageEvent, u64)>) -> Execution {
    let ran = events.into_iter().map(|(event, at)| Executed {
        event,
        planned: true,
        at,
        accesses: Vec::new(),
        touched: None,
        disables: Vec::new(),
        opaque: None,
    });
    Execution { ran: ran.collect(), ..Execution::default() }
}

fn edges(events: Vec<PageEvent>) -> Vec<(String, String, Rule)> {
    let execution = execution(events.into_iter().map(|event| (event, 0)).collect());
    let graph = HappensBefore::of(&execution);
    let name = |number: usize| execution.ran[number].event.name.to_string();
    let of = |second: usize| graph.predecessors(second).iter().map(move |(first, rule)| (*first, second, *rule));
    (0..execution.ran.len()).flat_map(of).map(|(first, second, rule)| (name(first), name(second), rule)).collect()
}

fn edge(first: &str, second: &str, rule: Rule) -> (String, String, Rule) {
    (first.into(), second.into(), rule)
}

#[test]
fn timers_of_one_event_run_by_their_delay_and_then_by_registration() {
    let events = vec![step("c", 1), timer("t2", "c", 1, 50), timer("t3", "c", 2, 50), timer("t1", "c", 0, 100)];
    let found = edges(events);
    assert!(found.contains(&edge("t2", "t3", Rule::Timers)));
    assert!(found.contains(&edge("t3", "t1", Rule::Timers)));
    assert_eq!(found.iter().filter(|(_, _, rule)| *rule == Rule::Timers).count(), 2);
}

#[test]
fn a_document_loads_in_its_order() {
    let chunk = |name: &str, number| event(name, EventKind::Chunk { number }, None);
    let image = PageEvent { blocks_load: true, ..response("image", Resource::Image, "h1") };
    let found = edges(vec![
        chunk("h1", 1),
        response("blocking", Resource::Script(ScriptTiming::Blocking), "h1"),
        chunk("h2", 2),
        response("deferred", Resource::Script(ScriptTiming::Deferred), "h1"),
        event("parsed", EventKind::DomContentLoaded, None),
        image,
        event("load", EventKind::Load, None),
    ]);
    for (first, second) in [
        ("blocking", "h2"),
        ("h2", "deferred"),
        ("h2", "parsed"),
        ("deferred", "parsed"),
        ("parsed", "load"),
        ("image", "load"),
    ] {
        assert!(found.contains(&edge(first, second, Rule::Document)), "{first} before {second}");
    }
    assert!(found.contains(&edge("h1", "h2", Rule::Queue)));
    assert!(
        !found.iter().any(|(first, second, _)| first == "image" && second == "h2"),
        "images do not block the parser"
    );
}

#[test]
fn ticks_of_an_interval_come_one_after_the_other_at_their_moments() {
    let tick = |number: u32| {
        let kind = EventKind::Interval { registration: "i".into(), tick: number };
        PageEvent { delay: Some(100), ..event(&format!("i{number}"), kind, Some("c")) }
    };
    assert!(edges(vec![step("c", 1), tick(1), tick(2)]).contains(&edge("i1", "i2", Rule::Queue)));
    let events = [step("c", 1), tick(1), tick(2), timer("t", "c", 0, 150)];
    let timing = Timing::of(&events);
    assert!(timing.allows(&[0, 1, 3, 2]));
    assert!(!timing.allows(&[0, 1, 2, 3]), "the second tick comes after 200 ms");
}

#[test]
fn timers_of_different_events_are_compared_by_their_moments() {
    let events = [step("c1", 1), step("c2", 2), timer("t1", "c1", 0, 100), timer("t2", "c2", 0, 100)];
    let timing = Timing::of(&events);
    assert!(timing.allows(&[0, 1, 2, 3]));
    assert!(timing.allows(&[0, 2, 1, 3]), "the second click comes late");
    assert!(timing.allows(&[0, 1, 3, 2]), "both at the same moment");
    let shorter = [step("c1", 1), step("c2", 2), timer("t1", "c1", 0, 100), timer("t2", "c2", 0, 150)];
    assert!(!Timing::of(&shorter).allows(&[0, 1, 3, 2]), "150 ms after the later click");
}

#[test]
fn an_impossible_rest_is_moved_as_little_as_possible() {
    let events = [
        response("s1", Resource::Fetch, "x"),
        response("s2", Resource::Fetch, "x"),
        timer("t1", "s1", 0, 150),
        step("c", 1),
        timer("t2", "s2", 0, 100),
    ];
    let timing = Timing::of(&events);
    assert!(timing.allows(&[0, 1, 2, 3, 4]), "s2 60 ms after s1");
    assert!(!timing.allows(&[1, 0, 2, 3, 4]));
    assert_eq!(timing.nearest(&[1, 0, 2, 3, 4], 2, &[(1, 0), (2, 3)]), Some(vec![1, 0, 4, 2, 3]));
    assert_eq!(timing.nearest(&[1, 0, 2, 3, 4], 4, &[(1, 0), (2, 4)]), Some(vec![1, 0, 4, 2, 3]), "t2 is not fixed");
    assert_eq!(timing.nearest(&[1, 0, 2, 4, 3], 4, &[(1, 0), (2, 4)]), None, "t1 comes 150 ms after s1");
    // The answers do not depend on each other, so that s1 may come first after all.
    assert_eq!(timing.nearest(&[1, 0, 2, 4, 3], 4, &[(2, 4)]), Some(vec![0, 1, 2, 4, 3]));
}

#[test]
fn the_delays_that_lead_to_an_order_are_printed() {
    let recording = execution(vec![
        (step("c1", 1), 100),
        (response("old", Resource::Fetch, "c1"), 150),
        (step("c2", 2), 1000),
        (response("new", Resource::Fetch, "c2"), 1100),
    ]);
    let reordered = execution([0, 2, 3, 1].map(|index: usize| (recording.ran[index].event.clone(), 0)).into());
    let before = [(0, 1), (1, 2), (2, 3), (0, 3)];
    let delays = Delays::towards(&reordered, &before, &recording, 100).unwrap();
    assert_eq!(delays.to_string(), "old 1.0 s later");
    assert_eq!(Delays::towards(&recording, &[(0, 1), (1, 2)], &recording, 100).unwrap().to_string(), "as recorded");
}

#[test]
fn a_step_comes_earlier_only_if_nothing_else_helps() {
    let recording = execution(vec![(step("c1", 1), 100), (timer("t", "c1", 0, 400), 500), (step("c2", 2), 1000)]);
    let reordered = execution([0, 2, 1].map(|index: usize| (recording.ran[index].event.clone(), 0)).into());
    let delays = Delays::towards(&reordered, &[(0, 1), (1, 2)], &recording, 50).unwrap();
    assert_eq!(delays, Delays(vec![Delay { event: "c2".into(), by: -550 }]));
    let forced = Delays::towards(&reordered, &[(0, 1), (1, 2)], &recording, 500);
    assert!(forced.is_err(), "the timer runs after 400 ms: {forced:?}");
}
