//! Sequences of events side by side that share variables, and may have to wait for an event of another sequence.

use colobus_schedule::{Digest, Schedulable, System};
use proptest::prelude::*;

/// The n-th event of a thread, and the variables it writes, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Write {
    pub thread: usize,
    pub index: usize,
    pub variables: u8,
}

impl Schedulable for Write {
    fn conflicts(&self, other: &Write) -> bool {
        self.thread == other.thread || self.variables & other.variables != 0
    }

    fn is_ordered_with(&self, other: &Write) -> bool {
        self.thread == other.thread
    }

    fn is_step(&self) -> bool {
        self.thread == 0
    }

    fn is_fault(&self) -> bool {
        false
    }

    fn repairs(&self, _fault: &Write) -> bool {
        false
    }

    fn comes_last(&self) -> bool {
        false
    }

    fn is_flush(&self) -> bool {
        false
    }
}

#[derive(Clone, Debug)]
pub struct Threads {
    threads: Vec<Vec<Write>>,
    /// The event of one thread and index waits for that of another.
    waits: Vec<((usize, usize), (usize, usize))>,
    done: Vec<usize>,
    values: [Digest; 8],
}

impl Threads {
    /// `variables[thread][index]`: what is written.
    pub fn new(variables: &[&[u8]]) -> Threads {
        let thread = |(thread, written): (usize, &&[u8])| {
            written
                .iter()
                .enumerate()
                .map(|(index, variables)| Write { thread, index, variables: *variables })
                .collect()
        };
        let threads: Vec<Vec<Write>> = variables.iter().enumerate().map(thread).collect();
        Threads { done: vec![0; threads.len()], threads, waits: Vec::new(), values: [0; 8] }
    }

    pub fn waiting(mut self, event: (usize, usize), until: (usize, usize)) -> Threads {
        self.waits.push((event, until));
        self
    }

    /// Up to three threads of up to three events on up to three variables, with waits that go to lower threads only, so that
    /// nothing waits for ever.
    pub fn any() -> impl Strategy<Value = Threads> {
        Threads::with_waits(0..3)
    }

    /// Like [`Threads::any`], but only the first event of a thread waits: nothing needs two others at once, which is what an
    /// execution does not show.
    pub fn any_with_single_causes() -> impl Strategy<Value = Threads> {
        Threads::with_waits(0..1)
    }

    fn with_waits(waiting: std::ops::Range<usize>) -> impl Strategy<Value = Threads> {
        let thread = prop::collection::vec(0_u8..8, 1..=3);
        let wait = ((0_usize..3, waiting), (0_usize..3, 0_usize..3));
        (prop::collection::vec(thread, 2..=3), prop::collection::vec(wait, 0..=2)).prop_map(|(threads, mut waits)| {
            let written: Vec<&[u8]> = threads.iter().map(Vec::as_slice).collect();
            let exists = |(thread, index): (usize, usize)| threads.get(thread).is_some_and(|l| index < l.len());
            waits.retain(|(event, until)| until.0 < event.0 && exists(*event) && exists(*until));
            waits.dedup_by_key(|(event, _)| *event);
            waits.into_iter().fold(Threads::new(&written), |system, (event, until)| system.waiting(event, until))
        })
    }
}

impl System for Threads {
    type Event = Write;

    fn enabled(&self) -> Vec<Write> {
        let next = self.threads.iter().zip(&self.done).filter_map(|(thread, done)| thread.get(*done));
        let may = |event: &Write| {
            let mut waits = self.waits.iter().filter(|(waiting, _)| *waiting == (event.thread, event.index));
            waits.all(|(_, (thread, index))| self.done[*thread] > *index)
        };
        next.copied().filter(may).collect()
    }

    fn perform(&mut self, event: &Write) {
        self.done[event.thread] += 1;
        for (variable, value) in self.values.iter_mut().enumerate() {
            if event.variables & (1 << variable) != 0 {
                *value = value.wrapping_mul(31) + (event.thread * 10 + event.index + 1) as Digest;
            }
        }
    }

    fn digest(&self) -> Digest {
        self.values.iter().fold(0, |digest: Digest, value| digest.wrapping_mul(1_000_003).wrapping_add(*value))
    }
}
