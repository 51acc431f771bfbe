//! Settling: knowing that nothing is coming any more, by asking instead of sleeping. Worlds, stages and the player wait here
//! and nowhere else.
//!
//! Three words, for pages with and without a proxy:
//! - what *moves*: the counts of messages, requests and posts that pages, web workers and proxies keep
//!   (`page_activity` compares both sides);
//! - what is *expected*: callbacks that are due, requests without an answer, sockets that open, pongs of servers, polls, and what
//!   a server that we did not start may still do (`patience` and `expectations`, learned from `moments` and `reactions`);
//! - what is *background*: long polls, streams, heartbeats, callbacks that set themselves again and again. It is not waited for.
//!
//! Settled means: nothing expected is missing, and nothing has moved while that was found out. [`Barrier`] says so of all
//! clients of a world, [`quiesce`] of one client after an event while the others wait, [`settle_sessions`] of free pages.
//! `limits` has every constant.

mod barrier;
mod browser_queues;
mod expectations;
pub mod limits;
mod moments;
mod movement;
mod network_idle;
mod owed_frame;
mod page_activity;
mod page_time;
mod patience;
mod pings;
mod polls;
mod quiesce;
mod reactions;
mod restlessness;
mod server;
mod sessions;
mod shape;

pub use barrier::{Barrier, Look};
pub use patience::Patience;
pub use quiesce::{quiesce, receive, receive_piece};
pub use server::Server;
pub use sessions::{Pace, settle_sessions};
