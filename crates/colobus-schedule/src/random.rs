//! [`Random`]: orders by priorities drawn from a seed (probabilistic concurrency testing). Each thread of events gets a
//! priority when it first shows, and the highest one that is enabled goes on; at a few moments, drawn in advance, the
//! thread whose turn it is falls behind all others. A bug that needs d events in a certain order is met in each execution
//! with a probability of at least 1 / (threads · events^(d-1)).

use std::collections::BTreeSet;

use colobus_random::Random as Numbers;

use crate::{Choice, Digest, Divergences, Schedulable, Strategy};

/// Random orders for bugs of a given depth.
#[derive(Clone, Debug)]
pub struct Random<E> {
    seed: u64,
    depth: usize,
    executions: usize,
    begun: usize,
    /// The most events that an execution had: change points are drawn from these.
    longest: usize,
    numbers: Numbers,
    changes: BTreeSet<usize>,
    threads: Vec<(E, Priority)>,
    position: usize,
}

/// Greater goes first. Threads that fell behind come after all others, the later they fell the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Priority {
    Behind(std::cmp::Reverse<usize>),
    Drawn(u64),
}

impl<E> Random<E> {
    /// As many executions as wanted; `depth` events in a certain order is what they look for, and `events` how many an
    /// execution is thought to have before the first one shows it.
    pub fn new(seed: u64, depth: usize, events: usize, executions: usize) -> Random<E> {
        Random {
            seed,
            depth,
            executions,
            begun: 0,
            longest: events.max(1),
            numbers: Numbers::new(seed),
            changes: BTreeSet::new(),
            threads: Vec::new(),
            position: 0,
        }
    }
}

impl<E: Schedulable> Random<E> {
    fn priority(&mut self, event: &E) -> Priority {
        if let Some((_, priority)) = self.threads.iter().find(|(thread, _)| thread.is_ordered_with(event)) {
            return *priority;
        }
        let priority = Priority::Drawn(self.numbers.number());
        self.threads.push((event.clone(), priority));
        priority
    }

    fn first(&mut self, enabled: &[E]) -> Option<usize> {
        let priorities: Vec<Priority> = enabled.iter().map(|event| self.priority(event)).collect();
        // The first of equals, so that nothing depends on how a maximum is found.
        (0..enabled.len()).rev().max_by_key(|index| priorities[*index])
    }
}

impl<E: Schedulable> Strategy<E> for Random<E> {
    fn begin(&mut self) -> bool {
        if self.begun == self.executions {
            return false;
        }
        // Each execution has numbers of its own: that an earlier one drew more or fewer does not matter.
        self.numbers = Numbers::new(Numbers::new(self.seed ^ (self.begun as u64).rotate_left(32)).number());
        self.begun += 1;
        self.position = 0;
        self.threads.clear();
        let longest = self.longest as u64;
        self.changes = (1..self.depth).map(|_| (self.numbers.number() % longest) as usize).collect();
        true
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        let Some(mut next) = self.first(enabled) else { return Choice::LetGo };
        if self.changes.contains(&self.position) {
            let behind = Priority::Behind(std::cmp::Reverse(self.position));
            let event = &enabled[next];
            self.threads.iter_mut().filter(|(thread, _)| thread.is_ordered_with(event)).for_each(|(_, p)| *p = behind);
            next = self.first(enabled).unwrap_or(next);
        }
        self.position += 1;
        Choice::Take(next)
    }

    fn commuted(&mut self, _pairs: &[(usize, usize)]) {}

    fn end(&mut self, _outcome: Option<Digest>) {
        self.longest = self.longest.max(self.position);
    }

    fn divergences(&self) -> Divergences {
        Divergences::default()
    }
}
