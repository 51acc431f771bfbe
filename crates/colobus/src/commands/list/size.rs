//! [`SearchSize`]: how much a search has to run.

use colobus_pairs::ActionTree;
use serde::Serialize;

use crate::run_config::Scope;

/// Numbers too large for this machine end at its largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchSize {
    /// Sequences of full length that phase 1 runs; none if it is skipped.
    pub sequences: usize,
    pub source_states: usize,
    /// Combinations of concurrent actions that are tried in every source state.
    pub pairs: usize,
    /// All combinations in all source states.
    pub naive: usize,
}

impl SearchSize {
    pub fn of(actions: usize, scope: &Scope) -> SearchSize {
        let tree = ActionTree { actions, depth: scope.depth };
        let pairs = combinations(actions, scope.clients, scope.same);
        SearchSize {
            sequences: if scope.naive { 0 } else { tree.sequences() },
            source_states: tree.source_states(),
            pairs,
            naive: tree.naive(pairs),
        }
    }
}

/// How many there are, without listing them: n over k, or n + k - 1 over k if actions may repeat.
fn combinations(actions: usize, clients: usize, same: bool) -> usize {
    let from = if same { (actions + clients).saturating_sub(1) } else { actions };
    if from < clients {
        return 0;
    }
    let mut count: u128 = 1;
    for i in 0..clients {
        // Each intermediate result is a binomial coefficient itself, so that the division is exact.
        count = count.saturating_mul((from - i) as u128) / (i as u128 + 1);
    }
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(actions: usize, depth: usize, clients: usize, same: bool) -> (usize, usize, usize, usize) {
        let size = SearchSize::of(actions, &Scope { depth, clients, same, naive: false, workers: 1 });
        (size.sequences, size.source_states, size.pairs, size.naive)
    }

    #[test]
    fn counts_are_exact() {
        assert_eq!(size(5, 3, 2, false), (125, 31, 10, 310));
        assert_eq!(size(10, 1, 2, false), (10, 1, 45, 45));
        assert_eq!(size(10, 2, 2, false), (100, 11, 45, 495));
        assert_eq!(size(10, 3, 2, false), (1000, 111, 45, 4_995));
        assert_eq!(size(10, 3, 2, true), (1000, 111, 55, 6_105));
        assert_eq!(size(10, 3, 3, false), (1000, 111, 120, 13_320));
        assert_eq!(size(1, 2, 2, false), (1, 2, 0, 0));
        assert_eq!(size(1, 2, 2, true), (1, 2, 1, 2));
    }

    #[test]
    fn huge_searches_have_huge_counts() {
        let (sequences, states, _, naive) = size(50, 40, 2, false);
        assert_eq!((sequences, states, naive), (usize::MAX, usize::MAX, usize::MAX));
    }

    #[test]
    fn agrees_with_the_search_itself() {
        for actions in 0..7 {
            for clients in 2..5 {
                for same in [false, true] {
                    let listed = colobus_pairs::combinations(actions, clients, same).len();
                    assert_eq!(combinations(actions, clients, same), listed, "{actions} {clients} {same}");
                }
            }
        }
    }
}
