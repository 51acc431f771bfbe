//! What `colobus explore` and the replay of its findings have in common: [`LearnedServer`] puts a learned server behind the
//! proxies of the browsers.

mod learned_server;

pub use learned_server::{LearnedServer, LearnedServers};
