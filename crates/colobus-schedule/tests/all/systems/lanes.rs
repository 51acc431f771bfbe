//! Sequences of events side by side that share variables, and may have to wait for an event of another sequence.

use colobus_schedule::{Digest, Schedulable, System};
use proptest::prelude::*;

/// The n-th event of a lane, and the variables it writes, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Write {
    pub lane: usize,
    pub index: usize,
    pub variables: u8,
}

impl Schedulable for Write {
    fn conflicts(&self, other: &Write) -> bool {
        self.lane == other.lane || self.variables & other.variables != 0
    }

    fn is_ordered_with(&self, other: &Write) -> bool {
        self.lane == other.lane
    }

    fn is_step(&self) -> bool {
        self.lane == 0
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
pub struct Lanes {
    lanes: Vec<Vec<Write>>,
    /// The event of one lane and index waits for that of another.
    waits: Vec<((usize, usize), (usize, usize))>,
    done: Vec<usize>,
    values: [Digest; 8],
}

impl Lanes {
    /// `variables[lane][index]`: what is written.
    pub fn new(variables: &[&[u8]]) -> Lanes {
        let lane = |(lane, written): (usize, &&[u8])| {
            written.iter().enumerate().map(|(index, variables)| Write { lane, index, variables: *variables }).collect()
        };
        let lanes: Vec<Vec<Write>> = variables.iter().enumerate().map(lane).collect();
        Lanes { done: vec![0; lanes.len()], lanes, waits: Vec::new(), values: [0; 8] }
    }

    pub fn waiting(mut self, event: (usize, usize), until: (usize, usize)) -> Lanes {
        self.waits.push((event, until));
        self
    }

    /// Up to three lanes of up to three events on up to three variables, with waits that go to lower lanes only, so that
    /// nothing waits for ever.
    pub fn any() -> impl Strategy<Value = Lanes> {
        Lanes::with_waits(0..3)
    }

    /// Like [`Lanes::any`], but only the first event of a lane waits: nothing needs two others at once, which is what an
    /// execution does not show.
    pub fn any_with_single_causes() -> impl Strategy<Value = Lanes> {
        Lanes::with_waits(0..1)
    }

    fn with_waits(waiting: std::ops::Range<usize>) -> impl Strategy<Value = Lanes> {
        let lane = prop::collection::vec(0_u8..8, 1..=3);
        let wait = ((0_usize..3, waiting), (0_usize..3, 0_usize..3));
        (prop::collection::vec(lane, 2..=3), prop::collection::vec(wait, 0..=2)).prop_map(|(lanes, mut waits)| {
            let written: Vec<&[u8]> = lanes.iter().map(Vec::as_slice).collect();
            let exists = |(lane, index): (usize, usize)| lanes.get(lane).is_some_and(|l| index < l.len());
            waits.retain(|(event, until)| until.0 < event.0 && exists(*event) && exists(*until));
            waits.dedup_by_key(|(event, _)| *event);
            waits.into_iter().fold(Lanes::new(&written), |system, (event, until)| system.waiting(event, until))
        })
    }
}

impl System for Lanes {
    type Event = Write;

    fn enabled(&self) -> Vec<Write> {
        let next = self.lanes.iter().zip(&self.done).filter_map(|(lane, done)| lane.get(*done));
        let may = |event: &Write| {
            let mut waits = self.waits.iter().filter(|(waiting, _)| *waiting == (event.lane, event.index));
            waits.all(|(_, (lane, index))| self.done[*lane] > *index)
        };
        next.copied().filter(may).collect()
    }

    fn perform(&mut self, event: &Write) {
        self.done[event.lane] += 1;
        for (variable, value) in self.values.iter_mut().enumerate() {
            if event.variables & (1 << variable) != 0 {
                *value = value.wrapping_mul(31) + (event.lane * 10 + event.index + 1) as Digest;
            }
        }
    }

    fn digest(&self) -> Digest {
        self.values.iter().fold(0, |digest: Digest, value| digest.wrapping_mul(1_000_003).wrapping_add(*value))
    }
}
