//! [`Intervals`]: a set of places in a text, as sorted ranges that do not touch.

use serde::{Deserialize, Serialize};

/// Half-open ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervals(Vec<(usize, usize)>);

impl Intervals {
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many places it has.
    pub fn size(&self) -> usize {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    pub fn has(&self, place: usize) -> bool {
        let after = self.0.partition_point(|(start, _)| *start <= place);
        after > 0 && place < self.0[after - 1].1
    }

    /// Whether it has a place of the range.
    pub fn touches(&self, start: usize, end: usize) -> bool {
        let first = self.0.partition_point(|(_, known)| *known <= start);
        self.0.get(first).is_some_and(|(known, _)| *known < end) && start < end
    }

    pub fn add(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let first = self.0.partition_point(|(_, known)| *known < start);
        let last = self.0.partition_point(|(known, _)| *known <= end);
        let joined = self.0[first..last].iter().fold((start, end), |(a, b), (x, y)| (a.min(*x), b.max(*y)));
        self.0.splice(first..last, [joined]);
    }

    pub fn add_all(&mut self, other: &Intervals) {
        other.0.iter().for_each(|(start, end)| self.add(*start, *end));
    }

    /// The places that the other one does not have.
    pub fn without(&self, other: &Intervals) -> Intervals {
        let mut rest = Vec::new();
        for &(start, end) in &self.0 {
            let mut from = start;
            let first = other.0.partition_point(|(_, known)| *known <= start);
            for &(hole, hole_end) in other.0[first..].iter().take_while(|(hole, _)| *hole < end) {
                if hole > from {
                    rest.push((from, hole));
                }
                from = from.max(hole_end);
            }
            if from < end {
                rest.push((from, end));
            }
        }
        Intervals(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn built(ranges: &[(usize, usize)]) -> (Intervals, BTreeSet<usize>) {
        let (mut intervals, mut places) = (Intervals::default(), BTreeSet::new());
        for &(start, size) in ranges {
            intervals.add(start, start + size);
            places.extend(start..start + size);
        }
        (intervals, places)
    }

    fn ranges() -> impl Strategy<Value = Vec<(usize, usize)>> {
        prop::collection::vec((0..60_usize, 0..9_usize), 0..14)
    }

    proptest! {
        #[test]
        fn they_are_a_set(one in ranges(), other in ranges(), from in 0..70_usize, size in 0..9_usize) {
            let ((a, places), (b, others)) = (built(&one), built(&other));
            prop_assert_eq!(a.size(), places.len());
            prop_assert!(a.pairs().windows(2).all(|pair| pair[0].1 < pair[1].0));
            prop_assert!((0..80).all(|place| a.has(place) == places.contains(&place)));
            prop_assert_eq!(a.touches(from, from + size), (from..from + size).any(|place| places.contains(&place)));
            let left = a.without(&b);
            prop_assert_eq!(left.size(), places.difference(&others).count());
            prop_assert!((0..80).all(|place| left.has(place) == (places.contains(&place) && !others.contains(&place))));
            let (mut ab, mut ba) = (a.clone(), b.clone());
            ab.add_all(&b);
            ba.add_all(&a);
            prop_assert_eq!(ab.size(), places.union(&others).count());
            prop_assert_eq!(ab, ba);
        }
    }
}
