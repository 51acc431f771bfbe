//! Learned servers: [`read_description`] reads one. They answer behind the proxies of browsers: [`LearnedServer`] while a page is
//! explored and when its findings are replayed, [`SharedServers`] where several clients meet.

mod description;
mod exploring;
mod messages;
mod shared;

pub use description::read_description;
pub use exploring::{LearnedServer, LearnedServers};
pub use shared::SharedServers;
