//! What a server offers, learned from traffic. [`har`] reads captures into [`Exchange`]s; [`learn`] turns these into a
//! [`Description`] in AIL with JSON Schemas; [`Mock`] answers requests in the place of the server; [`diff`] says what
//! changed between two descriptions. Everything here computes: files and sockets belong to the caller.

pub mod diff;
mod exchange;
mod form;
pub mod har;
pub mod language;
mod learned;
pub mod mock;
pub mod openapi;
pub mod plain;
pub mod relaxng;
mod request;
pub mod robust;
pub mod schema;
pub mod score;
mod secret;
pub mod url;

pub use exchange::{Body, Direction, Exchange, Message, Resource};
pub use language::{Description, ParseError};
pub use learned::{Learned, Overlapping, covers};
pub use mock::Mock;

pub use colobus_random::Random;
pub use request::Request;
pub use schema::Schemas;
pub use secret::Secrets;
