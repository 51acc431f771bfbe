//! The search for races in one page. [`race`] records the page on a [`RacePage`](colobus_world::RacePage), searches orders of
//! its events with [`colobus_race`], and hands them to the run loop: one finding for each pair of source positions whose
//! order does harm, shrunk, run again and, where delays alone lead to it, confirmed on the plain page. [`replay`] runs a
//! finding again from its file, [`two_orders`] prepares it for exporters.

mod confirm;
mod evidence;
mod exported;
mod har;
mod race;
mod replay;
mod search;
mod words;

pub use evidence::RaceEvidence;
pub use exported::two_orders;
pub use har::har_of;
pub use race::{OpenPage, RaceConfig, RaceError, race};
pub use replay::{Replayed, load, replay};
