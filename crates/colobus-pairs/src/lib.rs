//! Which interactions are worth running. The [`ActionTree`] says what phase 1 has to look at, an [`Exploration`] holds
//! what it saw, [`EffectMap`] reads effects and equivalent states from that, and [`conflicts`](EffectMap::conflicts)
//! are the interactions for phase 2, which [`most_different_first`] puts into order. [`SearchSize`] counts all of it in advance. Pure: nothing here executes anything.

mod combinations;
mod effect_map;
mod exploration;
mod kind;
mod most_different;
mod pruning;
mod size;
mod tree;

pub use combinations::combinations;
pub use effect_map::{Conflict, EffectMap};
pub use exploration::{Exploration, Node};
pub use kind::Kind;
pub use most_different::{Kinds, most_different_first};
pub use pruning::Distinct;
pub use size::{Extent, SearchSize};
pub use tree::{ActionTree, Sequence};
