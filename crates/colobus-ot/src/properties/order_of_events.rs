//! Two properties that do not depend on the transformation function: no execution gets stuck, and no site executes an
//! effect before its cause. Both are read off the symbolic state space.

use crate::models::symbolic::explore;
use crate::outcome::Verdict;
use crate::setting::Setting;

/// What the state space says about the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderOfEvents {
    /// Every unfinished execution can go on.
    pub no_deadlock: Verdict,
    /// Every site executes causes before effects.
    pub causality: Verdict,
    /// States explored.
    pub states: u64,
}

/// Explore the whole state space, or `limit` states of it.
pub fn order_of_events(setting: &Setting, limit: Option<u64>) -> OrderOfEvents {
    let (mut stuck, mut reversed) = (false, false);
    let (states, _, limited) = explore(setting, limit, |state, successors| {
        stuck |= successors.is_empty() && !state.is_compared();
        reversed |= !state.preserves_causality();
        false
    });
    OrderOfEvents { no_deadlock: Verdict::of(stuck, limited), causality: Verdict::of(reversed, limited), states }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_operations_have_1837_states_and_none_is_stuck() {
        let found = order_of_events(&Setting::spread(3, 3).unwrap(), None);
        let all_hold = OrderOfEvents { no_deadlock: Verdict::Holds, causality: Verdict::Holds, states: 1837 };
        assert_eq!(found, all_hold);
    }

    #[test]
    fn a_limit_leaves_it_open() {
        let found = order_of_events(&Setting::spread(3, 4).unwrap(), Some(100));
        assert_eq!((found.no_deadlock, found.states), (Verdict::Unknown, 100));
    }
}
