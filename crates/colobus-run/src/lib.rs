//! The run loop. [`Run`] drives a [`Search`]: workers, journal, resume, grouping, repetition, events and reports are its own.
//! [`check`] is the search for concurrent actions that go wrong, [`replay`] runs one of its findings again. Everything is
//! executed in worlds from a [`colobus_world::WorldFactory`], written below the output folder, and told as
//! [`colobus_model::RunEvent`]s. Nothing is printed.

mod causes;
mod config;
mod error;
mod execute;
mod fault_kinds;
mod feedback;
mod journal;
mod learned;
mod line_file;
mod lock;
mod offered_strategies;
mod output;
mod pairs;
mod reduce;
mod replay;
mod results;
mod run_loop;
mod search;
mod search_key;
mod stop;
mod workers;

pub use colobus_check::{Checks, Judgement};
pub use config::{Around, Judge, LateJoinerChoice, Orders, RunConfig, Shard};
pub use error::RunError;
pub use fault_kinds::{FaultKind, FaultKinds};
pub use learned::load_learned;
pub use offered_strategies::{OfferedStrategy, OrderChoice, STRATEGIES, StrategyOptions};
pub use output::{create_run_folder, point_last_at};
pub use pairs::{check, plan};
pub use replay::{Again, Replay, load, replay};
pub use run_loop::{Emit, Run, RunOptions};
pub use search::{
    Cause, Diagnosed, Ending, Executed, Failure, FindingTraffic, Reduced, Repeat, Search, SeenFailure, feedback_of,
};
pub use search_key::key_of;
pub use stop::StopSignal;
pub use workers::Workers;
