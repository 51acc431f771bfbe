//! The run loop: [`check`] searches an application for interactions that go wrong, [`replay`] runs a finding again.
//! It drives worlds it gets from a [`colobus_world::WorldFactory`], writes the journal and the findings below the
//! output folder, and tells everything else as [`colobus_model::RunEvent`]s. It prints nothing.

mod check;
mod config;
mod contrast;
mod determinism;
mod error;
mod execute;
mod explore;
mod faults;
mod journal;
mod line_file;
mod output;
mod phase1_store;
mod reduce;
mod replay;
mod search;
mod search_key;
mod sequence;
mod shrink;
mod smaller;
mod snapshots;
mod solo_outcomes;
mod steady;
mod workers;

pub use check::{check, plan};
pub use colobus_check::Judgement;
pub use config::{Around, Judge, OrderChoice, Orders, RunConfig, Shard, StopSignal};
pub use error::RunError;
pub use output::{create_run_folder, point_last_at};
pub use replay::{Again, Replay, load, replay};
