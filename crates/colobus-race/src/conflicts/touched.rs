//! [`Touched`]: what one event read and wrote, and whether it could change places with another one. Produced by drivers from the
//! log of a page's runtime; consumed by the race of one page, and by searches between clients (`check --precise`).

use std::collections::HashMap;

use super::commute::{CommuteRule, Counter, GrowingSet, LazyInitialisation, PlaceUse, SameValue};
use crate::model::{Access, Place};

/// Without [`NeverRead`](super::commute::NeverRead): what no event reads, the checks of a search may read at the end.
const RULES: [&dyn CommuteRule; 4] = [&SameValue, &Counter, &GrowingSet, &LazyInitialisation];

/// What one event touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    pub accesses: Vec<Access>,
    /// Whether it ran code of which nothing is known.
    pub anything: bool,
}

impl Touched {
    /// Whether the order of the two does not matter: every place that both touch is only read, or their accesses commute.
    pub fn is_apart_from(&self, other: &Touched) -> bool {
        if self.anything || other.anything {
            return false;
        }
        let (mine, others) = (by_place(&self.accesses), by_place(&other.accesses));
        mine.iter().all(|(place, first)| {
            let Some(second) = others.get(place) else { return true };
            let only_read = !first.iter().chain(second).any(|access| access.writes());
            let place = PlaceUse { place, is_read: true };
            only_read || RULES.iter().any(|rule| rule.commute(&place, first, second))
        })
    }
}

fn by_place(accesses: &[Access]) -> HashMap<&Place, Vec<&Access>> {
    let mut places: HashMap<&Place, Vec<&Access>> = HashMap::new();
    accesses.iter().for_each(|access| places.entry(&access.place).or_default().push(access));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AccessKind;

    fn touched(accesses: &[(&str, AccessKind)]) -> Touched {
        let access = |(name, kind): &(&str, AccessKind)| Access::new(Place::Global { name: name.to_string() }, *kind);
        Touched { accesses: accesses.iter().map(access).collect(), anything: false }
    }

    #[test]
    fn events_are_apart_if_neither_writes_what_the_other_touches() {
        let (read, write) = (AccessKind::Read, AccessKind::Write);
        let first = touched(&[("a", read), ("b", write)]);
        assert!(first.is_apart_from(&touched(&[("a", read), ("c", write)])));
        assert!(!first.is_apart_from(&touched(&[("a", write)])));
        assert!(!first.is_apart_from(&touched(&[("b", read)])));
        assert!(!first.is_apart_from(&touched(&[("b", write)])));
        assert!(first.is_apart_from(&Touched::default()));
    }

    #[test]
    fn what_commutes_is_apart() {
        let insert = touched(&[("a", AccessKind::Insert)]);
        assert!(insert.is_apart_from(&insert));
        assert!(!insert.is_apart_from(&touched(&[("a", AccessKind::Read)])));
    }

    #[test]
    fn code_of_which_nothing_is_known_is_apart_from_nothing() {
        let unknown = Touched { anything: true, ..Touched::default() };
        assert!(!unknown.is_apart_from(&Touched::default()));
        assert!(!Touched::default().is_apart_from(&unknown));
    }
}
