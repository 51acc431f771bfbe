//! Worlds in which interactions are run. A [`World`] is one document and the clients on it; [`browser`] makes real ones
//! with Chromium, [`fake`] makes one in memory for tests of everything above. [`proxy`] is the one way that messages
//! travel between a client and the application; [`subject`] is the running application.

pub mod browser;
pub mod fake;
pub mod proxy;
mod stage;
pub mod subject;
mod survey;
mod world;

pub use stage::{Field, Performance, Sight, Stage};
pub use survey::{Button, Editable, Landmark, Survey};
pub(crate) use world::guest_name;
pub use world::{Settled, StepOutcome, Wanted, World, WorldError, WorldFactory};
