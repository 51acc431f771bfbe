//! Which interactions are worth running. The [`ActionTree`] says what phase 1 has to look at, an [`Exploration`] holds
//! what it saw, [`EffectMap`] reads effects and equivalent states from that, and [`conflicts`](EffectMap::conflicts)
//! are the interactions for phase 2; [`orders`] says in which orders each is run. Pure: nothing here executes anything.

mod combinations;
mod effect_map;
mod exploration;
mod orders;
mod pruning;
mod tree;

pub use combinations::combinations;
pub use effect_map::{Conflict, EffectMap};
pub use exploration::{Exploration, Node};
pub use orders::{orders, orders_around};
pub use pruning::Distinct;
pub use tree::{ActionTree, Sequence};
