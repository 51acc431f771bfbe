//! [`STRATEGIES`]: the strategies that `--strategy` offers, each with what a search has to know of it. Chosen on the command line
//! ([`OrderChoice`]), made for each interaction that is run.

use std::fmt;
use std::str::FromStr;

use colobus_model::Event;
use colobus_schedule::{Bounded, Dpor, Exhaustive, Natural, Random, Strategy};
use serde::{Serialize, Serializer};

use crate::Orders;

/// Random orders look for bugs that need this many events in a certain order.
const RANDOM_DEPTH: usize = 3;

/// How many events an execution is thought to have before the first one shows it.
const USUAL_EVENTS: usize = 12;

/// A strategy, as the command line offers it.
pub struct OfferedStrategy {
    /// What `--strategy` calls it.
    pub name: &'static str,
    /// Which orders it chooses, in a few words; in the help, and in the table of docs/schedules.md, which a test compares.
    pub describe: &'static str,
    /// How many orders it runs if the user does not say; `None` for none, or a handful where faults or a recorded order ask for
    /// some.
    pub usual_limit: Option<usize>,
    /// Whether the few orders that stand for "at the same time" come first.
    pub follows_concurrent_orders: bool,
    pub make: fn(StrategyOptions) -> Box<dyn Strategy<Event>>,
}

/// What a strategy is made of.
pub struct StrategyOptions {
    pub orders: Orders,
    /// The orders around which to search; without any, the natural one.
    pub beginnings: Vec<Vec<Event>>,
    pub seed: u64,
}

/// All strategies of the command line; the first is taken unless another is asked for. A new one is an entry here.
pub static STRATEGIES: &[OfferedStrategy] = &[
    OfferedStrategy {
        name: "nearest",
        describe: "by conflict reversals from the natural order, nearest reversals first",
        usual_limit: None,
        follows_concurrent_orders: true,
        make: |options| match options.orders.bound {
            Some(bound) => Box::new(Bounded::around(options.beginnings, bound)),
            None => Box::new(Bounded::nearest_first(options.beginnings)),
        },
    },
    OfferedStrategy {
        name: "random",
        describe: "by priorities drawn from the seed of the run",
        usual_limit: None,
        follows_concurrent_orders: true,
        make: |options| Box::new(Random::new(options.seed, RANDOM_DEPTH, USUAL_EVENTS, options.orders.limit)),
    },
    OfferedStrategy {
        name: "dpor",
        describe: "one of each class of equivalent orders, depth first",
        usual_limit: Some(usize::MAX),
        follows_concurrent_orders: true,
        make: |_| Box::new(Dpor::new()),
    },
    OfferedStrategy {
        name: "exhaustive",
        describe: "every order, equivalent ones too",
        usual_limit: Some(usize::MAX),
        follows_concurrent_orders: true,
        make: |_| Box::new(Exhaustive::new()),
    },
    OfferedStrategy {
        name: "natural",
        describe: "no order is chosen: messages go as they come",
        usual_limit: Some(1),
        follows_concurrent_orders: false,
        make: |options| Box::new(Natural::repeated(options.orders.limit)),
    },
];

/// How orders are chosen beyond the few that stand for "at the same time": one of [`STRATEGIES`], or another.
#[derive(Clone, Copy)]
pub struct OrderChoice(&'static OfferedStrategy);

impl OrderChoice {
    pub const fn new(strategy: &'static OfferedStrategy) -> OrderChoice {
        OrderChoice(strategy)
    }

    pub fn strategy(self) -> &'static OfferedStrategy {
        self.0
    }
}

impl Default for OrderChoice {
    fn default() -> OrderChoice {
        OrderChoice(&STRATEGIES[0])
    }
}

impl fmt::Debug for OrderChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// Names tell them apart.
impl PartialEq for OrderChoice {
    fn eq(&self, other: &OrderChoice) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for OrderChoice {}

impl Serialize for OrderChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl FromStr for OrderChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<OrderChoice, String> {
        let found = STRATEGIES.iter().find(|strategy| strategy.name == text);
        found.map(OrderChoice).ok_or_else(|| {
            let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
            format!("there is no strategy `{text}`: take one of {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_is_found_by_its_name_and_no_other_is() {
        for strategy in STRATEGIES {
            let chosen: OrderChoice = strategy.name.parse().unwrap();
            assert_eq!(chosen.strategy().name, strategy.name);
        }
        let refused = "last".parse::<OrderChoice>().unwrap_err();
        assert_eq!(refused, "there is no strategy `last`: take one of nearest, random, dpor, exhaustive, natural");
    }
}
