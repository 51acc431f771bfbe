//! The built-in application: a small collaborative rich-text editor that is correct by default and can be started
//! with seeded bugs. [`DemoServer`] serves the page and its documents; a [`Room`](room::Room) is one document and
//! those who have it open; [`Text`](text::Text) puts their edits in one order by operational transformation.

mod bug;
mod delta;
mod http;
mod mending;
mod page;
mod protocol;
mod room;
mod rooms;
mod server;
mod socket;
mod storage;
mod text;

pub use bug::{Bug, UnknownBug};
pub use server::{DemoError, DemoOptions, DemoServer};
