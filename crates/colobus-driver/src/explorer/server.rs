//! [`ServerStandIn`]: answers in the place of a server, as a plan says. Implemented where descriptions of servers are known.

use colobus_proxy::Answerer;
use colobus_world::{AnswerPlan, GivenAnswer};

pub trait ServerStandIn: Answerer {
    /// A new run begins, with the opening of the page.
    fn begin(&self, plan: &AnswerPlan);

    /// A step begins, with the seed of its answers.
    fn step(&self, seed: u64);

    /// All answers of this run so far.
    fn given(&self) -> Vec<GivenAnswer>;
}
