//! [`SearchSize`]: how much a search has to run. Read by `colobus list`, by the plan of a run, and by the run itself, which
//! refuses what it cannot plan.

use serde::Serialize;

use crate::ActionTree;

/// What a search covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Actions that are combined with each other.
    pub actions: usize,
    /// Actions that lead back to where they begin: each is tried beside every other action.
    pub returning: usize,
    /// Of those, the ones that are also tried alone.
    pub alone: usize,
    pub depth: usize,
    pub clients: usize,
    pub same: bool,
    /// Whether it matters which client performs which action.
    pub apart: bool,
    /// Whether phase 1 is skipped.
    pub naive: bool,
}

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
    /// What actions that lead back add in all source states.
    pub returning: usize,
    /// What phase 2 runs: exactly, if phase 1 is skipped, otherwise if everything conflicts with everything.
    pub interactions: usize,
}

/// More sequences than this are not planned: what their states look like would fill the memory.
const MOST_SEQUENCES: usize = 5_000_000;
/// More interactions than this are not: their list and their results would.
const MOST_INTERACTIONS: usize = 20_000_000;

impl SearchSize {
    pub fn of(extent: &Extent) -> SearchSize {
        let tree = ActionTree { actions: extent.actions, depth: extent.depth };
        let pairs = combination_count(extent.actions, extent.clients, extent.same, extent.apart);
        let naive = tree.naive(pairs);
        let returning = tree.naive(extent.alone.saturating_add(extent.returning.saturating_mul(extent.actions)));
        SearchSize {
            sequences: if extent.naive { 0 } else { tree.sequences() },
            source_states: tree.source_states(),
            pairs,
            naive,
            returning,
            interactions: naive.saturating_add(returning),
        }
    }

    /// Whether the search can be listed before it runs. With a phase 1 only its sequences are.
    pub fn can_be_planned(&self) -> bool {
        let is_listed = self.sequences > 0 || self.interactions <= MOST_INTERACTIONS;
        is_listed && self.sequences <= MOST_SEQUENCES && self.source_states <= MOST_SEQUENCES
    }
}

/// How many combinations there are, without listing them: n over k, or n + k - 1 over k if actions may repeat. If clients are told
/// apart, n (n - 1) ..., or n to the power of k.
fn combination_count(actions: usize, clients: usize, same: bool, apart: bool) -> usize {
    if apart {
        let choices = (0..clients).map(|client| if same { actions } else { actions.saturating_sub(client) });
        return choices.fold(1, usize::saturating_mul);
    }
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

    fn extent(actions: usize, depth: usize, clients: usize, same: bool) -> Extent {
        Extent { actions, returning: 0, alone: 0, depth, clients, same, apart: false, naive: false }
    }

    fn size(actions: usize, depth: usize, clients: usize, same: bool) -> (usize, usize, usize, usize) {
        let size = SearchSize::of(&extent(actions, depth, clients, same));
        assert_eq!(size.interactions, size.naive);
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
    fn actions_that_lead_back_are_part_of_it() {
        let size = SearchSize::of(&Extent { returning: 2, alone: 1, ..extent(4, 2, 2, false) });
        // In each of 5 states: 6 pairs, one alone, and each of the two beside each of the four.
        assert_eq!((size.naive, size.returning, size.interactions), (30, 45, 75));
    }

    #[test]
    fn huge_searches_have_huge_counts_and_are_not_planned() {
        let huge = SearchSize::of(&extent(50, 40, 2, false));
        assert_eq!((huge.sequences, huge.source_states, huge.naive), (usize::MAX, usize::MAX, usize::MAX));
        assert!(!huge.can_be_planned());
        assert!(SearchSize::of(&extent(15, 3, 2, false)).can_be_planned());
        assert!(!SearchSize::of(&Extent { naive: true, ..extent(50, 4, 2, false) }).can_be_planned());
    }

    #[test]
    fn agrees_with_the_search_itself() {
        for actions in 0..7 {
            for clients in 2..5 {
                for same in [false, true] {
                    for apart in [false, true] {
                        let listed = crate::combinations(actions, clients, same, apart).len();
                        let counted = combination_count(actions, clients, same, apart);
                        assert_eq!(counted, listed, "{actions} {clients} {same} {apart}");
                    }
                }
            }
        }
    }
}
