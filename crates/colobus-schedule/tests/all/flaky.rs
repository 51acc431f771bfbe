//! Worlds that do not repeat themselves: strategies end all the same, and say what they met.

use std::cell::Cell;
use std::rc::Rc;

use colobus_model::{Event, Schedule};
use colobus_schedule::{
    Bounded, Difference, Digest, Divergences, Dpor, Exhaustive, Limit, Natural, Nondeterminism, Random, Replay,
    Strategy, System, Twice, explore,
};

use crate::systems::editors::Editors;
use crate::systems::threads::{Threads, Write};
use crate::systems::{executions, orders};

/// Leaves out enabled events as a sequence of numbers says that goes on from execution to execution.
#[derive(Clone)]
struct Moody {
    system: Threads,
    mood: Rc<Cell<u64>>,
}

impl System for Moody {
    type Event = Write;

    fn enabled(&self) -> Vec<Write> {
        let mood = self.mood.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.mood.set(mood);
        let mut enabled = self.system.enabled();
        if enabled.len() > 1 && mood >> 62 == 0 {
            enabled.remove((mood >> 40) as usize % enabled.len());
        }
        enabled
    }

    fn perform(&mut self, event: &Write) {
        self.system.perform(event);
    }

    fn digest(&self) -> Digest {
        self.mood.get()
    }
}

fn moody() -> Moody {
    Moody { system: Threads::new(&[&[1, 1, 1], &[1, 2, 1], &[2, 1]]), mood: Rc::new(Cell::new(7)) }
}

#[test]
fn searches_end_and_count_what_changed() {
    let strategies: Vec<Box<dyn Strategy<Write>>> = vec![
        Box::new(Exhaustive::new()),
        Box::new(Dpor::new()),
        Box::new(Bounded::around_natural(3)),
        Box::new(Twice::new(Dpor::new())),
    ];
    for mut strategy in strategies {
        let executed = executions(&moody(), strategy.as_mut());
        assert!(executed.iter().any(|execution| execution.complete));
        let Divergences { changed, skipped, .. } = strategy.divergences();
        assert!(changed > 0 && skipped > 0, "{:?}", strategy.divergences());
    }
}

/// Two threads, of which the one that the second execution is about does not show in it.
#[test]
fn a_path_that_was_lost_is_tried_once_more() {
    let executed = Rc::new(Cell::new(0));
    let fresh = || {
        executed.set(executed.get() + 1);
        if executed.get() == 2 { Threads::new(&[&[], &[1]]) } else { Threads::new(&[&[1], &[1]]) }
    };
    let mut dpor = Dpor::new();
    let mut seen = Vec::new();
    explore(&mut dpor, fresh, |execution, _| {
        seen.push(execution.order().iter().map(|write| write.thread).collect::<Vec<_>>());
    });
    assert_eq!(seen, [vec![1, 0], vec![1], vec![0, 1]]);
    assert_eq!(dpor.divergences(), Divergences { changed: 1, skipped: 1, repeated: 0 });
}

#[test]
fn twice_finds_nothing_in_a_world_that_repeats_itself() {
    let mut twice = Twice::new(Dpor::new());
    let executed = executions(&Editors::new(&[2, 1]), &mut twice);
    assert_eq!(executed.len(), 20);
    assert!(executed.chunks(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(twice.nondeterminism(), []);
}

#[test]
fn twice_tells_other_events_from_another_outcome() {
    let numbers = Rc::new(Cell::new(0));
    let fresh = || {
        numbers.set(numbers.get() + 1);
        // The second has an event more at its end; the fourth is only judged differently.
        match numbers.get() {
            2 => Flawed { system: Threads::new(&[&[1, 1]]), flaw: 0 },
            number => Flawed { system: Threads::new(&[&[1]]), flaw: Digest::from(number == 4) },
        }
    };
    let mut twice = Twice::new(Random::new(1, 1, 1, 2));
    explore(&mut twice, fresh, |_, _| {});
    let write = |index| Write { thread: 0, index, variables: 1 };
    let order = vec![write(0)];
    let later = Difference::Enabled { after: 1, first: vec![], second: vec![write(1)] };
    let judged = Difference::Outcome { first: Some(0), second: Some(1) };
    let expected = [later, judged].map(|difference| Nondeterminism { order: order.clone(), difference });
    assert_eq!(twice.nondeterminism(), expected);
}

struct Flawed {
    system: Threads,
    flaw: Digest,
}

impl System for Flawed {
    type Event = Write;

    fn enabled(&self) -> Vec<Write> {
        self.system.enabled()
    }

    fn perform(&mut self, event: &Write) {
        self.system.perform(event);
    }

    fn digest(&self) -> Digest {
        self.flaw
    }
}

/// Two clients that answer each other for ever.
#[derive(Clone)]
struct Echo;

impl System for Echo {
    type Event = Event;

    fn enabled(&self) -> Vec<Event> {
        events("A> B>")
    }

    fn perform(&mut self, _event: &Event) {}

    fn digest(&self) -> Digest {
        0
    }
}

#[test]
fn a_limit_ends_what_has_no_end() {
    let searches: Vec<(Box<dyn Strategy<Event>>, usize)> = vec![
        (Box::new(Natural::new()), 1),
        // Every word of five letters A and B.
        (Box::new(Exhaustive::new()), 32),
        (Box::new(Random::new(3, 3, 5, 10)), 10),
        // Every word with as many A and B as the natural one, ABABA.
        (Box::new(Bounded::nearest_first(vec![Vec::new()])), 10),
    ];
    for (search, expected) in searches {
        let mut limited = Limit::new(search, 40, 5);
        let executed = executions(&Echo, &mut limited);
        assert_eq!((executed.len(), limited.let_go()), (expected, expected));
        assert!(executed.iter().all(|execution| execution.moments.len() == 5));
    }
}

#[test]
fn replay_skips_what_is_not_enabled_and_appends_what_is_new() {
    // A2 is not there, the second B> never comes, and what B's message leads to is not named.
    let order = events("A1 A2 B1 B> B> A>");
    let mut replay = Replay::new(order);
    let executed = orders(&Editors::new(&[1, 1]), &mut replay);
    assert_eq!(executed, [events("A1 B1 B> A> A< B<")]);
    let followed = replay.followed().expect("the execution has ended");
    assert_eq!((followed.planned, followed.performed), (6, 4));
    assert_eq!(followed.skipped, [(1, events("A2")[0].clone()), (4, events("B>")[0].clone())]);
    assert_eq!(followed.added, events("A< B<"));
    assert_eq!(followed.exact_beginning(), 1);
    assert!(!followed.exactly());
}

fn events(line: &str) -> Vec<Event> {
    line.parse::<Schedule>().expect("a schedule").events
}
