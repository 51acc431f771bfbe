//! Which interactions are worth running. The [`ActionTree`] says what phase 1 has to look at, an [`Exploration`] holds
//! what it saw, [`Landscape`] reads effects and equivalent states from that, and [`conflicts`](Landscape::conflicts)
//! are the interactions for phase 2; [`orders`] says in which orders each is run. Pure: nothing here executes anything.

mod combinations;
mod exploration;
mod landscape;
mod orders;
mod pruning;
mod tree;

pub use combinations::combinations;
pub use exploration::{Exploration, Node};
pub use landscape::{Conflict, Landscape};
pub use orders::{orders, orders_around};
pub use pruning::Distinct;
pub use tree::{ActionTree, Sequence};
